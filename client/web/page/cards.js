/**
 * Cards: their pictures and their names. A card is a short text, as it travels: `QH`, `TS`, `X` (a
 * joker), `14` and `F` (the Fool).
 * @module
 */

import { el } from "./dom.js";

/** The outlines of the suits, in a square of 32. @type {Record<string, string>} */
const SHAPES = {
  S: "M16 2C12 9 3 13 3 20a6 6 0 0 0 11 3c0 3-1 5-3 7h10c-2-2-3-4-3-7a6 6 0 0 0 11-3C29 13 20 9 16 2z",
  H: "M16 29C8 22 3 17 3 11a7 7 0 0 1 13-3 7 7 0 0 1 13 3c0 6-5 11-13 18z",
  D: "M16 2l11 14-11 14L5 16z",
  C: "M16 3a6 6 0 0 0-5 9 6 6 0 1 0 3 11c0 3-1 5-3 7h10c-2-2-3-4-3-7a6 6 0 1 0 3-11 6 6 0 0 0-5-9z",
};
/** @type {Record<string, string>} */
const SUITS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
/** @type {Record<string, string>} */
const RANKS = { T: "10", J: "jack", Q: "queen", K: "king", A: "ace", X: "joker" };

/**
 * The name of a card, as it is read aloud: `queen of hearts`, `joker`, `trump 14`, `the Fool`.
 * @param {string} card
 */
export function nameOf(card) {
  if (/^F[0-9]*$/.test(card)) return card === "F" ? "the Fool" : `the Fool as ${card.slice(1)}`;
  if (/^[0-9]{2,}$/.test(card) || (/^[0-9]$/.test(card) && !suitOf(card))) return card;
  if (/^X./.test(card)) return `joker as ${RANKS[card[1]] ?? card[1]}`;
  const rank = RANKS[card[0]] ?? card[0];
  return suitOf(card) ? `${rank} of ${SUITS[suitOf(card)]}` : rank;
}

/** @param {string} card The letter of its suit, or empty. */
export const suitOf = (card) => (SUITS[card.slice(-1)] && card.length === 2 ? card.slice(-1) : "");

/** @param {string} card The rank in the corner. */
export const indexOf = (card) =>
  suitOf(card) || card.length === 1 ? { T: "10", X: "★" }[card[0]] ?? card[0] : card.replace("X", "★").replace("T", "10");

/**
 * The picture of a card: a large index, its suit, and a figure in the middle.
 * @param {string} card
 */
export function face(card) {
  const suit = suitOf(card);
  const index = indexOf(card);
  const wide = index.length > 1 ? " wide" : "";
  return el(
    "svg",
    { viewBox: "0 0 100 140", class: `face ${suit ? `suit-${suit}` : "plain"}${wide}`, "aria-hidden": true, focusable: "false" },
    el("rect", { x: 1, y: 1, width: 98, height: 138, rx: 9 }),
    el("text", { x: 8, y: 45, class: "index" }, index),
    suit && el("path", { d: SHAPES[suit], transform: "translate(9 54) scale(.95)" }),
    suit
      ? el("path", { d: SHAPES[suit], transform: "translate(38 72) scale(1.75)" })
      : el("text", { x: 62, y: 118, class: "figure" }, /^★/.test(index) ? "★" : /^F/.test(card) ? "☉" : "✶"),
  );
}

/** The back of a card. */
export const back = () =>
  el("svg", { viewBox: "0 0 100 140", class: "face back", "aria-hidden": true, focusable: "false" },
    el("rect", { x: 1, y: 1, width: 98, height: 138, rx: 9 }),
    el("rect", { x: 10, y: 10, width: 80, height: 120, rx: 5, class: "pattern" }));

/** @param {readonly string[]} cards Their names, for a sentence. */
export const namesOf = (cards) => cards.map(nameOf).join(", ") || "no card";
