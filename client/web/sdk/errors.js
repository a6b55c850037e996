/**
 * The errors of the SDK, besides that of a connection that cannot be made.
 * @module
 */

/** The server refused a command, which has changed nothing. */
export class Refused extends Error {
  /** @param {import("./words.js").Err} err */
  constructor(err) {
    const { ev, re, code, text = "", class: kind, ...fields } = err;
    super(`${code}: ${text}`);
    this.name = "Refused";
    /** The code of the error, whose meaning never changes. */
    this.code = code;
    /** The class of the code, which tells how to react to a code that you do not know. */
    this.kind = kind;
    /** The other fields: `arg`, `reason`, `wait` (milliseconds)... */
    this.fields = fields;
    /** For people. */
    this.text = text;
  }
}

/**
 * The connection was lost before the reply; the command may have been carried out. Queries, moves
 * and all other commands that may be repeated never end like this.
 */
export class NoAnswer extends Error {
  /** @param {string} line */
  constructor(line) {
    super(`the connection was lost before the answer to ${line}`);
    this.name = "NoAnswer";
    /** The command. */
    this.line = line;
  }
}

/** The session has ended for good; the message says why. */
export class Dismissed extends Error {
  /** @param {string} text @param {string} [code] */
  constructor(text, code = "") {
    super(text);
    this.name = "Dismissed";
    /** That of the server's BYE (`KICKED`, `REPLACED`...); empty if there was none. */
    this.code = code;
  }
}
