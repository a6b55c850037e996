/**
 * The streams of one person: the position in each, and the model of each table.
 *
 * An event is taken if it has the next number of its stream. A lower number is a repetition. A
 * higher one means that events are missing; they are asked for. The name of a stream does not tell
 * its kind: the server announces the tables, and a game that is told again is known from its
 * request.
 * @module
 */

import { TableModel } from "./model.js";

/** @typedef {import("./words.js").Event} Event */
/** @typedef {import("./words.js").AtRow} AtRow */
/** @typedef {import("./lines.js").Message} Message */

/** The streams that anybody may follow. */
export const FOLLOWED = ["lobby", "tables", "people"];
/** The streams with the same name on every server. */
const LASTING = ["me", ...FOLLOWED];

/** The positions, the models, and the requests for what is missing. */
export class Streams {
  /** @param {(line: string) => void} ask sends a command of our own */
  constructor(ask) {
    this.#ask = ask;
  }

  #ask;
  /** @type {Map<string, number>} the last number of each stream */
  seqs = new Map();
  /** @type {Map<string, TableModel>} */
  tables = new Map();
  /** @type {Map<string, string>} the table of each stream of watchers' talk */
  talks = new Map();
  /** The streams whose missing events have been asked for; later ones will be sent again. */
  behind = /** @type {Set<string>} */ (new Set());
  /** We look for others to play with, and may get a seat at any table. */
  seeking = false;
  /**
   * The events, by number, of the tables whose past somebody wants to have again.
   * @type {Map<string, Map<number, Event>>}
   */
  recalled = new Map();
  /** The tables without a model, to be asked for on the next connection. */
  #unseen = /** @type {Set<string>} */ (new Set());
  #named = /** @type {Set<string>} */ (new Set());
  #toldAgain = /** @type {Set<string>} */ (new Set());

  /** True if there is a table to come back to. */
  get seated() {
    return this.#unseen.size > 0 || this.tables.size > 0;
  }

  /** @param {string} on True for a table, even one that we have left. */
  isTable(on) {
    return this.#named.has(on);
  }

  /** @param {string} on True for a game that is told again: an export, a replay. */
  isToldAgain(on) {
    return this.#toldAgain.has(on);
  }

  // ------------------------------------------------------------------------ what streams are

