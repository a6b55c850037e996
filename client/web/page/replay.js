/**
 * A finished game, step by step. No step shows what comes later, such as who takes the trick.
 * @module
 */

import { TableModel } from "./sdk/index.js";
import { Story } from "./story.js";

/** @typedef {import("./sdk/words.js").Event} Event */
/** @typedef {{ hand: number, trick: number, turn: number, end: number }} Step after `end` events; `turn` is answered in it */
/** @typedef {number | "all"} Eyes a seat, 0 for a spectator, or all cards */

/** The events that complete a step. */
const ENDS = new Set(["TURN", "BID", "EXCHANGED", "SHOWN", "TOOK", "HANDOVER", "GAMEOVER", "ABORTED"]);

/**
 * The steps of a game: to the next question, or to the end of a trick or a hand.
 * @param {readonly Event[]} events
 */
export function steps(events) {
  /** @type {Step[]} */
  const found = [];
  let [hand, trick, turn, told] = [0, 0, 0, false];
  events.forEach((event, index) => {
    if (event.ev === "HAND") [hand, trick] = [event.no, 0];
    if (event.ev === "TRICK") trick = event.trick;
    told ||= Boolean(event.text);
    if (!ENDS.has(event.ev)) return;
    if (told) {
      found.push({ hand, trick, turn, end: index + 1 });
      told = false;
    }
    if (event.ev === "TURN") turn = event.turn;
    else if (event.ev === "TOOK" || event.ev === "HANDOVER") turn = 0;
  });
  return found;
}

/** @param {Step} one @param {Step} other */
const sameHand = (one, other) => one.hand === other.hand;
/** @param {Step} one @param {Step} other */
const sameTrick = (one, other) => sameHand(one, other) && one.trick === other.trick;

/** @param {Event} event A deal or an exchange of somebody else, without the cards. @returns {Event} */
function closed(event) {
  if (event.ev === "DEALT") return { ...event, cards: undefined };
  return event.ev === "EXCHANGED" ? { ...event, gave: undefined, got: undefined } : event;
}

/** A position in a game. */
export class Replay {
  /** @param {string} id @param {readonly Event[]} events with every card */
  constructor(id, events) {
    this.id = id;
    this.steps = steps(events);
    if (!this.steps.length) throw new Error(`No game of ${id} can be shown.`);
    this.at = 0;
    this.#seen.set("all", events);
  }

  /** @type {Eyes} */
  eyes = "all";
  /** @type {Map<Eyes, readonly Event[]>} the same events, as each has seen them */
  #seen = new Map();

  get step() {
    return this.steps[this.at];
  }

  get last() {
    return this.steps.length - 1;
  }

  /** False for a game that still runs. */
  get isOver() {
    return ["GAMEOVER", "ABORTED"].includes((this.#seen.get("all") ?? []).at(-1)?.ev ?? "");
  }

  /** @param {Eyes} eyes @param {readonly Event[]} [events] as these eyes saw them; known ones if left out */
  look(eyes, events) {
    if (events) this.#seen.set(eyes, events);
    this.eyes = eyes;
  }

  /** @param {Eyes} eyes */
  knows(eyes) {
    return this.#seen.has(eyes);
  }

  /** @param {number} to */
  go(to) {
    this.at = Math.max(0, Math.min(this.last, to));
  }

  /** The step where a way of `WAYS` leads. @param {keyof typeof WAYS} way */
  to(way) {
    return WAYS[way](this);
  }

  /** @param {number} turn Goes to the step before a question is answered. */
  goToTurn(turn) {
    const at = this.steps.findIndex((step) => step.turn === turn);
    this.go((at < 0 ? this.at : at) - 1);
  }

  /** @param {1 | -1} way @param {(one: Step, other: Step) => boolean} same */
  jump(way, same) {
    const { steps: all, last } = this;
    let to = this.at;
    if (way > 0) {
      while (to < last && same(all[to], this.step)) to += 1;
    } else {
      while (to > 0 && same(all[to], this.step)) to -= 1;
      while (to > 0 && same(all[to - 1], all[to])) to -= 1;
    }
    return to;
  }

  /** The table here, what has happened, and the sentences of this step. */
  now() {
    const events = this.#seen.get(this.eyes) ?? [];
    const model = new TableModel(this.id, typeof this.eyes === "number" && this.eyes ? this.eyes : undefined);
    const story = new Story();
    const begin = this.at ? this.steps[this.at - 1].end : 0;
    /** @type {import("./story.js").Sentence[]} */
    const told = [];
    events.slice(0, this.step.end).forEach((event, index) => {
      model.see(event);
      const last = story.sentences.at(-1)?.id ?? 0;
      story.see(event);
      if (index >= begin && event.ev !== "JOINED") told.push(...story.sentences.filter(({ id }) => id > last));
    });
    return { model, story, told };
  }

  /** The cards that everybody holds here, by seat. */
  hands() {
    const events = (this.#seen.get("all") ?? []).slice(0, this.step.end);
    const players = /** @type {import("./sdk/words.js").Game | undefined} */ (events.find((event) => event.ev === "GAME"))?.players ?? 0;
    return new Map(Array.from({ length: players }, (_, index) => {
      const model = new TableModel(this.id, index + 1);
      for (const event of events) {
        model.see("seat" in event && event.seat !== model.me ? closed(event) : event);
      }
      return [index + 1, model.holding];
    }));
  }
}

/** The targets of the buttons and keys. */
export const WAYS = {
  first: () => 0,
  /** @param {Replay} at */
  hand_back: (at) => at.jump(-1, sameHand),
  /** @param {Replay} at */
  trick_back: (at) => at.jump(-1, sameTrick),
  /** @param {Replay} at */
  back: (at) => Math.max(0, at.at - 1),
  /** @param {Replay} at */
  next: (at) => Math.min(at.last, at.at + 1),
  /** @param {Replay} at */
  trick_next: (at) => at.jump(1, sameTrick),
  /** @param {Replay} at */
  hand_next: (at) => at.jump(1, sameHand),
  /** @param {Replay} at */
  last: (at) => at.last,
};
