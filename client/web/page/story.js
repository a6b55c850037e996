/**
 * The events of a table, as far as its picture needs them: the trick, also after it is taken;
 * the cards that are gone; the sentences.
 * @module
 */

import { botsIn, saidOf, spoken } from "./spoken.js";

/** @typedef {import("./sdk/index.js").Table} Table */
/** @typedef {import("./spoken.js").Part} Part */
/** @typedef {import("./sdk/words.js").Event} Event */
/** @typedef {{ seat: number, cards: string[], kind: string }} Play */
/** @typedef {{ id: number, parts: Part[], kind: "event" | "head" | "talk" | "told" }} Sentence */

/** The events whose sentences are not shown here. */
const SILENT = new Set([
  // The line above the hand says it.
  "TURN",
  // The check of the shuffle: the SDK makes it, and "Was it fair?" tells of it.
  "COMMITTED", "SEEDED", "UNSEAL", "SHUFFLED", "REVEALED",
  // The page itself says it.
  "CLOCK", "LESSON",
]);
/** The sentences that are kept. */
const MOST = 400;
/** The separator between the lines of a sentence. */
const LINES = /\n| {2,}/;

/** @param {Event} event Its sentence without the end of a game's last one, which is for people who type. */
const withoutTyping = ({ ev, text = "" }) => (ev === "GAMEOVER" || ev === "COMPARED" ? text.replace(/\s+rematch plays .*$/, "") : text);

/** The story of one table. */
export class Story {
  /** @type {Play[]} the plays of the trick that is shown */
  plays = [];
  /** The seat that has taken the trick shown; 0 while it is played. */
  taker = 0;
  /** @type {string[]} the cards played in this hand */
  gone = [];
  /** @type {Sentence[]} */
  sentences = [];
  /** @type {Map<number, Event>} what each seat did last: a bid, an exchange, a card shown */
  deeds = new Map();
  /** @type {Part[][]} the comparison of a pair of tables after a game, line by line */
  compared = [];
  /** The name of the viewer. */
  name = "";
  /** The viewer's cards were the last that was told. */
  dealt = false;
  #game = "";
  #hands = false;
  #count = 0;

  /** @param {Event} event */
  see(event) {
    switch (event.ev) {
      case "GAME":
      case "HAND":
        this.plays = [];
        this.gone = [];
        this.deeds.clear();
        this.taker = 0;
        this.compared = [];
        break;
      case "COMPARED":
        this.compared = withoutTyping(event).split(LINES).filter(Boolean).map((line) => spoken(line, event.ev, this.#game));
        break;
      case "TRICK":
        this.deeds.clear();
        break;
      case "PLAYED":
        if (this.taker) this.plays = [];
        this.taker = 0;
        this.plays = [...this.plays, { seat: event.seat, cards: event.cards, kind: event.kind }];
        this.gone = [...this.gone, ...event.cards];
        break;
      case "TOOK":
        this.taker = event.seat;
        break;
      case "BID":
      case "EXCHANGED":
      case "SHOWN":
        this.deeds.set(event.seat, event);
        break;
      default:
    }
    if (event.ev === "GAME") [this.#game, this.#hands] = [event.game, false];
    else if (event.ev === "HAND") this.#hands = true;
    const text = event.ev === "OPTION" ? this.#option(event) : withoutTyping(event);
    if (!text || SILENT.has(event.ev)) return;
    // The first dealer is drawn, and the sentence of the hand names them.
    if (event.ev === "DREW" && !this.#hands) return;
    this.dealt = event.ev === "DEALT";
    if (event.ev === "SAID") this.talk(`${event.by}: ${text}`);
    else if (event.ev === "KIBITZED") this.talk(`[watchers] ${event.by}: ${text}`);
    else this.#tell(text, event.ev, "event");
  }

  /** @param {import("./sdk/words.js").Option} option Who has changed what; the server has no sentence for it. */
  #option({ by, key, value, text }) {
    const mine = by === this.name;
    const verb = key !== "locked" ? "set" : value === "yes" ? "lock" : "unlock";
    return by && `${mine ? "You" : by} ${verb}${mine ? "" : "s"} ${key === "locked" ? "the table" : `${key} to ${value ?? text}`}.`;
  }

  /** @param {string} text Adds what a person says, as it is. */
  talk(text) {
    this.#add([botsIn(text)], "talk");
  }

  /** @param {string} text Adds a sentence of another kind: the answer to a command, a hint. */
  say(text) {
    this.#tell(text, "", "told");
  }

  /** @param {string} text @param {string} word @param {Sentence["kind"]} kind */
  #tell(text, word, kind) {
    for (const line of text.split(LINES).filter(Boolean)) {
      this.#add(spoken(line, word, this.#game), /^(\*{3}|-{3}) /.test(line) ? "head" : kind);
    }
  }

  /** @param {Part[]} parts @param {Sentence["kind"]} kind */
  #add(parts, kind) {
    this.#count += 1;
    this.sentences = [...this.sentences, { id: this.#count, parts, kind }].slice(-MOST);
  }

  /** @param {string} text A question, as it is read aloud. */
  saidOf(text) {
    return saidOf(text, "TURN", this.#game, this.dealt);
  }

  /** Begins again, because events are missing. */
  clear() {
    Object.assign(this, { plays: [], taker: 0, gone: [], compared: [], sentences: [] });
    this.deeds.clear();
  }
}