  /**
   * Notes that a stream is a table's, and asks for its events that were dropped before.
   * @param {string} on
   */
  nameTable(on) {
    if (this.#name(on)) this.catchUp(on);
  }

  /** @param {string} on True if earlier events of this table were dropped. */
  #name(on) {
    if (this.#named.has(on)) return false;
    this.#named.add(on);
    this.#toldAgain.delete(on);
    return this.seqs.delete(on);
  }

  /**
   * We have a seat at a table; its events follow.
   * @param {string} on
   * @param {number} seat
   */
  sit(on, seat) {
    this.tables.set(on, new TableModel(on, seat));
  }

  /** @param {string} on */
  nameToldAgain(on) {
    if (!this.#named.has(on)) this.#toldAgain.add(on);
  }

  /** @param {string | undefined} talk @param {string} on */
  nameTalk(talk, on) {
    if (talk !== undefined) this.talks.set(talk, on);
  }

  /**
   * An event of a table has come, whose stream may be unknown: the table of a seek, or a log.
   * @param {string} on
   * @param {number} seq
   */
  meet(on, seq) {
    const known = LASTING.includes(on) || this.talks.has(on) || this.#named.has(on);
    if (known || this.#toldAgain.has(on)) return;
    if (seq === (this.seqs.get(on) ?? 0) + 1 && !this.seeking) this.#toldAgain.add(on);
    else this.nameTable(on);
  }

  // ------------------------------------------------------------------------------- positions

  /**
   * How a number fits its stream: the next one, an old one, or one after a gap.
   * @param {string} on
   * @param {number} seq
   */
  arrival(on, seq) {
    const have = this.seqs.get(on);
    if (this.#toldAgain.has(on) && seq === 1) return "next";
    // A table needs its events from the first; other streams begin anywhere.
    if (have === undefined) return seq === 1 || !this.#named.has(on) ? "next" : "ahead";
    if (seq <= have) return "old";
    return seq === have + 1 || this.#toldAgain.has(on) ? "next" : "ahead";
  }

  /**
   * The server has left out the events up to this number on purpose.
   * @param {string} on
   * @param {number} seq
   */
  skip(on, seq) {
    if (seq <= (this.seqs.get(on) ?? 0)) return;
    if (this.#named.has(on)) this.distrust(on);
    else this.seqs.set(on, seq);
  }

  /**
   * Takes the next event, null for one that this version does not know. Returns the model of its
   * table. Errors of the model are thrown; then it is of no more use.
   * @param {string} on
   * @param {number} seq
   * @param {Event | null} event
   * @param {string} name the viewer's
   */
  take(on, seq, event, name) {
    this.seqs.set(on, seq);
    if (!this.#named.has(on)) return null;
    const table = this.tables.get(on) ?? new TableModel(on);
    this.tables.set(on, table);
    table.me = ownSeat(event, name) ?? table.me;
    if (event) table.see(event, seq);
    table.seq = seq;
    // After our LEFT the server may give us the seat in a later event of the same table.
    if (event?.ev === "SHUT" || (event?.ev === "LEFT" && event.name === name)) this.forget(on);
    return table;
  }

  /**
   * A row AT says where a stream is. False if the stream is gone.
   * @param {AtRow} at
   */
  stands({ on, seq, code, talk }) {
    this.nameTalk(talk, on);
    const other = LASTING.includes(on) || this.talks.has(on) || this.seqs.has(on);
    if (talk !== undefined || !other) this.#name(on);
    if (!this.#named.has(on)) {
      if (seq !== undefined) this.seqs.set(on, seq);
      return true;
    }
    if (code !== undefined && code !== "BAD_SEQ" && code !== "GONE") {
      this.forget(on);
      return false;
    }
    if (code !== undefined) this.forget(on);
    if ((this.seqs.get(on) ?? -1) < (seq ?? 0)) this.#unseen.add(on);
    return true;
  }

  /** @param {string} on */
  forget(on) {
    for (const each of [this.tables, this.seqs, this.behind]) each.delete(on);
  }

  /**
   * Forgets all streams of a person.
   * @param {{ me?: boolean, tables?: boolean }} keep `me`: the stream of messages begins anew;
   *   `tables`: asks for those that we know after the login
   */
  beginAnew({ me = false, tables = false } = {}) {
    const known = tables ? [...this.#named].filter((on) => this.seqs.has(on)) : [];
    this.seqs = new Map(me ? [["me", 0]] : []);
    this.tables.clear();
    this.talks.clear();
    this.behind.clear();
    this.#named.clear();
    this.#toldAgain.clear();
    this.#unseen = new Set(known);
    this.seeking = false;
  }

  /** The connection is lost: what was asked for does not come. */
  lost() {
    for (const on of this.behind) if (this.#named.has(on) && !this.seqs.has(on)) this.#unseen.add(on);
    this.behind.clear();
  }

  // --------------------------------------------------------------------------- what is missing

  /** Asks for the tables without a model, on a new connection. */
  goOn() {
    for (const on of this.#unseen) this.catchUp(on);
    this.#unseen.clear();
  }

  /** @param {string} on */
  catchUp(on) {
    this.behind.add(on);
    const have = this.seqs.get(on);
    this.#ask(have === undefined ? `state ${on}` : `sync ${on} from=${have}`);
  }

  /**
   * The model of a table is wrong: asks for a snapshot.
   * @param {string} on
   */
  distrust(on) {
    if (!this.#named.has(on)) return;
    this.forget(on);
    this.catchUp(on);
  }

  /**
   * The end of the reply to a `sync` of ours.
   * @param {string} on
   * @param {string} line
   * @param {{ seq?: number, more?: boolean }} ok
   */
  synced(on, line, { seq = 0, more }) {
    if (!this.behind.delete(on)) return;
    const known = this.seqs.get(on) ?? 0;
    // If the events that were sent did not close the gap, only a snapshot helps.
    if (seq > known || (more && line === `sync ${on} from=${known}`)) this.distrust(on);
    else if (more) this.catchUp(on);
  }

  /**
   * Replaces the model of a table by the snapshot in a reply; null if there is none.
   * @param {Message[]} rows
   */
  adopt(rows) {
    const table = TableModel.fromRows(rows);
    if (table === null) return null;
    const { on } = table;
    this.#name(on);
    this.behind.delete(on);
    const talk = rows.find((row) => row.ev === "STATE")?.talk;
    this.nameTalk(/** @type {string | undefined} */ (talk), on);
    this.tables.set(on, table);
    this.seqs.set(on, table.seq);
    return table;
  }

  /**
   * Closes a question that we have answered, before the event of the move comes.
   * @param {string} on
   * @param {number | undefined} turn
   */
  answered(on, turn) {
    const table = this.tables.get(on);
    const question = table?.question;
    if (table && question?.turn === turn) {
      table.standing = table.standing.filter((each) => each !== question);
    }
  }
}

/**
 * The viewer's seat, if an event shows it. The viewer may have had another name then.
 * @param {Event | null} event
 * @param {string} name
 */
function ownSeat(event, name) {
  if (event?.ev === "DEALT") return event.cards && event.seat;
  const moved = event?.ev === "JOINED" || event?.ev === "SWAPPED" || event?.ev === "RENAMED";
  return moved && event.name === name ? event.seat : undefined;
}
