/**
 * A server for programs: its tables, its messages, and every command.
 * @module
 */

import { Feed, Reconnected } from "./feed.js";
import { command } from "./lines.js";
import { TableModel } from "./model.js";
import { Session } from "./session.js";
import { Table } from "./table.js";

/** @typedef {import("./words.js").Event} Event */
/** @typedef {import("./words.js").Rows} Rows */
/** @typedef {import("./session.js").Reply} Reply */
/** @typedef {import("./link.js").Connector} Connector */
/** @typedef {import("./conversation.js").Identity & import("./session.js").SessionOptions} ServerOptions */
/**
 * The arguments of a command, by name. What the command does not take is an option of the game.
 * @typedef {Record<string, string | number | boolean | undefined>} Args
 */

/**
 * Your session on a server; `connect` makes it. `for await (const event of server)` gives the events
 * outside your tables: messages to you, invitations, and the lobby if you follow it.
 */
export class Server {
  /**
   * @param {string} address
   * @param {Connector} connector
   * @param {ServerOptions} options
   */
  constructor(address, connector, options) {
    this.#session = new Session(
      address,
      connector,
      options,
      {
        happened: (event, on) => this.#happened(event, on),
        snapshot: (table) => this.#takenAnew(table.on),
        signedIn: (resumed) => this.#signedIn(resumed),
        checked: (on, verdict) => this.#checked(on, verdict),
      },
      () => this.#changed(),
    );
  }

  #session;
  #feed = new Feed();
  /** @type {Map<string, Table>} */
  #tables = new Map();
  /** @type {Map<string, Event[]>} the events of games that are told again */
  #exports = new Map();
  /** @type {Set<() => void>} */
  #subscribers = new Set();
  #entered = false;
  /** The subscribers know of all changes. */
  #told = true;

  /** The name that the server gave: `~robin`. */
  get name() {
    return this.#session.conversation.name;
  }

  /** The secret that takes the session up again: `connect(..., { token })`. It changes. */
  get token() {
    return this.#session.conversation.token;
  }

  /** The tables where you sit or watch, by name. @returns {ReadonlyMap<string, Table>} */
  get tables() {
    return this.#tables;
  }

  /** True if there is a connection. */
  get here() {
    return this.#session.here;
  }

  /** When the next connection will be tried, as a time of `performance.now()`; 0 if none waits. */
  get retryAt() {
    return this.#session.link.retryAt;
  }

  /** Why the session has ended for good; undefined before that. */
  get ended() {
    return this.#session.ended;
  }

  /** @returns {AsyncIterator<Event | Reconnected, undefined, void>} */
  [Symbol.asyncIterator]() {
    return { next: () => this.#session.nextOf(this.#feed) };
  }

  /** Connects and logs in. Throws the error of the connection, `Refused` or `Dismissed`. */
  enter() {
    return this.#session.enter();
  }

  /**
   * Logs in to an account on this connection; a guest keeps seats and games. The password is proved
   * and not sent. Throws `Refused`, or an error if the server does not know the password either.
   * @param {string} name
   * @param {string} password
   */
  async logIn(name, password) {
    const { ScramProof } = await import("./scram.js");
    const proof = new ScramProof(name, password);
    /** @param {string} words @returns {Promise<string>} the server's message */
    const step = async (words) => {
      const { rows } = await this.command(`auth ${words}`);
      return rows.find((row) => row.ev === "MORE")?.data ?? "";
    };
    const last = await step(await proof.answer(await step(proof.first)));
    if (!proof.proves(last)) throw new Error("the server does not know the password");
  }

  /** Leaves the server. A seat in a running game is kept for a while. */
  leave() {
    return this.#session.leave();
  }

  /** Looks at once whether the server still answers, or comes back at once instead of later. */
  check() {
    this.#session.link.check();
  }

  /**
   * Waits until something is true: `until(() => table.fair)`. It is looked at after every line that
   * changes anything.
   * @param {() => unknown} isTrue
   */
  until(isTrue) {
    return this.#session.until(isTrue);
  }

  /**
   * Has a function called after changes of a table or of the connection, once for all that change
   * together. Returns a function that ends this.
   * @param {() => void} listener
   */
  subscribe(listener) {
    this.#subscribers.add(listener);
    return () => {
      this.#subscribers.delete(listener);
    };
  }

  // -------------------------------------------------------------------------------- commands

  /**
   * Sends any command of the protocol, a line without an id. Throws `Refused`, or `NoAnswer`. If the
   * server asks to wait, the command is sent again after that time.
   * @param {string} line
   * @returns {Promise<Reply>}
   */
  command(line) {
    return this.#session.command(line);
  }

  /**
   * The rows of one word in the reply to a query, from all its pages: `listing("TABLE", "tables")`.
   * With `n=` or `after=` only those of that page.
   * @template {keyof Rows} W
   * @param {W} word
   * @param {string} line
   */
  listing(word, line) {
    return this.#session.listing(word, line);
  }

  /**
   * Opens a table of your own against bots: `practice({ bots: 3, level: "steady", seed: 42 })`.
   * @param {Args} [args]
   */
  practice(args) {
    return this.sit(command("practice", "", args));
  }

  /**
   * Opens a table with you as its host: `open({ game: "whist22", private: "kiwi-fox" })`.
   * @param {Args} [args]
   */
  open(args) {
    return this.sit(command("open", "", args));
  }

  /**
   * Sits down at a table, by its name or the word of a private one.
   * @param {string} table
   * @param {Args} [args]
   */
  join(table, args) {
    return this.sit(command("join", table, args));
  }

  /**
   * Watches a table: you see what every spectator sees.
   * @param {string} table
   */
  watch(table) {
    return this.sit(`watch ${table}`);
  }

  /**
   * Sends a command that brings you to a table, and returns the table: `sit("daily whist22")`,
   * `sit("tutorial")`, `sit("accept ann")`.
   * @param {string} line
   */
  async sit(line) {
    const { ok } = await this.command(line);
    const on = ok.on ?? "";
    await this.#session.caughtUp(on);
    const table = this.#tables.get(on) ?? new Table(this.#session, new TableModel(on), true);
    await this.until(() => table.gone || table.state.seq >= (ok.seq ?? 0));
    return table;
  }

  /**
   * Looks for other players, and waits until there are enough: `seek({ players: 3 })`.
   * @param {Args} [args]
   */
  async seek(args) {
    const before = new Set(this.#tables.keys());
    const found = () => [...this.#tables.values()].find((table) => !before.has(table.on));
    await this.command(command("seek", "", args));
    await this.until(found);
    return /** @type {Table} */ (found());
  }

  /** @param {string} name @param {string} text Sends a message to one person. */
  async tell(name, text) {
    await this.command(`tell ${name} :${text}`);
  }

  /** @param {string} text Sends a message to everybody who follows the lobby. */
  async shout(text) {
    await this.command(`shout :${text}`);
  }

  /**
   * All events of a finished game such as `g51`: with every card, or with `{ seat: 2 }` as seat 2
   * saw them; seat 0 is a spectator.
   * @param {string} game
   * @param {Args} [args]
   * @returns {Promise<Event[]>}
   */
  async export(game, args) {
    const on = game.toLowerCase();
    this.#exports.set(on, []);
    try {
      await this.command(command("export", on, args));
      return this.#exports.get(on) ?? [];
    } finally {
      this.#exports.delete(on);
    }
  }

  // --------------------------------------------------------------------------------- hearing

  /** @param {Event} event @param {string} on */
  #happened(event, on) {
    this.#adopt();
    const table = this.#tables.get(this.#session.conversation.streams.talks.get(on) ?? on);
    const told = this.#exports.get(on);
    if (table) table.hear(event);
    // After a lost connection an export begins again.
    else if (told) told.splice((event.seq ?? 1) - 1, Infinity, event);
    else this.#feed.put(event);
    this.#session.wake();
  }

  /** @param {boolean} resumed */
  #signedIn(resumed) {
    if (this.#entered) {
      this.#feed.put(new Reconnected(resumed));
      for (const [on, table] of this.#tables) {
        if (this.#session.conversation.streams.tables.has(on)) table.feed.put(new Reconnected(true));
      }
    }
    this.#entered = true;
  }

  /** @param {string} on */
  #takenAnew(on) {
    const table = this.#tables.get(on);
    if (table?.state.seq) table.feed.put(new Reconnected(false));
    this.#adopt();
  }

  /** @param {string} on @param {import("./shuffle-check.js").Verdict} verdict */
  #checked(on, verdict) {
    const table = this.#tables.get(on);
    if (table) table.fair = verdict;
    this.#session.wake();
  }

  #adopt() {
    for (const [on, model] of this.#session.conversation.streams.tables) {
      const table = this.#tables.get(on);
      if (table) table.state = model;
      else this.#tables.set(on, new Table(this.#session, model));
    }
  }

  #changed() {
    if (this.here) {
      this.#adopt();
      const { tables, behind } = this.#session.conversation.streams;
      for (const [on, table] of this.#tables) {
        if (tables.has(on) || behind.has(on)) continue;
        table.feed.closed = true;
        this.#tables.delete(on);
      }
    }
    if (this.#told) {
      this.#told = false;
      queueMicrotask(() => this.#tell());
    }
  }

  /** Later, and each by itself: a mistake in a page must not lose lines of the server. */
  #tell() {
    this.#told = true;
    for (const listener of this.#subscribers) queueMicrotask(listener);
  }
}
