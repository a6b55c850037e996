/**
 * A session on a server: sends commands, and waits for replies and for events.
 * @module
 */

import { Conversation } from "./conversation.js";
import { Dismissed, NoAnswer, Refused } from "./errors.js";
import { verbOf, wordsOf } from "./lines.js";
import { CLOCK, Link } from "./link.js";
import { VERBS } from "./words.js";

/** @typedef {import("./words.js").Event} Event */
/** @typedef {import("./words.js").Row} Row */
/** @typedef {import("./words.js").Rows} Rows */
/** @typedef {import("./words.js").Ok} Ok */
/** @typedef {import("./conversation.js").Sent} Sent */
/** @typedef {import("./conversation.js").Identity} Identity */
/** @typedef {import("./conversation.js").Listener} Listener */
/** @typedef {import("./feed.js").Feed} Feed */
/** @typedef {import("./link.js").Connector} Connector */

/** @typedef {{ ok: Ok, rows: (Row | Event)[] }} Reply The OK with its fields, and the rows before it. */

/**
 * @typedef {object} SessionOptions
 * @property {Partial<import("./link.js").Timing>} [timing] in milliseconds
 * @property {boolean} [patient] goes on even if the first connection fails
 * @property {import("./link.js").Clock} [clock] another one than that of this machine
 */

/** A command is repeated so many times after the server has asked to wait. */
const PATIENCE = 5;
/** The milliseconds to wait for the reply to `quit`. */
const LEAVES_WITHIN = 3_000;

/** @typedef {{ resolve: () => void, reject: (why: Error) => void, isTrue: () => unknown }} Waiter */
/** @typedef {{ resolve: (reply: Reply | null) => void, reject: (why: Error) => void }} Asker */

/** One person's session, over any number of connections. */
export class Session {
  /**
   * @param {string} address
   * @param {Connector} connector
   * @param {Identity & SessionOptions} options
   * @param {Pick<Listener, "happened" | "snapshot" | "signedIn" | "checked">} listener
   * @param {() => void} changed something is another one now
   */
  constructor(address, connector, options, listener, changed) {
    this.#changed = changed;
    this.#clock = options.clock ?? CLOCK;
    this.conversation = new Conversation(options, {
      ...listener,
      sessionLost: (_, seated) => {
        if (seated) this.#end(new Dismissed("the seat was not kept for us"));
      },
      replied: (sent, end) => this.#replied(sent, end),
      unanswered: (sent) => this.#askers.get(sent.id)?.resolve(null),
      due: () => this.link.flush(),
      later: (ms, act) => this.link.later(ms, act),
    });
    this.link = new Link({
      address,
      connector,
      conversation: this.conversation,
      timing: options.timing,
      clock: this.#clock,
      patient: options.patient,
      changed: () => this.wake(),
      ended: (why) => this.#linkEnded(why),
    });
  }

  /** @type {Error | undefined} why the session has ended */
  ended = undefined;
  #leaving = false;
  /** @type {Refused | undefined} the last refusal of our name */
  #putOff = undefined;
  #changed;
  #clock;
  /** @type {Map<string, Asker>} by the id of the command */
  #askers = new Map();
  /** @type {Set<Waiter>} */
  #waiters = new Set();

  /** The milliseconds of a clock that only goes forward. */
  get now() {
    return this.#clock.now();
  }

  /** True if commands can be sent. */
  get here() {
    return this.ended === undefined && this.conversation.state === "here";
  }

  // ------------------------------------------------------------------------ coming and going

  /** Connects, logs in, and learns of the tables where we are. */
  async enter() {
    this.link.start();
    await this.until(() => this.here && !this.conversation.streams.behind.size);
  }

  /** Sends `quit` if there is a connection, and closes it. */
  async leave() {
    const left = new Dismissed("you have left", "QUIT");
    this.#leaving = true;
    if (this.here) {
      const cancel = this.#clock.after(LEAVES_WITHIN, () => this.#end(left));
      await this.command("quit").catch(() => {});
      cancel();
    }
    this.#end(left);
  }

