/**
 * Checks the deal of a game from the events that were seen and the seed that is shown at its end.
 *
 * Every pack is shuffled again, and every card that was seen must be at its place. The check has to
 * trust only that all players were shown the same seal.
 * @module
 */

import { piquetPack, standardPack, tarotPack } from "./cards.js";
import { commitment, entropy, NO_WORD, shuffled } from "./fair.js";
import { GAMES } from "./words.js";

/** @typedef {import("./words.js").Event} Event */
/** @typedef {import("./words.js").Shuffled} Shuffled */
/** @typedef {import("./words.js").Dealt} Dealt */

/** The possible results of a check. */
export const FINDINGS = {
  OK: "OK",
  COMMIT_ONLY:
    "the deck was not changed after the start. Add a word with seed before a game to prove that it " +
    "was not chosen beforehand",
  REPEATABLE: "repeatable deals",
  TAKEN: "the deals of another game",
  UNSEEN: "not checked",
  WRONG: "WRONG",
};

/** The result of checking a game; `why` explains any other than OK. As a text it is a sentence. */
export class Verdict {
  /**
   * @param {string} game
   * @param {keyof typeof FINDINGS} found
   * @param {string} [why]
   */
  constructor(game, found, why = "") {
    this.game = game;
    this.found = found;
    this.why = why;
  }

  toString() {
    return `fair: ${FINDINGS[this.found]}${this.why && ` - ${this.why}`}`;
  }
}

/**
 * A game as one viewer saw it. `words` are the words before the start, by seat; `openings` the words
 * that were opened, with their seals. `doubt` says why our own word does not make the deal fair for
 * us, `wrong` what was wrong before the start; both may be empty. `events` are those from GAME on.
 * @typedef {object} ObservedGame
 * @property {import("./words.js").Committed} committed
 * @property {string} game
 * @property {number} [me] the viewer's seat
 * @property {string[]} words
 * @property {{ seat: number, word: string, sealed: string }[]} openings
 * @property {string} doubt
 * @property {string} wrong
 * @property {Event[]} events
 */

/** The deal is not what the server has sealed. */
class Mismatch extends Error {}

/**
 * The verdict on a game, given its seed.
 * @param {ObservedGame} seen
 * @param {string} seed
 * @returns {Promise<Verdict>}
 */
export async function check(seen, seed) {
  const { id, alg, hash } = seen.committed;
  try {
    if ((await commitment(seed)) !== hash) throw new Mismatch("the seed is not the one that was sealed");
    if (alg === "fd1" || alg === "duplicate") await checkWords(seen);
    if (alg === "taken") return new Verdict(id, "TAKEN");
    await new Check(seen, seed).run();
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    return new Verdict(id, "WRONG", `${id}: ${error.message}`);
  }
  if (alg === "seed") return new Verdict(id, "REPEATABLE");
  const word = seen.words[(seen.me ?? 0) - 1] ?? NO_WORD;
  if (word === NO_WORD || seen.doubt) return new Verdict(id, "COMMIT_ONLY", seen.doubt);
  return new Verdict(id, "OK");
}

/** @param {ObservedGame} seen */
async function checkWords({ wrong, openings }) {
  if (wrong) throw new Mismatch(wrong);
  for (const { seat, word, sealed } of openings) {
    if ((await commitment(word)) !== sealed) {
      throw new Mismatch(`the word of seat ${seat} is not the one that it sealed`);
    }
  }
}

/** Checks a game from its first shuffle on. Throws `Mismatch` at the first wrong card. */
class Check {
  /** @param {ObservedGame} seen @param {string} seed */
  constructor(seen, seed) {
    this.#seen = seen;
    this.#seed = seed;
  }

  #seen;
  #seed;
  #no = 0;
  /** @type {string[]} the pack of the game, before any card was left out */
  #whole = [];
  /** @type {string[]} */
  #deck = [];
  #used = 0;
  /** The seat on which the lot fell, or empty. */
  #lot = "";
  #wordsOfBoth = "";
  /** @type {Map<number, string[]>} */
  #held = new Map();

  async run() {
    /** @type {Dealt[]} */
    let round = [];
    for (const event of this.#seen.events) {
      if (event.ev === "DEALT") {
        round.push(event);
        continue;
      }
      if (round.length) this.#dealt(round);
      round = [];
      await this.#happened(event);
    }
    if (round.length) this.#dealt(round);
  }

