/**
 * Cards and packs. A card is a short text, as it travels: `QH`, `TS`, `X` (a joker), `14` and `F`.
 * @module
 */

import { GAMES } from "./words.js";

const RANKS = [..."23456789TJQKA"];
const SUITS = [..."CDHS"];

/**
 * The packs in the order in which every shuffle has to begin (SPEC.md, X7).
 * @param {number} packs
 * @param {number} jokers
 * @returns {string[]}
 */
export const standardPack = (packs, jokers) => [
  ...Array.from({ length: packs }, () => suited(RANKS)).flat(),
  ...Array(jokers).fill("X"),
];

/** The 32 cards of a piquet pack. */
export const piquetPack = () => suited(RANKS.slice(5));

/** The trumps of a tarot pack, from 1 to 21, and the Fool. */
export const tarotPack = () => [...Array.from({ length: 21 }, (_, n) => `${n + 1}`), "F"];

/** @param {string[]} ranks */
const suited = (ranks) => SUITS.flatMap((suit) => ranks.map((rank) => rank + suit));

/**
 * The cards in the order of a hand, low to high by the rules of a game; piquet cards by suit.
 * @param {Iterable<string>} cards
 * @param {string} game the key of the game
 * @param {Map<string, string>} [options] those of the table
 * @returns {string[]}
 */
export function inHand(cards, game, options = new Map()) {
  const { deck, orders } = GAMES[game] ?? { deck: "standard" };
  if (deck === "tarot") {
    /** @param {string} card */
    const worth = (card) => (card === "F" ? 23 : Number(card.replace("F", "")));
    return [...cards].sort((a, b) => worth(a) - worth(b));
  }
  const usual = Object.values(orders ?? {})[0];
  const ranks = orders?.[options.get("order") ?? ""] ?? usual ?? `${RANKS.join("")}X`;
  /** @param {string} card */
  const rank = (card) => ranks.indexOf(card[0]);
  /** @param {string} a @param {string} b */
  const bySuit = (a, b) => (a.slice(1) < b.slice(1) ? -1 : Number(a.slice(1) > b.slice(1)));
  return [...cards].sort(
    deck === "piquet"
      ? (a, b) => bySuit(a, b) || rank(a) - rank(b)
      : (a, b) => rank(a) - rank(b) || bySuit(a, b),
  );
}
