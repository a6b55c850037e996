/**
 * A player's part in the fair shuffle: seals a word for every game, and has the deals checked.
 * @module
 */

import { canHash, commitment, NO_WORD, randomHex } from "./fair.js";
import { check, Verdict } from "./shuffle-check.js";

/** @typedef {import("./words.js").Event} Event */
/** @typedef {import("./words.js").Committed} Committed */
/** @typedef {import("./model.js").TableModel} TableModel */
/** @typedef {import("./shuffle-check.js").ObservedGame} ObservedGame */
/** @typedef {{ word: string, hash: string }} Secret a word that nobody can guess, and its hash */
/** @typedef {{ word: string, sealed: string }} Given a seat's word, or the hash of a sealed one */

/** The games of which a seat's word is part. */
const WITH_WORDS = ["fd1", "duplicate"];

/** Our part in the shuffles at all tables. */
export class Shuffles {
  /**
   * @param {object} listener
   * @param {() => void} listener.ready there is a word to give
   * @param {(on: string, verdict: Verdict) => void} listener.verdict
   */
  constructor(listener) {
    this.#listener = listener;
    void this.#prepare();
  }

  #listener;
  /** @type {Map<string, TableShuffles>} */
  #tables = new Map();
  /** @type {string[]} the words that we have said before we knew a table */
  #words = [];
  /** @type {Secret | undefined} */
  #secret = undefined;

