/**
 * Bytes as lines, whatever the packets in which they arrive. WebSockets need none of this.
 * @module
 */

import { clean } from "./lines.js";

/** The longest line that is read, in bytes with its end. No server needs longer ones. */
export const LONGEST_LINE = 65536;

const [LF, CR, NUL] = [10, 13, 0];

/** A line that cannot be read. */
export class Flaw {
  /** @param {"LINE_TOO_LONG" | "BAD_UTF8"} code */
  constructor(code) {
    this.code = code;
  }
}

/** Splits bytes into lines: LF ends a line, CR LF, or CR NUL; a lone CR does not. */
export class LineBuffer {
  #limit;
  #held = new Uint8Array(0);
  #discarding = false;
  #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #begun = false;

  /** @param {number} [limit] */
  constructor(limit = LONGEST_LINE) {
    this.#limit = limit;
  }

  /**
   * The lines that end in these bytes, in order.
   * @param {Uint8Array} data
   * @returns {(string | Flaw)[]}
   */
  feed(data) {
    const bytes = new Uint8Array(this.#held.length + data.length);
    bytes.set(this.#held);
    bytes.set(data, this.#held.length);
    const lines = [];
    let start = 0;
    for (let at = 0; at < bytes.length; at++) {
      const ends = bytes[at] === LF || (bytes[at] === NUL && at > start && bytes[at - 1] === CR);
      if (!ends) continue;
      const end = at > start && bytes[at - 1] === CR ? at - 1 : at;
      lines.push(this.#line(bytes.subarray(start, end), at + 1 - start));
      start = at + 1;
    }
    this.#held = bytes.slice(start);
    if (this.#held.length > this.#limit) {
      // Of a line that is too long only a last CR is kept, which may be half of its end.
      this.#held = this.#held.at(-1) === CR ? Uint8Array.of(CR) : new Uint8Array(0);
      this.#discarding = true;
    }
    return lines;
  }

  /** @param {Uint8Array} line @param {number} size */
  #line(line, size) {
    const tooLong = this.#discarding || size > this.#limit;
    const first = !this.#begun;
    this.#begun = true;
    this.#discarding = false;
    if (tooLong) return new Flaw("LINE_TOO_LONG");
    try {
      const text = this.#decoder.decode(line);
      return clean(first && text.startsWith("\ufeff") ? text.slice(1) : text);
    } catch {
      return new Flaw("BAD_UTF8");
    }
  }
}
