/**
 * The model of a table: what a viewer knows of it, the fold of its events (SPEC.md, section 22).
 * @module
 */

import { isEvent } from "./lines.js";
import { EVENTS } from "./words.js";

/** @typedef {import("./words.js").Event} Event */
/** @typedef {import("./words.js").Turn} Turn */
/** @typedef {import("./lines.js").Message} Message */

const SCOPES = ["table", "game", "hand", "trick", "turn"];
/** The scopes of the events that a snapshot repeats. */
const STANDING = ["hand", "trick", "turn"];

/** A viewer's knowledge of a seat. */
export class Seat {
  /**
   * @param {string} name empty if the player has left a running game
   * @param {boolean} bot a program plays
   */
  constructor(name, bot) {
    this.name = name;
    this.bot = bot;
    this.ready = false;
    this.here = true;
    /** A bot plays in place of the owner. */
    this.standin = false;
    /** The number of cards held. */
    this.n = 0;
    this.total = 0;
    this.out = false;
    /** @type {number | undefined} 1 for the winner */
    this.place = undefined;
    /** The tricks taken in this hand. */
    this.tricks = 0;
    /** The card points in them. */
    this.points = 0;
    /** @type {string[]} the cards that the viewer sees, and the seat does not */
    this.seen = [];
    /** The word for the next shuffle, or empty. */
    this.word = "";
    /** The hash of a sealed word, or empty. */
    this.sealed = "";
  }
}

/** What the viewer at seat `me` (none: a spectator) knows of a table after the event `seq`. */
export class TableModel {
  /** @param {string} on the stream of the table @param {number} [me] */
  constructor(on, me) {
    this.on = on;
    this.me = me;
    this.seq = 0;
    /** `open`, `starting`, `playing` or `over`. */
    this.phase = "open";
    /** @type {string | undefined} */
    this.host = undefined;
    this.paused = false;
    /** @type {Map<string, string>} */
    this.options = new Map();
    /** @type {import("./words.js").Game | undefined} */
    this.game = undefined;
    /** @type {import("./words.js").Hand | undefined} */
    this.hand = undefined;
    /** @type {import("./words.js").Committed | undefined} what is sealed */
    this.committed = undefined;
    /** @type {string[] | undefined} the words of the shuffles, by seat */
    this.words = undefined;
    /** @type {number | undefined} the number of cards left over */
    this.stock = undefined;
    /** @type {number | undefined} */
    this.trick = undefined;
    /** @type {number | undefined} */
    this.leader = undefined;
    /** @type {string[]} the viewer's cards */
    this.holding = [];
    /** @type {Map<number, Seat>} */
    this.seats = new Map();
    /** @type {Event[]} the events of the hand, the trick and the turn that still stand */
    this.standing = [];
    /**
     * The names of those who want a pause, an abort or a rematch. A snapshot does not have them.
     * @type {Map<string, Set<string>>}
     */
    this.wishes = new Map();
  }

  /** The open question to the viewer: only theirs has a default. Others may be asked, too. */
  get question() {
    return this.turns.find((turn) => turn.default !== undefined);
  }

  /** The open questions, the viewer's own and those of others. */
  get turns() {
    return this.standing.filter(/** @returns {each is Turn} */ (each) => each.ev === "TURN");
  }

  /** A copy that later events do not change. */
  copy() {
    const copy = new TableModel(this.on);
    Object.assign(copy, this, {
      options: new Map(this.options),
      holding: [...this.holding],
      seats: new Map([...this.seats].map(([n, seat]) => [n, Object.assign(new Seat("", false), seat)])),
      standing: [...this.standing],
      wishes: new Map([...this.wishes].map(([what, names]) => [what, new Set(names)])),
    });
    return copy;
  }

  /**
   * Folds the next event.
   * @param {Event} event as it was sent to the viewer
   * @param {number} [seq]
   */
  see(event, seq = event.seq ?? this.seq) {
    this.seq = seq;
    const { scope = "", ends } = EVENTS[event.ev];
    if (ends) {
      const over = SCOPES.slice(SCOPES.indexOf(ends));
      this.standing = this.standing.filter((each) => !over.includes(scopeOf(each)));
    }
    FOLDS[event.ev]?.(this, /** @type {never} */ (event));
    if (STANDING.includes(scope)) this.standing.push(event);
  }

