/**
 * A table for programs, and its questions.
 * @module
 */

import { Refused } from "./errors.js";
import { Feed, Reconnected } from "./feed.js";
import { cardsFor, movesWith, tokenOf } from "./moves.js";

/** @typedef {import("./words.js").Event} Event */
/** @typedef {import("./words.js").Turn} Turn */
/** @typedef {import("./model.js").TableModel} TableModel */
/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./shuffle-check.js").Verdict} Verdict */

/** The number of events that are asked for at once. */
const PAGE = 100;

/** A question to you. */
export class Question {
  /**
   * @param {Table} table
   * @param {Turn} event the event with all its fields
   */
  constructor(table, event) {
    this.table = table;
    this.event = event;
    /** The id of the game. */
    this.game = table.state.game?.id ?? "";
    /** @type {readonly string[]} your cards */
    this.hand = event.hand ?? event.cards ?? table.state.holding;
  }

  /** The kind of question: `exchange`, `play`, `bid`... */
  get act() {
    return this.event.act;
  }

  /**
   * The legal tokens; empty if any choice of cards of `hand` is legal. If `event.truncated` there
   * are more: `table.moves()` has all.
   * @returns {readonly string[]}
   */
  get legal() {
    return this.event.legal ?? [];
  }

  /** A legal token: the move that is made for you when the time is up. */
  get default() {
    return this.event.default ?? "";
  }

  /** True if any cards of the hand may be named, from `event.min` to `event.max` of them. */
  get isSubset() {
    return this.event.choose === "subset";
  }

  /**
   * The legal tokens that are exactly these cards; several for a card with several meanings, such as
   * the Fool.
   * @param {string[]} cards
   */
  movesWith(cards) {
    const { min = 0, max = 0 } = this.event;
    if (!this.isSubset) return movesWith(this.legal, cards);
    return cards.length >= min && cards.length <= max ? [tokenOf(cards)] : [];
  }

  /**
   * The cards of the hand that can be played together with those chosen so far.
   * @param {string[]} [chosen]
   */
  cardsFor(chosen = []) {
    if (!this.isSubset) return cardsFor(this.legal, this.hand, chosen);
    if (chosen.length >= (this.event.max ?? 0)) return [];
    const left = [...this.hand];
    for (const card of chosen) if (left.includes(card)) left.splice(left.indexOf(card), 1);
    return left;
  }

  /**
   * True if both are the same question.
   * @param {Question | undefined} other
   */
  same(other) {
    return this.game === other?.game && this.event.turn === other.event.turn;
  }

  /**
   * Answers this question, and never a later one, with a token of `legal` or with cards.
   *
   * True if the server has accepted the move, even if the connection was lost before it said so.
   * False if the question was over, by the clock or by another connection of yours. Waits while the
   * game is paused. Throws `Refused` if the rules forbid the move.
   * @param {...string} cards
   */
  play(...cards) {
    return this.table.answer(this, tokenOf(cards));
  }
}

/**
 * A table where you play or watch. `for await (const event of table)` gives its events; one loop at
 * a time, and the next one goes on where the last one stopped.
 */
export class Table {
  /** @param {Session} session @param {TableModel} state @param {boolean} [gone] */
  constructor(session, state, gone = false) {
    /** The name of the table: `t7`. */
    this.on = state.on;
    /** Your knowledge of the table now. An event in your loop may be a little older. */
    this.state = state;
    /** @type {Verdict | undefined} on the shuffle of the last game; as a text it is a sentence */
    this.fair = undefined;
    this.feed = new Feed(gone);
    this.#session = session;
  }

  #session;
  /** @type {Map<number, { turn: number, ms: number, bank: number, runs: boolean, at: number }>} */
  #clocks = new Map();

  /** True once you neither play at the table nor watch it. */
  get gone() {
    return this.feed.closed;
  }

  /** The places after a game, by name: 1 for the winner. */
  get places() {
    const placed = [...this.state.seats.values()].filter((seat) => seat.place);
    return Object.fromEntries(placed.map(({ name, place }) => [name, place]));
  }

  /** The open question to you; undefined if there is none, or the game is paused. */
  get question() {
    const turn = this.gone || this.state.paused ? undefined : this.state.question;
    return turn && new Question(this, turn);
  }

