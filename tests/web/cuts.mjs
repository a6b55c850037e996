/**
 * A game of three clients whose connections are cut again and again, in both directions, in the
 * middle of lines. Arguments: host, port, seed, game.
 */

import assert from "node:assert/strict";
import net from "node:net";

import { connect } from "../../client/web/sdk/node.js";

const [host, port, seed, game] = process.argv.slice(2);
let state = Number(seed);
const random = () => {
  state = (state * 1103515245 + 12345) % 2 ** 31;
  return state / 2 ** 31;
};

let cuts = 0;
const relay = net.createServer((client) => {
  const server = net.connect(Number(port), host);
  let left = 200 + Math.floor(random() * 40_000);
  const end = () => {
    client.destroy();
    server.destroy();
  };
  /** @param {net.Socket} from @param {net.Socket} to */
  const pass = (from, to) => {
    from.on("data", (data) => {
      left -= data.length;
      if (left > 0) {
        to.write(data);
        return;
      }
      cuts += 1;
      from.removeAllListeners("data");
      to.write(data.subarray(0, Math.floor(random() * data.length)), end);
    });
    from.on("error", end);
    from.on("close", end);
  };
  pass(client, server);
  pass(server, client);
});
await new Promise((resolve) => relay.listen(0, "127.0.0.1", () => resolve(undefined)));
const { port: cut } = /** @type {net.AddressInfo} */ (relay.address());

const options = { bot: true, patient: true, timing: { first: 5, longest: 20 } };
/** @param {string} name */
const enter = (name) => connect(`127.0.0.1:${cut}`, { name, ...options });
const [host1, ...guests] = await Promise.all(["cut-ann", "cut-bob", "cut-cat"].map(enter));
const watcher = await connect(`${host}:${port}`, { name: "cut-eve" });

const opened = await host1.open({ game, seats: 3, clock: 0 });
const watched = await watcher.watch(opened.on);
const tables = [opened, ...(await Promise.all(guests.map((guest) => guest.join(opened.on))))];
// A word that somebody seals late, after a cut, takes back what the others agreed to.
for (let started = false; !started; ) {
  for (const table of tables.slice(1)) await table.ready();
  started = await opened.start().then(
    () => true,
    (error) => {
      assert.equal(error.code, "NOT_READY");
      return false;
    },
  );
}

/**
 * Plays a game, and looks at the number of each event.
 * @param {import("../../client/web/sdk/table.js").Table} table
 */
async function play(table) {
  let last = 0;
  for await (const event of table) {
    if (event.ev === "reconnected") {
      if (!event.complete) last = 0;
      continue;
    }
    if (event.on !== table.on || event.seq === undefined) continue; // talk has numbers of its own
    if (last) assert.equal(event.seq, last + 1, "each event comes once, in order");
    last = event.seq;
    const { question } = table;
    const [move = question?.default] = question?.movesWith(question.cardsFor().slice(-1)) ?? [];
    if (move !== undefined) await table.play(move);
    if (event.ev === "GAMEOVER") return;
  }
}

await Promise.all(tables.map(play));
await watcher.until(() => watched.state.phase === "over");
for (const table of tables) {
  await host1.until(() => table.state.phase === "over");
  assert.deepEqual(table.places, watched.places);
}
await host1.until(() => opened.fair);
const past = await opened.past();
assert.deepEqual(past.map((event) => event.seq), past.map((_, index) => index + 1));
console.log(cuts, opened.fair?.found);

await Promise.all([host1, ...guests, watcher].map((server) => server.leave()));
relay.close();