  /**
   * The seat with this number, which has to be there.
   * @param {number} number
   */
  at(number) {
    const seat = this.seats.get(number);
    if (seat === undefined) throw new Error(`there is no seat ${number}`);
    return seat;
  }

  /** @param {number} seat */
  closeQuestion(seat) {
    this.standing = this.standing.filter(
      (each) => scopeOf(each) !== "turn" || !("seat" in each) || each.seat !== seat,
    );
  }

  /** @param {string[]} cards */
  drop(cards) {
    for (const card of cards) {
      // A joker and the Fool are played as a card, and held as themselves.
      const held = this.holding.includes(card) ? card : card[0];
      const at = this.holding.indexOf(held);
      if (at >= 0) this.holding = this.holding.filter((_, index) => index !== at);
    }
  }

  forgetWords() {
    for (const seat of this.seats.values()) seat.word = seat.sealed = "";
  }

  /** @param {string} name */
  forgetWishesOf(name) {
    for (const names of this.wishes.values()) names.delete(name);
  }

  /** Ends the game, with a result or without. */
  finish() {
    this.phase = "over";
    this.paused = false;
    this.wishes.clear();
    for (const [number, seat] of this.seats) if (!seat.name) this.seats.delete(number);
  }

  /**
   * The model in the rows of the answer to `state`; null if they have none.
   * @param {Message[]} rows
   */
  static fromRows(rows) {
    const state = /** @type {import("./words.js").StateRow | undefined} */ (
      /** @type {unknown} */ (rows.find((row) => row.ev === "STATE")));
    if (state === undefined) return null;
    const table = new TableModel(state.on, state.me);
    for (const row of rows) {
      if (row.ev === "SEAT") table.#setSeat(/** @type {never} */ (row));
      else if (row.ev !== "STATE" && isEvent(row) && EVENTS[row.ev].stream === "table") {
        if (scopeOf(row) === "table") FOLDS[row.ev]?.(table, /** @type {never} */ (row));
        else table.standing.push(row);
      }
    }
    table.#set(state);
    return table;
  }

  /** @param {import("./words.js").StateRow} state */
  #set(state) {
    const { seq, phase, host, stock, trick, leader, words } = state;
    Object.assign(this, { seq, phase, host, stock, trick, leader, words });
    this.paused = state.paused ?? false;
    const { game, id, players, version, ruleshash, target, start, sides, hands } = state;
    if (game && id && players && version && ruleshash) {
      this.game = { ev: "GAME", game, id, players, version, ruleshash, target, start, sides, hands };
    }
    const { no, dealer, dealt, undealt } = state;
    if (no && dealer && dealt !== undefined) {
      this.hand = { ev: "HAND", no, dealer, size: dealt, stock: undealt ?? 0 };
    }
  }

  /** @param {import("./words.js").SeatRow} row */
  #setSeat({ ev, re, seat: number, cards, name, bot, ...facts }) {
    this.seats.set(number, Object.assign(new Seat(name, bot), facts));
    if (cards !== undefined) this.holding = cards;
  }
}

/** @param {Event} event */
const scopeOf = (event) => EVENTS[event.ev].scope ?? "";

/**
 * The effect of each event on the model; an event that is not here changes nothing.
 * @type {{ [E in Event as E["ev"]]?: (table: TableModel, event: E) => void }}
 */
