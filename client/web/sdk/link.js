/**
 * A conversation over one connection after another: connects, comes back after a lost connection,
 * and notices a server that has gone silent.
 * @module
 */

/** @typedef {import("./conversation.js").Conversation} Conversation */

/**
 * An open connection.
 * @typedef {object} Wire
 * @property {(lines: string[]) => void} send
 * @property {() => void} close hangs up at once; `closed` of the ear is not called any more
 */
/**
 * Hears a connection: `opened` once, then `heard` with whole lines, and `closed` at its end.
 * @typedef {object} Ear
 * @property {() => void} opened
 * @property {(lines: string[]) => void} heard
 * @property {(why?: Error) => void} closed with the reason, if it could not be made
 */
/**
 * Begins a connection to an address. Throws for an address of another kind.
 * @typedef {(address: string, ear: Ear) => Wire} Connector
 */

/** The pauses and patience of a connection, all in milliseconds. */
export const TIMING = {
  /** For making a connection. */
  connect: 30_000,
  /** Until the server's first line. */
  greeting: 15_000,
  /** Of silence, after which the server is asked for a sign of life. */
  quiet: 45_000,
  /** Until it answers; otherwise the connection counts as lost. */
  answer: 15_000,
  /** The same, where there is reason to doubt: the page is seen again, the network is back. */
  doubt: 5_000,
  /** The pause before the next connection, at most; it doubles with every failure in a row. */
  first: 1_000,
  /** The longest such pause. A standby takes over after ten seconds: a longer one would miss that. */
  longest: 5_000,
};

/** @typedef {typeof TIMING} Timing */

/**
 * The time that passes, in milliseconds, and the chance in the pauses. `after` acts once after a
 * time, and returns a function that prevents it.
 * @typedef {object} Clock
 * @property {() => number} now
 * @property {(ms: number, act: () => void) => () => void} after
 * @property {() => number} random from 0 to 1
 */