  /** @param {Event} event */
  async #happened(event) {
    switch (event.ev) {
      case "SHUFFLED":
        await this.#shuffled(event);
        break;
      case "DREW":
        if (this.#take(1)[0] !== event.card) {
          throw new Mismatch(`seat ${event.seat} drew ${event.card}, which was not on top`);
        }
        break;
      case "HAND":
        if (event.no === 1 && this.#lot && this.#lot !== `${event.dealer}`) {
          throw new Mismatch(`the lot fell on seat ${this.#lot}, not on ${event.dealer}`);
        }
        this.#held.clear();
        break;
      case "EXCHANGED": {
        const cards = this.#take(event.n);
        if (event.got && !sameCards(event.got, cards)) {
          throw new Mismatch(`the cards from the stock in shuffle ${this.#no} were others`);
        }
        this.#hold(event.seat, cards);
        break;
      }
      case "PLAYED":
        for (const card of event.cards) this.#play(event.seat, card);
        break;
      case "SHOWN":
        this.#play(event.seat, event.card);
    }
  }

  /** @param {Shuffled} event */
  async #shuffled({ no, cards, words = [] }) {
    this.#no += 1;
    if (no !== this.#no) throw new Mismatch(`shuffle ${no} came where ${this.#no} was due`);
    const { alg, id } = this.#seen.committed;
    let shuffle = { seed: this.#seed, game: alg, no, words: "" };
    if (alg === "fd1") shuffle = { ...shuffle, game: id, words: this.#entropy(this.#told(words)) };
    else if (alg === "duplicate") shuffle.words = this.#entropy(this.#ofBoth(words));
    else if (alg !== "seed") throw new Mismatch(`it was shuffled by ${alg}, which is unknown`);
    this.#inOrder(cards);
    this.#deck = await shuffled(cards, shuffle);
    this.#used = 0;
    if (isLot(cards)) this.#lot = this.#deck[0];
  }

  /** @param {string[]} words The words of a shuffle have to be those from before the start. */
  #told(words) {
    const told = this.#seen.words;
    if (words.length !== told.length) {
      throw new Mismatch(`shuffle ${this.#no} has ${words.length} words for ${told.length} seats`);
    }
    const at = words.findIndex((word, index) => word !== told[index]);
    if (at >= 0) {
      const whose = at + 1 === this.#seen.me ? "your word" : `the word of seat ${at + 1}`;
      /** @param {string} word */
      const shown = (word) => (word === NO_WORD ? "none" : word);
      throw new Mismatch(
        `${whose} was ${shown(told[at])}, and shuffle ${this.#no} has ${shown(words[at])}`,
      );
    }
    return words;
  }

  /** @param {string[]} words Those of a pair of tables: the first table's, then the other's. */
  #ofBoth(words) {
    const told = this.#seen.words;
    const both = words.join();
    const parts = [words.slice(0, told.length), words.slice(told.length)].map((part) => part.join());
    if (!parts.includes(told.join())) {
      throw new Mismatch("the words of this table are not those that were told here");
    }
    if (this.#wordsOfBoth && this.#wordsOfBoth !== both) {
      throw new Mismatch(`shuffle ${this.#no} has other words than the one before`);
    }
    this.#wordsOfBoth = both;
    return words;
  }

  /** @param {string[]} words */
  #entropy(words) {
    const found = entropy(words);
    if (found === null) throw new Mismatch("the words cannot be");
    return found;
  }

  /** @param {string[]} cards The server must not choose the order of the pack either. */
  #inOrder(cards) {
    if (!(this.#seen.game in GAMES)) return;
    if (isLot(cards)) {
      if (cards.some((card, index) => index > 0 && Number(card) <= Number(cards[index - 1]))) {
        throw new Mismatch(`the seats before shuffle ${this.#no} are not in their order`);
      }
      return;
    }
    if (!this.#whole.length) this.#whole = wholePack(cards);
    const left = [...this.#whole];
    for (const card of without(this.#whole, cards)) left.splice(left.indexOf(card), 1);
    if (left.join() !== cards.join()) {
      throw new Mismatch(`the pack before shuffle ${this.#no} is not in its order`);
    }
  }

  /** @param {Dealt[]} round Cards are dealt one at a time, everybody gets as many. */
  #dealt(round) {
    const [{ n }] = round;
    if (round.some((each) => each.n !== n)) throw new Mismatch("not everybody was dealt as many cards");
    const cards = this.#take(n * round.length);
    round.forEach(({ seat, cards: own, seen }, index) => {
      const hand = cards.filter((_, at) => at % round.length === index);
      for (const shown of [own, seen]) {
        if (shown && !sameCards(shown, hand)) {
          throw new Mismatch(`the cards of seat ${seat} in shuffle ${this.#no} were others`);
        }
      }
      this.#hold(seat, hand);
    });
  }

  /** @param {number} count */
  #take(count) {
    const cards = this.#deck.slice(this.#used, this.#used + count);
    this.#used += count;
    if (cards.length !== count) {
      throw new Mismatch(`more cards were dealt than shuffle ${this.#no} had`);
    }
    return cards;
  }

  /** @param {number} seat @param {string[]} cards */
  #hold(seat, cards) {
    this.#held.set(seat, [...(this.#held.get(seat) ?? []), ...cards]);
  }

  /** @param {number} seat @param {string} card */
  #play(seat, card) {
    const held = this.#held.get(seat) ?? [];
    // A joker and the Fool are played as a card, and held as themselves.
    const at = held.includes(card) ? held.indexOf(card) : held.indexOf(card[0]);
    if (at < 0) throw new Mismatch(`seat ${seat} never had ${card} in shuffle ${this.#no}`);
    held.splice(at, 1);
  }
}

/** @param {string[]} cards True if these are seats, of which one is drawn by lot. */
const isLot = (cards) => cards.every((card) => /^[0-9]+$/.test(card));

/** @param {string[]} one @param {string[]} other */
const sameCards = (one, other) => [...one].sort().join() === [...other].sort().join();

/** @param {string[]} all @param {string[]} some The cards that are left of `all`. */
function without(all, some) {
  const left = [...all];
  for (const card of some) {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

/** @param {string[]} cards The pack that has exactly these cards, in its order. */
function wholePack(cards) {
  /** @param {string} card */
  const count = (card) => cards.filter((each) => each === card).length;
  const packs = [standardPack(count("2C"), count("X")), piquetPack(), tarotPack()];
  const whole = packs.find((pack) => sameCards(pack, cards));
  if (!whole) throw new Mismatch("the first pack is not a whole one");
  return whole;
}
