/**
 * The server's sentences as people read and hear them: the terminal client's `--plain` says the
 * same. A card is shown as a sign and read aloud by its name.
 * @module
 */

import { GAMES } from "./sdk/index.js";

/** @typedef {string | { shown: string, said: string }} Part of a sentence: words, or cards */

/** @type {Record<string, string>} */
const RANKS = {
  2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten", J: "jack", Q: "queen", K: "king", A: "ace",
};
/** @type {Record<string, string>} */
const SUITS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
const ORDINALS = ["", "", "second ", "third ", "fourth ", "fifth ", "sixth ", "seventh ", "eighth ", "ninth ", "tenth ", "eleventh ", "twelfth "];

const RANK = "(?:10|[2-9JQKA])";
const CARD = `(?:${RANK}[CDHS]|joker(?:\\(${RANK}\\))?)`;
const CARDS = new RegExp(`(?<![\\w+/-])${CARD}(?: ${CARD})*(?![\\w+/-])`, "g");
/** Ranks in a line of moves; the numbers in `(30 s)` and `... 3 more` are none. */
const ALONE = new RegExp(`(?<![\\w~:./+-]|\\.\\.\\. )${RANK}(?: ${RANK})*(?![\\w/+%-]| s\\))`, "g");
/** Ranks in other sentences: two or more, or one with a letter. */
const IN_PROSE = new RegExp(`(?<![\\w~:./+-])(?:${RANK}(?: ${RANK})+(?![\\w/+%-])|[JQK](?![\\w/+-])|A(?![\\w/+-]| [a-z]))`, "g");

/** @param {string} card */
function said(card) {
  const joker = /^joker\((.+)\)$/.exec(card);
  if (joker) return `joker as ${RANKS[joker[1]]}`;
  const suit = SUITS[card.slice(-1)];
  return suit && card.length > 1 ? `${RANKS[card.slice(0, -1)]} of ${suit}` : (RANKS[card] ?? card.replace(/^F$/, "Fool"));
}

/** @param {string[]} things `ann, bob and cat` */
const listed = (things) => (things.length > 1 ? `${things.slice(0, -1).join(", ")} and ${things[things.length - 1]}` : things.join(""));

/** @param {string} cards */
const named = (cards) => listed(cards.split(" ").map(said));
/** @param {string} cards */
const trumps = (cards) => listed(cards.replace("F", "Fool").split(" "));
/** @param {string} ranks */
const ranked = (ranks) => ranks.split(" ").map(said).join(" ");

/** @param {string} ranks `two nines and an ace` */
function counted(ranks) {
  /** @type {Map<string, number>} */
  const times = new Map();
  for (const rank of ranks.split(" ")) times.set(rank, (times.get(rank) ?? 0) + 1);
  return listed([...times].map(([rank, count]) => {
    const name = said(rank);
    if (count === 1) return `${/^[ae]/.test(name) ? "an" : "a"} ${name}`;
    return `${RANKS[count] ?? count} ${name}${name.endsWith("x") ? "es" : "s"}`;
  }));
}

/** @param {string} text Bots as people say them: `second steady bot` for `bot:steady2`. */
export const botsIn = (text) =>
  text.replace(/\bbot:([a-z]+)(\d*)/g, (_, level, number) => `${ORDINALS[Number(number || 0)] ?? `${number}th `}${level} bot`);

/**
 * Replaces what a pattern finds in the words of a sentence by cards.
 * @param {Part[]} parts @param {RegExp} pattern @param {(found: string) => string} say
 * @returns {Part[]}
 */
const withCards = (parts, pattern, say) =>
  parts.flatMap((part) => {
    if (typeof part !== "string") return [part];
    /** @type {Part[]} */
    const found = [];
    let at = 0;
    for (const { 0: shown, index } of part.matchAll(pattern)) {
      found.push(part.slice(at, index), { shown, said: say(shown) });
      at = index + shown.length;
    }
    return [...found, part.slice(at)].filter((each) => each !== "");
  });

/**
 * A line of the server as parts that are words or cards.
 * @param {string} line
 * @param {string} [word] of the event; without it, an answer or a hint
 * @param {string} [game]
 * @returns {Part[]}
 */
export function spoken(line, word = "", game = "") {
  const text = botsIn(line.replace(/^ +| +$/g, "").replace(/^(\*{1,3}|-{3}) /, "").replace(/ +/g, " "));
  const { deck } = GAMES[game] ?? { deck: "standard" };
  /** @type {Part[]} */
  let parts = [text];
  if (word && deck === "tarot") parts = withCards(parts, /(?<=^Your cards: )(?:\d+|F)(?: (?:\d+|F))+|(?<![\w~:./+-])F(?![\w/+-])/g, trumps);
  if (word === "TURN" && deck === "standard") parts = withCards(parts, /(?<=\bGone: )[^.]+/g, counted);
  parts = withCards(parts, CARDS, named);
  if (!word) parts = withCards(parts, IN_PROSE, (ranks) => (ranks.includes(" ") ? ranked : said)(ranks));
  else if (word === "TURN" && deck === "standard" && / to beat|^Your lead|\||\(lowest\)/.test(text)) parts = withCards(parts, ALONE, ranked);
  parts = parts.map((part) => (typeof part === "string" ? part.replaceAll("| ... ", "| ").replaceAll(" - ", ", ").replaceAll(" | ", ", or ") : part));
  return /[.!?:]$/.test(text) ? parts : [...parts, "."];
}

/** @param {readonly Part[]} parts As it is read aloud. */
export const aloud = (parts) => parts.map((part) => (typeof part === "string" ? part : part.said)).join("");

/** A part of a question for people who type. */
const TO_TYPE = / \("exchange [^)]*\)/;

/**
 * A sentence of several lines as it is read aloud.
 * @param {string} text @param {string} word @param {string} game
 * @param {boolean} dealt the cards of the hand have just been told
 */
export const saidOf = (text, word, game, dealt) =>
  text.replace(TO_TYPE, "").split(/\n| {2,}/).filter((line) => line && !(dealt && line.startsWith("Your cards:")))
    .map((line) => aloud(spoken(line, word, game))).join(" ");