  /**
   * The time left to a seat for the open question to it: `ms` milliseconds, and then its reserve
   * for the game, `bank`. Undefined without a question, or without a clock.
   * @param {number} seat
   */
  timeLeft(seat) {
    const clock = this.#clocks.get(seat);
    const turn = this.state.turns.find((each) => each.seat === seat);
    if (!clock || clock.turn !== turn?.turn) return undefined;
    const passed = clock.runs ? this.#session.now - clock.at : 0;
    const late = Math.max(0, passed - clock.ms);
    return { ms: Math.max(0, clock.ms - passed), bank: Math.max(0, clock.bank - late), runs: clock.runs };
  }

  /**
   * Takes an event of the table; the session calls this.
   * @param {Event} event
   */
  hear(event) {
    this.feed.put(event);
    if ((event.ev !== "TURN" && event.ev !== "CLOCK") || event.ms === undefined) return;
    const { turn, seat, ms, bank = 0 } = event;
    const runs = event.ev === "TURN" || event.run !== false;
    this.#clocks.set(seat, { turn, ms, bank, runs, at: this.#session.now });
  }

  /** @returns {AsyncIterator<Event | Reconnected, undefined, void>} */
  [Symbol.asyncIterator]() {
    return { next: () => this.#session.nextOf(this.feed) };
  }

  /**
   * The questions to you, until the game is over or you are `gone`. After a game it waits for those
   * of the next one. Events that nobody has read are dropped.
   * @returns {AsyncGenerator<Question, void, void>}
   */
  async *questions() {
    this.feed.clear();
    const before = this.#over;
    /** @type {Question | undefined} */
    let last;
    for (;;) {
      const { question } = this;
      if (question && !question.same(last)) {
        last = question;
        yield question;
        continue;
      }
      if (this.#over && this.#over !== before) return;
      const { done, value } = await this.#session.nextOf(this.feed);
      if (done || value.ev === "GAMEOVER" || value.ev === "ABORTED") return;
    }
  }

  /**
   * Answers the open question; false if there is none. See `Question.play`.
   * @param {...string} cards
   */
  async play(...cards) {
    return (await this.question?.play(...cards)) ?? false;
  }

  /**
   * Answers a question; see `Question.play`.
   * @param {Question} asked
   * @param {string} token
   * @returns {Promise<boolean>}
   */
  async answer(asked, token) {
    for (;;) {
      await this.#session.caughtUp(this.on);
      await this.#session.until(() => this.gone || !this.state.paused);
      if (!this.question?.same(asked)) return false;
      const line = `move ${token} turn=${asked.event.turn} table=${this.on}`;
      try {
        if (await this.#session.reply(() => this.#session.conversation.say(line))) return true;
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (this.gone || isTooLate(error)) return false;
        if (error.code !== "PAUSED" || !this.state.paused) throw error;
      }
    }
  }

  /** All legal moves. Throws `Refused` if it is not your turn. */
  async moves() {
    const rows = await this.#session.listing("MOVES", `moves ${this.on}`);
    return rows.flatMap((row) => row.moves);
  }

  /**
   * All events of the table from its beginning, as you would have seen them: for what happened
   * before you came, or before your program was started again.
   * @returns {Promise<Event[]>}
   */
  async past() {
    const { recalled } = this.#session.conversation.streams;
    /** @type {Map<number, Event>} */
    const events = new Map();
    recalled.set(this.on, events);
    try {
      for (let from = 0, more = true; more; ) {
        const { ok } = await this.#session.command(`sync ${this.on} from=${from} n=${PAGE}`);
        more = (ok.more ?? false) && (ok.seq ?? 0) > from;
        from = ok.seq ?? 0;
      }
    } finally {
      if (recalled.get(this.on) === events) recalled.delete(this.on);
    }
    return [...events].sort(([one], [other]) => one - other).map(([, event]) => event);
  }

  /** Says that you are ready to start. */
  async ready() {
    await this.#session.command(`ready ${this.on}`);
  }

  /** Starts the game (host). Throws `Refused`, with `NOT_READY` if somebody is not ready. */
  async start() {
    await this.#session.command(`start ${this.on}`);
  }

  /** @param {string} text */
  async say(text) {
    await this.#session.command(`say table=${this.on} :${text}`);
  }

  /** Leaves the table. In a running game a bot takes your seat. */
  async leave() {
    await this.#session.command(`leave ${this.on}`);
  }

  /** The id of a game that is over, or empty. */
  get #over() {
    return this.state.phase === "over" ? (this.state.game?.id ?? "") : "";
  }
}

/** @param {Refused} refused A question for something else, `WRONG_ACT`, is still open. */
const isTooLate = ({ kind, code }) => (kind === "turn" && code !== "WRONG_ACT") || code === "NO_GAME";