  /** @param {string} on */
  #at(on) {
    const found = this.#tables.get(on) ?? new TableShuffles(() => this.#takeSecret(), this.#words);
    this.#tables.set(on, found);
    return found;
  }

  /** A word with its hash, if there is one; the next one is computed meanwhile. */
  #takeSecret() {
    const secret = this.#secret;
    this.#secret = undefined;
    if (secret) void this.#prepare();
    return secret;
  }

  async #prepare() {
    if (!canHash()) return;
    const word = randomHex(16);
    this.#secret = { word, hash: await commitment(word) };
    this.#listener.ready();
  }

  /**
   * Takes the next event of a table, after the model has taken it.
   * @param {Event} event
   * @param {TableModel} table
   * @param {boolean} missed it happened while we were away
   */
  see(event, table, missed) {
    this.#judge(this.#at(table.on).see(event, table, missed), table);
  }

  /** @param {TableModel} table A snapshot has replaced the model. */
  resumed(table) {
    this.#judge(this.#at(table.on).resumed(table), table);
  }

  /** @param {Promise<Verdict> | null} judged @param {TableModel} table */
  async #judge(judged, { on, me }) {
    const verdict = await judged;
    // Spectators gave no word: they are told only if something is wrong.
    if (verdict && (me !== undefined || verdict.found === "WRONG")) this.#listener.verdict(on, verdict);
  }

  /**
   * The commands to send now; each is returned only once.
   * @param {TableModel} table
   */
  due(table) {
    return this.#at(table.on).due(table);
  }

  /** @param {string} word We say a word: it is no longer secret at any table. */
  said(word) {
    this.#words.push(word);
    for (const table of this.#tables.values()) table.said(word);
  }

  /** The connection is lost: the last commands may not have arrived. */
  lost() {
    for (const table of this.#tables.values()) table.lost();
  }

  /** Forgets all tables: the person is somebody else now. */
  forget() {
    this.#tables.clear();
  }
}

/** The shuffles at one table as one viewer sees them, and our word for the next game. */
class TableShuffles {
  /** @param {() => Secret | undefined} secret @param {string[]} early words that we said before */
  constructor(secret, early) {
    this.#secret = secret;
    for (const word of early) this.#said.set(word, "");
  }

  #secret;
  /** @type {Map<string, Committed>} what was sealed, by game */
  #committed = new Map();
  /** @type {Set<string>} the games whose seals have changed */
  #changed = new Set();
  /** The game that is sealed next. */
  #next = "";
  #told = new WordsTold();
  /** @type {Map<string, string>} the words that we said, each with the game sealed at the time */
  #said = new Map();
  /** A word of our seat that we did not say: an earlier run did, or another program. */
  #elsewhere = "";
  /** @type {Secret} */
  #own = { word: "", hash: "" };
  #sealedFor = "";
  #opened = false;
  #ready = false;
  #readyAgain = false;
  #unsettled = false;
  /** @type {ObservedGame | undefined} */
  #seen = undefined;

  // --------------------------------------------------------------------------------- events

  /**
   * @param {Event} event
   * @param {TableModel} table
   * @param {boolean} missed
   * @returns {Promise<Verdict> | null} the verdict on a game that is over
   */
  see(event, table, missed) {
    this.#noteReadiness(event, table);
    this.#told.see(event, table);
    this.#seen?.events.push(event);
    switch (event.ev) {
      case "COMMITTED":
        return this.#commit(event);
      case "SEEDED":
        if (event.seat === table.me && missed) this.#find(event.word);
        break;
      case "CALLEDOFF":
        this.#sealedFor = "";
        this.#voidWords();
        break;
      case "GAME":
        this.#begin(event, table.me);
        break;
      case "REVEALED":
        return this.#verdict(event.id, event.seed);
    }
    return null;
  }

  /** @param {TableModel} table The running game cannot be checked: its beginning is not known. */
  resumed(table) {
    this.#seen = undefined;
    // A start may have been called off meanwhile: then words that we opened are known.
    if (this.#told.opening) this.#voidWords();
    this.#told = new WordsTold(table);
    const seat = table.seats.get(table.me ?? 0);
    this.#find(seat?.word);
    this.#ready = seat?.ready ?? false;
    return table.committed ? this.#commit(table.committed) : null;
  }

  lost() {
    this.#sealedFor = "";
    this.#opened = false;
  }

  /** @param {Committed} committed */
  #commit(committed) {
    const { id, hash, alg } = committed;
    this.#next = id;
    const before = this.#committed.get(id);
    if (!before) this.#committed.set(id, committed);
    if (!before || (before.hash === hash && before.alg === alg)) return null;
    this.#changed.add(id);
    return Promise.resolve(new Verdict(id, "WRONG", `the seal of ${id} has changed`));
  }

  /**
   * A word has taken back our `ready`; `due` repeats it.
   * @param {Event} event
   * @param {TableModel} table
   */
  #noteReadiness(event, table) {
    if (event.ev === "READY") {
      if (event.seat === table.me) {
        this.#readyAgain = this.#unsettled && this.#ready && !event.ready;
        this.#ready = event.ready;
      }
      // After somebody is ready again, later changes do not follow from the word.
      this.#unsettled &&= !event.ready;
    } else {
      this.#unsettled = event.ev === "SEEDED";
    }
    if (event.ev === "GAME" || event.ev === "CALLEDOFF") this.#ready = this.#readyAgain = false;
  }

  // ------------------------------------------------------------------------------- our word

  /** @param {string} word */
  said(word) {
    this.#said.set(word, this.#next);
  }

  #voidWords() {
    for (const word of this.#said.keys()) this.#said.set(word, "");
  }

  /** @param {string | undefined} word Our seat has a word. */
  #find(word) {
    if (word && !this.#said.has(word)) this.#elsewhere = word;
  }

  /**
   * Why our word does not make a game's deal fair for us; empty if it does, null if our seat never
   * gave the word.
   * @param {string} word
   * @param {string} game
   */
  #doubt(word, game) {
    const sealed = this.#said.get(word);
    if (sealed === game) return "";
    if (sealed !== undefined) {
      return `your word ${word} was said before the seal, or before a start was called off`;
    }
    return word === this.#elsewhere ? `your word ${word} was not given here` : null;
  }

  /** @param {TableModel} table @returns {string[]} */
  due(table) {
    const seat = table.seats.get(table.me ?? 0);
    if (!table.committed || !seat) return [];
    const { id, alg } = table.committed;
    if (table.phase === "starting") {
      if (this.#opened || !seat.sealed || seat.sealed !== this.#own.hash) return [];
      this.#opened = true;
      return [`seed ${this.#own.word} ${table.on}`];
    }
    if (table.phase === "playing" || table.game?.id === id) return [];
    const again = this.#readyAgain ? [`ready ${table.on}`] : [];
    this.#readyAgain = false;
    return [...this.#seal(table, seat, id, alg), ...again];
  }

  /**
   * @param {TableModel} table
   * @param {Given} seat
   * @param {string} game
   * @param {string} alg
   */
  #seal({ on }, seat, game, alg) {
    if (!WITH_WORDS.includes(alg) || this.#sealedFor === game) return [];
    // A seal whose word we do not know is from an earlier run: it is replaced.
    if (seat.word || (seat.sealed && this.#own.word)) return [];
    const secret = this.#secret();
    if (!secret) return [];
    this.#own = secret;
    this.#sealedFor = game;
    this.#opened = false;
    return [alg === "duplicate" ? `seed ${secret.word} ${on}` : `seedhash ${secret.hash} ${on}`];
  }

  // ------------------------------------------------------------------------------- verdicts

  /** @param {import("./words.js").Game} game @param {number | undefined} me */
  #begin({ id, game, players }, me) {
    const told = this.#told;
    this.#told = new WordsTold();
    const committed = this.#committed.get(id);
    const words = told.words(players);
    const mine = words[(me ?? 0) - 1] ?? NO_WORD;
    const doubt = mine === NO_WORD ? "" : this.#doubt(mine, id);
    let { wrong } = told;
    if (id !== this.#next) wrong = `the deck of ${this.#next} was sealed for it`;
    else if (doubt === null) wrong ||= `the word of your seat is ${mine}, which you never gave`;
    this.#voidWords();
    const { openings } = told;
    this.#seen = committed && { committed, game, me, words, openings, doubt: doubt ?? "", wrong, events: [] };
  }

  /** @param {string} id @param {string} seed @returns {Promise<Verdict>} */
  async #verdict(id, seed) {
    const seen = this.#seen;
    this.#seen = undefined;
    if (this.#changed.has(id)) return new Verdict(id, "WRONG", `the seal of ${id} has changed`);
    if (seen?.committed.id !== id) {
      return new Verdict(id, "UNSEEN", "the game was not seen from its beginning");
    }
    if (!canHash()) return new Verdict(id, "UNSEEN", "a page can check it only over https");
    return check(seen, seed);
  }
}

/**
 * The words for the next game, as the server tells everybody. Once sealed words are being opened no
 * word may change: a server that let one change then could choose the deal.
 */
class WordsTold {
  /** @param {TableModel} [table] */
  constructor(table) {
    this.#given = givenAt(table);
    this.opening = table?.phase === "starting";
  }

  /** @type {Map<number, Given>} */
  #given;
  /** A forbidden change; empty if there was none. */
  wrong = "";
  /** @type {ObservedGame["openings"]} the words that were opened, to be compared with their seals */
  openings = [];

  /** @param {Event} event @param {TableModel} table */
  see(event, table) {
    const now = givenAt(table);
    if (event.ev === "GAME") {
      // The model has forgotten the words by now; these are part of the game.
      const shut = [...this.#given].find(([, given]) => given.sealed);
      if (shut) this.wrong ||= `the word of seat ${shut[0]} was never opened`;
      return;
    }
    if (event.ev === "CALLEDOFF") {
      this.opening = false;
      this.wrong = "";
      this.openings = [];
    } else if (event.ev === "UNSEAL") {
      this.opening = true;
    } else if (this.opening) {
      this.wrong ||= this.#changed(event, now);
    }
    this.#given = now;
  }

  /** @param {Event} event @param {Map<number, Given>} now */
  #changed(event, now) {
    if (event.ev === "COMMITTED") return `the deck of ${event.id} was sealed after words were asked for`;
    if (event.ev === "SEEDED") {
      const { seat } = event;
      const sealed = this.#given.get(seat)?.sealed;
      const word = now.get(seat)?.word;
      if (!sealed || !word) return `the word of seat ${seat} is not the one that it sealed`;
      this.openings.push({ seat, word, sealed });
      return "";
    }
    return sameWords(now, this.#given) ? "" : "seats changed after words were asked for";
  }

  /** @param {number} seats The words of the first seats, as they enter the shuffles. */
  words(seats) {
    return Array.from({ length: seats }, (_, index) => this.#given.get(index + 1)?.word || NO_WORD);
  }
}

/** @param {TableModel} [table] @returns {Map<number, Given>} */
const givenAt = (table) =>
  new Map(Array.from(table?.seats ?? [], ([number, { word, sealed }]) => [number, { word, sealed }]));

/** @param {Map<number, Given>} one @param {Map<number, Given>} other */
const sameWords = (one, other) =>
  one.size === other.size &&
  [...one].every(([seat, { word, sealed }]) => {
    const there = other.get(seat);
    return there?.word === word && there.sealed === sealed;
  });
