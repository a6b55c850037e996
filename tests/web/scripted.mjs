/** A clock and a server of the test's own: nothing waits, and nothing goes over a network. */

import "../../client/web/sdk/node.js"; // WebCrypto, which Node 18 has only as a module
import { Server } from "../../client/web/sdk/server.js";

/** A clock that only the test moves. */
export class FakeClock {
  time = 0;
  chance = 0;
  /** @type {Set<{ at: number, act: () => void }>} */
  #waiting = new Set();

  now = () => this.time;
  random = () => this.chance;

  /** @param {number} ms @param {() => void} act */
  after = (ms, act) => {
    const entry = { at: this.time + ms, act };
    this.#waiting.add(entry);
    return () => {
      this.#waiting.delete(entry);
    };
  };

  /** The milliseconds until something happens. */
  get next() {
    return Math.min(...[...this.#waiting].map(({ at }) => at)) - this.time;
  }

  /** @param {number} ms */
  async advance(ms) {
    const end = this.time + ms;
    for (;;) {
      const [first] = [...this.#waiting].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!first) break;
      this.time = Math.max(this.time, first.at);
      this.#waiting.delete(first);
      first.act();
      await settled();
    }
    this.time = end;
  }

  /** The machine sleeps: time passes, and nothing happens before the end. @param {number} ms */
  async sleep(ms) {
    this.time += ms;
    await this.advance(0);
  }
}

/** Waits until every promise is settled that can be. */
export const settled = () => new Promise((resolve) => setImmediate(resolve));

/** One connection, on the side of the server. */
export class Peer {
  /** @param {string} address @param {import("../../client/web/sdk/link.js").Ear} ear */
  constructor(address, ear) {
    this.address = address;
    this.ear = ear;
  }

  /** @type {string[]} what the client has sent */
  heard = [];
  closed = false;

  /** The connection is made. */
  async open() {
    this.ear.opened();
    await settled();
  }

  /** @param {...string} lines */
  async send(...lines) {
    this.ear.heard(lines);
    await settled();
  }

  async drop() {
    this.ear.closed();
    await settled();
  }

  /** The id of the last command with this verb. @param {string} verb */
  id(verb) {
    const line = this.heard.filter((each) => each.split(" ")[1] === verb).at(-1);
    if (!line) throw new Error(`no ${verb} in ${this.heard.join(" | ")}`);
    return line.split(" ")[0];
  }

  /** Answers the last command with this verb. @param {string} verb @param {string} end */
  answer(verb, end = "OK") {
    return this.send(`${this.id(verb)} ${end}`);
  }

  /** The usual beginning; the rows come before the answer to `resume`. @param {...string} rows */
  async welcome(...rows) {
    await this.open();
    await this.send("# hello", `${this.id("hello")} OK proto=1 boot=k3f9 maxin=1024 caps=`);
    const verb = this.heard.some((line) => line.split(" ")[1] === "resume") ? "resume" : "guest";
    const id = this.id(verb);
    const named = `${id} OK name=~robin token=T${++tokens} grace=120000`;
    await this.send(...rows.map((row) => row.replace("@", id)), named);
  }
}

let tokens = 0;

/** A world with one client. */
export class World {
  clock = new FakeClock();
  /** @type {Peer[]} */
  peers = [];
  failing = false;

  /** @param {object} [options] */
  constructor(options = {}) {
    const all = { name: "robin", clock: this.clock, ...options };
    this.server = new Server("tcp://one:2222", (address, ear) => this.#connect(address, ear), all);
    this.entered = this.server.enter();
    this.entered.catch(() => {});
  }

  /** @param {string} address @param {import("../../client/web/sdk/link.js").Ear} ear */
  #connect(address, ear) {
    const peer = new Peer(address, ear);
    this.peers.push(peer);
    if (this.failing) setImmediate(() => ear.closed(new Error("refused")));
    return {
      send: (/** @type {string[]} */ lines) => peer.heard.push(...lines),
      close: () => {
        peer.closed = true;
      },
    };
  }

  /** The newest connection. */
  get peer() {
    return /** @type {Peer} */ (this.peers.at(-1));
  }

  /** A world in which the client has a name. @param {object} [options] */
  static async withName(options) {
    const world = new World(options);
    await world.peer.welcome();
    await world.entered;
    return world;
  }

  /** Sits at t1 in the middle of nothing. */
  async sit() {
    const sitting = this.server.practice();
    await settled();
    await this.peer.answer("practice", "OK on=t1 seat=1 seq=1 talk=k1");
    await this.peer.send("JOINED on=t1 seq=1 seat=1 name=~robin bot=0");
    return sitting;
  }
}
