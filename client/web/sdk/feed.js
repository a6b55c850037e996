/**
 * Events that wait to be read.
 * @module
 */

/** @typedef {import("./words.js").Event} Event */

/** The number of events that are kept: about twenty games of a table. */
const MOST = 10_000;

/**
 * The connection was lost and has been made again. If `complete`, no event was missed. Otherwise
 * events are missing here, and the state of the table includes their effects. A reader that is
 * 10,000 events behind gets this, too.
 */
export class Reconnected {
  /** Never the word of an event, so that `switch (event.ev)` tells them apart. */
  ev = /** @type {const} */ ("reconnected");

  /** @param {boolean} complete */
  constructor(complete) {
    this.complete = complete;
  }
}

/** The events that nobody has read yet, the oldest first. `closed`: no more will come. */
export class Feed {
  /** @param {boolean} [closed] */
  constructor(closed = false) {
    this.closed = closed;
  }

  /** @type {(Event | Reconnected)[]} */
  #waiting = [];
  #read = 0;

  /** True if a reader need not wait. */
  get ready() {
    return this.closed || this.#read < this.#waiting.length;
  }

  /** @param {Event | Reconnected} what */
  put(what) {
    if (this.#waiting.length - this.#read >= MOST) {
      this.#waiting = [new Reconnected(false)];
      this.#read = 0;
    }
    this.#waiting.push(what);
  }

  /** The next event; undefined if there is none. */
  take() {
    const next = this.#waiting[this.#read];
    if (next === undefined) return undefined;
    this.#read += 1;
    if (this.#read === this.#waiting.length) this.clear();
    return next;
  }

  clear() {
    this.#waiting = [];
    this.#read = 0;
  }
}
