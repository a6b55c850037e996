/**
 * The events of a table, as far as its picture needs them: the trick, also after it is taken;
 * the cards that are gone; the sentences.
 * @module
 */

/** @typedef {import("./sdk/index.js").Table} Table */
/** @typedef {import("./sdk/words.js").Event} Event */
/** @typedef {{ seat: number, cards: string[], kind: string }} Play */
/** @typedef {{ id: number, text: string, kind: "event" | "head" | "talk" | "told" }} Sentence */

/** The events whose sentences are not shown: the picture and the hand say the same. */
const SILENT = new Set([
  "TURN", "TRICK", "DEALT", "READY", "OPTION", "HOST", "ANSWERED", "CLOCK", "LESSON",
  // The check of the shuffle: the SDK makes it, and "Was it fair?" tells of it.
  "COMMITTED", "SEEDED", "UNSEAL", "SHUFFLED", "REVEALED",
]);
const TALK = new Set(["SAID", "KIBITZED", "TOLD"]);
/** The sentences that are kept. */
const MOST = 400;

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
  /** The comparison of a pair of tables after a game, or empty. */
  compared = "";
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
        this.compared = "";
        break;
      case "COMPARED":
        this.compared = event.text ?? "";
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
    if (!event.text || SILENT.has(event.ev)) return;
    // The rest of the last sentence is for people who type.
    const text = event.ev === "GAMEOVER" ? event.text.split(/\n| {2,}/)[0] : event.text;
    this.say(text, TALK.has(event.ev) ? "talk" : "event");
  }

  /**
   * Adds a sentence of another kind: the answer to a command, a hint.
   * @param {string} text
   * @param {Sentence["kind"]} [kind]
   */
  say(text, kind = "told") {
    for (const line of text.split(/\n| {2,}/).filter(Boolean)) {
      this.#count += 1;
      this.sentences = [...this.sentences, { id: this.#count, ...(kind === "talk" ? { text: line, kind } : readable(line, kind)) }].slice(-MOST);
    }
  }

  /** Begins again, because events are missing. */
  clear() {
    Object.assign(this, { plays: [], taker: 0, gone: [], compared: "", sentences: [] });
    this.deeds.clear();
  }
}

/**
 * A sentence of the server without the signs that only look well in a terminal.
 * @param {string} line
 * @param {Sentence["kind"]} kind
 * @returns {Pick<Sentence, "text" | "kind">}
 */
export function readable(line, kind) {
  const text = line.replace(/^(\*{3}|-{3}|\*) /, "").replaceAll(" - ", ", ");
  return { text, kind: /^(\*{3}|-{3}) /.test(line) ? "head" : kind };
}
