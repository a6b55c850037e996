import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";

import { BrokenLink, gameLink, isGameLink, LinkedGame, LONGEST, packed, PREFIX } from "../../client/web/sdk/event-link.js";
import { write } from "../../client/web/sdk/lines.js";
import { TableModel } from "../../client/web/sdk/model.js";
import { vectors } from "./vectors.mjs";

/** @param {{ lines: string[], closed: Record<string, string> }} vector */
const toldIn = ({ lines, closed }) => lines.map((line, at) => ({ line, closed: closed[at] ?? line }));

/** @param {string | Uint8Array} text The link with this text in it, whatever the text is. */
const linked = (text) => PREFIX + deflateSync(text).toString("base64url");

/** @param {string} link @param {string} [what] */
const refused = async (link, what = link.slice(0, 80)) => {
  try {
    await LinkedGame.read(link);
  } catch (error) {
    assert.ok(error instanceof BrokenLink, `${error}`);
    assert.match(error.message, /^This link is broken: .{10,90}\.$/);
    return error.message;
  }
  assert.fail(`it is read: ${what}`);
};

const [GAME] = vectors("event-links");
/** @type {string[]} */
const LINES = GAME.lines;
const TOLD = toldIn(GAME);

test("a link is read as its vector says, and written again", async () => {
  for (const vector of vectors("event-links")) {
    const game = await LinkedGame.read(vector.link);
    const told = game.all.map((event, at) => ({ line: write(event), closed: write(game.closed[at]) }));
    assert.deepEqual(told, toldIn(vector));
    const again = await LinkedGame.read(await gameLink(game.all, game.closed));
    assert.deepEqual([again.all, again.closed], [game.all, game.closed]);
    assert.equal((await gameLink(game.all, game.closed)).length / vector.link.length < 1.03, true);
    assert.ok(isGameLink(vector.link) && !isGameLink("g51") && !isGameLink("22v1_AAAA"));
  }
});

test("each seat sees its own cards and no others", async () => {
  for (const { link } of vectors("event-links")) {
    const game = await LinkedGame.read(link);
    const seats = game.all.flatMap((event) => (event.ev === "JOINED" ? [event.seat] : []));
    for (const seat of [0, ...seats]) {
      const model = new TableModel("g1", seat || undefined);
      for (const event of game.seenFrom(seat)) {
        model.see(event);
        if (event.ev === "DEALT") assert.equal(event.cards !== undefined, event.seat === seat);
      }
      assert.equal(model.phase, "over");
    }
  }
});

test("a game that is not over has no link, and the shuffle is in none", async () => {
  const { all, closed } = await LinkedGame.read(GAME.link);
  await assert.rejects(gameLink(all.slice(0, -1), closed), /when the game is over/);
  /** @type {any} */
  const sealed = { ev: "REVEALED", id: "g1", seed: "5ec2e7" };
  const turn = all.findIndex(({ ev }) => ev === "TURN");
  /** @param {any[]} events */
  const more = (events) => [sealed, ...events.slice(0, turn), { ...events[turn], legal: ["2", "3"], default: "2" }, ...events.slice(turn + 1)];
  assert.equal(await gameLink(more(all), more(closed)), await gameLink(all, closed));
});

test("a link that is not whole is refused in a sentence", async () => {
  const { link } = GAME;
  for (let at = PREFIX.length; at < link.length; at += 97) await refused(link.slice(0, at));
  for (const other of ["22e1_", "22e2_AAAA", "22e1_*", "22e1_%00", link.slice(0, 90) + link.slice(91), linked(Uint8Array.of(255, 10, 10, 48))]) {
    await refused(other);
  }
});

test("a small link cannot become a big text", async () => {
  const before = process.memoryUsage().rss;
  assert.match(await refused(linked(new Uint8Array(1 << 28))), /no game is so long/);
  assert.match(await refused(linked(`X ${"x".repeat(LONGEST / 4)}\n\n${"0\n".repeat(9)}`)), /lines that are no events/);
  assert.match(await refused(linked(`OUT seat=1 total=1 :${"x".repeat(LONGEST / 4)}\n\n${"0\n".repeat(9)}`)), /no game is so long/);
  assert.ok(process.memoryUsage().rss - before < 150e6);
});

test("lines that are no game are refused in a sentence", async () => {
  const players = LINES.findIndex((line) => line.startsWith("GAME "));
  /** @param {(lines: string[]) => string[]} change */
  const changed = (change) => linked(packed(change([...LINES]).map((line) => ({ line, closed: line }))));
  /** @param {string} line in place of a later one */
  const inside = (line) => changed((lines) => [...lines.slice(0, players + 5), line, ...lines.slice(players + 6)]);
  await LinkedGame.read(changed((lines) => lines));
  const bad = [
    linked(""), linked("\n\n"), linked("what is this"), linked("<b>\n\n0"), linked("OUT seat={0} total=1\n\n0"), linked("OUT seat={0:n} total=1\n\n01"),
    changed(() => ["GAMEOVER winners= why=last"]), changed((lines) => lines.slice(0, -1)), changed((lines) => [...lines, lines[0]]),
    changed((lines) => lines.map((line) => line.replace("players=3", "players=100000000"))),
    changed((lines) => lines.map((line) => line.replace("JOINED seat=1", "JOINED seat=7"))),
    changed((lines) => lines.filter((line) => !line.startsWith("JOINED"))),
    changed((lines) => [...lines.slice(0, players + 1), ...lines]),
    changed((lines) => lines.flatMap((line, at) => (at === players + 5 ? Array(3_000).fill("SHOWN seat=1 card=2C") : [line]))),
    changed((lines) => [...Array.from({ length: 10 }, (_, at) => `JOINED seat=${at + 4} name=x bot=0`), ...lines.map((line) => line.replace("players=3", "players=13"))]),
    changed((lines) => ["HAND no=1 dealer=1 size=7 stock=3", ...lines]), inside("OPTION key=game value=whist22"), inside("JOINED seat=1 name=eve bot=0"),
    inside("no line of ours"), inside("@1 OK"), inside("# a comment"), inside('{"ev":"OUT","seat":{},"total":"x"}'), inside("XNEW seat=1"),
    inside("PLAYED seat=9 cards=2C kind=lead left=1"), inside("PLAYED seat=1"), inside("LEFT seat=1 name=ann"), inside("HANDOVER no=1 losers=4 totals=1"),
    inside("ERR code=RATE class=limit"), inside(`DEALT seat=1 n=1 cards=${Array(6_000).fill("2C").join(",")}`),
  ];
  for (const [at, link] of bad.entries()) await refused(link, `${at}`);
});

test("a line with a place in it cannot be packed", () => {
  assert.throws(() => packed([{ line: "OUT seat=1 total={0}", closed: "" }]), BrokenLink);
  assert.equal(packed(TOLD).includes("{0:n}"), true);
});