/** The clock and the chance of this machine. @type {Clock} */
export const CLOCK = {
  now: () => performance.now(),
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

/** Chance takes up to this part of a pause away, so that not all clients come back at once. */
const JITTER = 0.5;
/** A timer that is late by so many milliseconds: this program was asleep. */
const ASLEEP = 3_000;

/**
 * @typedef {object} LinkOptions
 * @property {string} address
 * @property {Connector} connector
 * @property {Conversation} conversation
 * @property {Partial<Timing>} [timing]
 * @property {Clock} [clock]
 * @property {boolean} [patient] goes on even if the first connections fail
 * @property {() => void} changed the conversation or the link is in another state
 * @property {(why?: Error) => void} ended no connection will be made any more
 */

/** The connections of one conversation. */
export class Link {
  /** @param {LinkOptions} options */
  constructor(options) {
    this.#options = options;
    this.#timing = { ...TIMING, ...options.timing };
    this.#clock = options.clock ?? CLOCK;
    this.#useful = options.patient ?? false;
  }

  /** When the next connection will be made, by `clock.now()`; 0 if none waits. */
  retryAt = 0;

  #options;
  #timing;
  #clock;
  /** @type {Wire | undefined} */
  #wire = undefined;
  /** Prevents what is to happen next. */
  #cancel = () => {};
  /** @type {Set<() => void>} prevent what ends with the connection */
  #later = new Set();
  /** An address that the server has sent us to; an empty one is none. */
  #to = "";
  #failures = 0;
  /** This connection has got as far as the name. */
  #named = false;
  /** One of the connections has, or shall be waited for. */
  #useful;
  /** A sign of life is asked for. */
  #asked = false;
  #stopped = false;

  /** Connects. */
  start() {
    const { connector, address } = this.#options;
    this.retryAt = 0;
    this.#named = this.#asked = false;
    /** @type {Wire | undefined} */
    let wire;
    /** @template {unknown[]} A @param {(...words: A) => void} act @returns {(...words: A) => void} */
    const ifOpen = (act) => (...words) => {
      if (this.#wire !== undefined && this.#wire === wire) act(...words);
    };
    try {
      wire = connector(redirected(address, this.#to), {
        opened: ifOpen(() => this.#opened()),
        heard: ifOpen((lines) => this.#heard(lines)),
        closed: ifOpen((why) => this.#lost(why)),
      });
    } catch (error) {
      this.#end(/** @type {Error} */ (error));
      return;
    }
    this.#wire = wire;
    this.#await(this.#timing.connect, () => this.#lost());
  }

  /** Sends what the conversation has to send. */
  flush() {
    const lines = this.#wire ? this.#options.conversation.outgoing() : [];
    if (lines.length) this.#wire?.send(lines);
    this.#options.changed();
  }

  /**
   * Acts after a time, if the connection is still the same.
   * @param {number} ms
   * @param {() => void} act
   */
  later(ms, act) {
    const cancel = this.#clock.after(ms, () => {
      this.#later.delete(cancel);
      act();
      this.flush();
    });
    this.#later.add(cancel);
  }

  /**
   * Asks the server for a sign of life now, or connects at once instead of later. For a page that
   * is seen again, or a device that has a network again.
   */
  check() {
    if (this.retryAt) this.#connectAgain();
    else if (this.#options.conversation.state === "here") this.#probe(this.#timing.doubt);
  }

  /** Hangs up, and makes no connection any more. */
  stop() {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#hangUp();
    this.#end();
  }

  // ----------------------------------------------------------------------- one connection

  #opened() {
    this.#await(this.#timing.greeting, () => this.#lost());
    this.#options.conversation.connected();
    this.flush();
  }

  /** @param {string[]} lines */
  #heard(lines) {
    const { conversation } = this.#options;
    this.#asked = false;
    this.#await(this.#timing.quiet, () => this.#probe());
    for (const line of lines) conversation.hear(line);
    this.#named ||= conversation.state === "here";
    this.#useful ||= this.#named;
    this.flush();
    if (conversation.state === "leaving" || conversation.state === "over") this.#lost();
  }

  /** Asks for a sign of life. Half of a connection can be gone without anybody being told. */
  #probe(patience = this.#timing.answer) {
    if (this.#asked) return;
    this.#asked = true;
    this.#options.conversation.probe();
    this.flush();
    this.#await(patience, (late) => {
      this.#asked = false;
      // After a sleep the answer may be there, and unread.
      if (late) this.#probe();
      else this.#lost();
    });
  }

  /** @param {Error} [why] */
  #lost(why) {
    const { conversation } = this.#options;
    const { bye, wait } = conversation;
    this.#hangUp();
    conversation.lost();
    const moved = bye?.to ?? "";
    // An address that did not work is not tried again.
    this.#to = moved || (this.#named ? this.#to : "");
    this.#failures = this.#named ? 0 : this.#failures + 1;
    const atLeast = Math.max(bye?.wait ?? 0, wait);
    if (conversation.state === "over") this.#end();
    else if (this.#useful || moved || atLeast) this.#pause(atLeast);
    else this.#end(why ?? new Error("the server hung up before it answered"));
  }

  #hangUp() {
    const wire = this.#wire;
    this.#wire = undefined;
    this.#cancel();
    for (const cancel of this.#later) cancel();
    this.#later.clear();
    wire?.close();
  }

  /** @param {number} ms @param {(late: boolean) => void} act There is one such timer at a time. */
  #await(ms, act) {
    this.#cancel();
    const due = this.#clock.now() + ms;
    this.#cancel = this.#clock.after(ms, () => act(this.#clock.now() > due + ASLEEP));
  }

  // --------------------------------------------------------------------------- coming back

  /** @param {number} atLeast milliseconds */
  #pause(atLeast) {
    const { first, longest } = this.#timing;
    const usual = Math.min(longest, first * 2 ** Math.min(this.#failures, 30));
    const pause = Math.max(atLeast, usual * (1 - JITTER * this.#clock.random()));
    this.retryAt = this.#clock.now() + pause;
    this.#await(pause, () => this.#connectAgain());
    this.#options.changed();
  }

  #connectAgain() {
    this.#cancel();
    this.start();
    this.#options.changed();
  }

  /** @param {Error} [why] */
  #end(why) {
    this.retryAt = 0;
    this.#options.ended(why);
    this.#options.changed();
  }
}

/**
 * The address to which a server sends its clients, `HOST:PORT`, in the form of the address before.
 * @param {string} address
 * @param {string} to nothing: the address before
 */
export function redirected(address, to) {
  if (!to || address.startsWith("unix:")) return to || address;
  const [, scheme, path] = /^([a-z]+:\/\/)?[^/]*(.*)$/.exec(address) ?? [];
  return `${scheme ?? ""}${to}${path ?? ""}`;
}