const FOLDS = {
  OPTION(table, { key, value, text }) {
    table.options.set(key, value ?? text ?? "");
  },
  HOST(table, { name }) {
    table.host = name;
  },
  JOINED(table, { seat: number, name, bot }) {
    const seat = new Seat(name, bot);
    const before = table.seats.get(number);
    if (before) {
      const { n, total, out, seen, tricks, points } = before;
      Object.assign(seat, { n, total, out, seen, tricks, points });
    }
    table.seats.set(number, seat);
  },
  LEFT(table, { seat: number }) {
    const seat = table.seats.get(number);
    if (seat) table.forgetWishesOf(seat.name);
    if (table.phase === "playing") table.at(number).name = "";
    else table.seats.delete(number);
  },
  SWAPPED(table, { seat: number, name, former }) {
    const there = table.seats.get(number);
    // Two events report that two players change places; the first moves both.
    if (there?.name === name) return;
    table.seats.set(number, table.at(former));
    if (there) table.seats.set(former, there);
    else table.seats.delete(former);
  },
  RENAMED(table, { name, was }) {
    for (const seat of table.seats.values()) if (seat.name === was) seat.name = name;
    if (table.host === was) table.host = name;
    for (const names of table.wishes.values()) if (names.delete(was)) names.add(name);
  },
  READY(table, { seat, ready }) {
    table.at(seat).ready = ready;
    if (!ready) table.forgetWishesOf(table.at(seat).name);
  },
  PRESENCE(table, { seat, here, bot }) {
    Object.assign(table.at(seat), { here, standin: bot ?? false });
  },
  COMMITTED(table, event) {
    table.committed = event;
    table.forgetWords();
  },
  SEEDED(table, { seat, word, hash }) {
    Object.assign(table.at(seat), { word: word ?? "", sealed: hash ?? "" });
  },
  UNSEAL(table) {
    table.phase = "starting";
  },
  CALLEDOFF(table) {
    table.phase = table.game ? "over" : "open";
    table.forgetWords();
  },
  GAME(table, event) {
    table.phase = "playing";
    table.game = event;
    table.paused = false;
    table.words = table.hand = table.stock = table.trick = table.leader = undefined;
    table.holding = [];
    table.wishes.clear();
    table.forgetWords();
    for (const seat of table.seats.values()) {
      Object.assign(seat, { n: 0, tricks: 0, points: 0, seen: [], total: event.start ?? 0 });
      Object.assign(seat, { ready: false, out: false, place: undefined });
    }
  },
  SHUFFLED(table, { words }) {
    table.words = words;
  },
  HAND(table, event) {
    table.hand = event;
    table.stock = event.stock;
    table.trick = table.leader = undefined;
    table.holding = [];
    for (const seat of table.seats.values()) {
      Object.assign(seat, { n: 0, tricks: 0, points: 0, seen: [] });
    }
  },
  DEALT(table, { seat: number, n, cards, seen }) {
    const seat = table.at(number);
    // In a second round of the deal the cards come from the stock.
    if (seat.n && table.stock !== undefined) table.stock -= n;
    seat.n += n;
    if (cards) table.holding = [...table.holding, ...cards];
    if (seen) seat.seen = [...seat.seen, ...seen];
  },
  REDEALT(table) {
    table.holding = [];
    table.stock = undefined;
    for (const seat of table.seats.values()) seat.n = 0;
  },
  TURN(table, { seat }) {
    table.closeQuestion(seat);
  },
  ANSWERED(table, { seat }) {
    table.closeQuestion(seat);
  },
  EXCHANGED(table, { n, gave, got }) {
    table.stock = (table.stock ?? 0) - n;
    if (gave && got) {
      table.drop(gave);
      table.holding = [...table.holding, ...got];
    }
  },
  TRICK(table, { trick, seat }) {
    table.trick = trick;
    table.leader = seat;
  },
  PLAYED(table, { seat: number, cards, left }) {
    Object.assign(table.at(number), { n: left, seen: [] });
    if (number === table.me) table.drop(cards);
  },
  TOOK(table, { seat: number, points }) {
    const seat = table.at(number);
    seat.tricks += 1;
    seat.points += points ?? 0;
  },
  SHOWN(table, { seat }) {
    table.at(seat).n = 0;
    if (seat === table.me) table.holding = [];
  },
  SCORED(table, { seat, side, total }) {
    for (const each of side ?? [seat]) if (each !== undefined) table.at(each).total = total;
  },
  OUT(table, { seat }) {
    table.at(seat).out = true;
  },
  RESULT(table, { seat, place }) {
    table.at(seat).place = place;
  },
  VOTE(table, { what, by }) {
    table.wishes.set(what, new Set([...(table.wishes.get(what) ?? []), by]));
  },
  PAUSED(table) {
    table.paused = true;
    table.wishes.delete("pause");
  },
  UNPAUSED(table) {
    table.paused = false;
  },
  GAMEOVER(table) {
    table.finish();
  },
  ABORTED(table) {
    table.finish();
  },
};