  /** @param {Error} [why] */
  #linkEnded(why) {
    const { bye, trouble } = this.conversation;
    const dismissed = new Dismissed(bye?.text ?? (trouble || "the server has hung up"), bye?.code);
    this.#end((why && this.#putOff) ?? why ?? dismissed);
  }

  /** @param {Error} why */
  #end(why) {
    this.ended ??= why;
    this.link.stop();
    for (const asker of this.#askers.values()) asker.reject(this.ended);
    this.wake();
  }

  // -------------------------------------------------------------------------------- commands

  /**
   * @param {string} line
   * @returns {Promise<Reply>}
   */
  async command(line) {
    for (;;) {
      const reply = await this.reply(() => this.conversation.say(line));
      if (reply) return reply;
      if (!VERBS[verbOf(line)]?.again) throw new NoAnswer(line);
    }
  }

  /**
   * @template {keyof Rows} W
   * @param {W} word
   * @param {string} line
   * @returns {Promise<Rows[W][]>}
   */
  async listing(word, line) {
    const onePage = wordsOf(line).some((each) => /^(n|after)=/.test(each));
    const found = [];
    let after = "";
    for (;;) {
      const { ok, rows } = await this.command(line + after);
      found.push(...rows.filter((row) => row.ev === word));
      if (onePage || ok.next === undefined) return /** @type {Rows[W][]} */ (found);
      after = ` after=${ok.next}`;
    }
  }

  /**
   * Says a command as soon as there is a connection, and waits for the reply; null if the connection
   * was lost before it. If the server asks to wait, the command is said again after that time.
   * @param {() => Sent} say
   * @returns {Promise<Reply | null>}
   */
  async reply(say) {
    for (let attempt = 0; ; attempt++) {
      // The connection may be lost again before this goes on.
      while (!this.here) await this.until(() => this.here);
      try {
        return await this.#answer(say());
      } catch (error) {
        const wait = error instanceof Refused ? error.fields.wait : undefined;
        if (wait === undefined || attempt >= PATIENCE) throw error;
        await new Promise((/** @type {(nothing: void) => void} */ resolve) => {
          this.#clock.after(wait, resolve);
        });
      }
    }
  }

  /** @param {Sent} sent @returns {Promise<Reply | null>} */
  async #answer(sent) {
    try {
      return await new Promise((resolve, reject) => {
        this.#askers.set(sent.id, { resolve, reject });
        this.link.flush();
      });
    } finally {
      this.#askers.delete(sent.id);
    }
  }

  /** @type {Listener["replied"]} */
  #replied(sent, end) {
    const asker = sent && this.#askers.get(sent.id);
    if (end.ev === "OK") {
      asker?.resolve({ ok: end, rows: /** @type {never[]} */ (sent?.rows) });
    } else if (asker) {
      asker.reject(new Refused(end));
    } else {
      // Nobody waits for the reply to the login. Its refusal ends the session, or puts it off.
      this.#putOff = new Refused(end);
      if (["nameless", "over"].includes(this.conversation.state)) this.#end(this.#putOff);
    }
  }

  // --------------------------------------------------------------------------------- waiting

  /**
   * Waits until something is true, which is looked at after every line that changes anything.
   * @param {() => unknown} isTrue
   * @returns {Promise<void>}
   */
  async until(isTrue) {
    if (isTrue()) return;
    if (this.ended) throw this.ended;
    await new Promise((/** @type {(nothing: void) => void} */ resolve, reject) => {
      this.#waiters.add({ isTrue, resolve, reject });
    });
  }

  /**
   * Waits until there is a connection, and nothing of a stream is missing.
   * @param {string} on
   */
  caughtUp(on) {
    return this.until(() => this.here && !this.conversation.streams.behind.has(on));
  }

  /**
   * The next event of a feed; done after the last one.
   * @param {Feed} feed
   * @returns {Promise<IteratorResult<Event | import("./feed.js").Reconnected, undefined>>}
   */
  async nextOf(feed) {
    await this.until(() => feed.ready || this.#leaving);
    const value = feed.take();
    return value === undefined ? { done: true, value } : { done: false, value };
  }

  /** Looks at everything that somebody waits for. */
  wake() {
    for (const waiter of this.#waiters) {
      try {
        if (waiter.isTrue()) waiter.resolve();
        else if (this.ended) waiter.reject(this.ended);
        else continue;
      } catch (error) {
        waiter.reject(/** @type {Error} */ (error)); // of the caller's own condition
      }
      this.#waiters.delete(waiter);
    }
    this.#changed();
  }
}
