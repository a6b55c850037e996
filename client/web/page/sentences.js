/**
 * Sentences with cards in them: `10H` is shown as a small card, and read aloud by its name.
 * @module
 */

import { nameOf, suitOf } from "./cards.js";
import { el } from "./dom.js";

/** @type {Record<string, string>} */
const SIGNS = { C: "♣", D: "♦", H: "♥", S: "♠" };
const CARD = /\b(10|[2-9TJQKA])([CDHS])\b/;

/**
 * A sentence of the server as children of an element.
 * @param {string} text
 * @returns {(string | HTMLElement)[]}
 */
export function withCards(text) {
  return text.split(/\b((?:10|[2-9TJQKA])[CDHS])\b/).map((part) => {
    const [, rank, suit] = CARD.exec(part) ?? [];
    if (!suit || part.length > 3) return part;
    const card = `${rank === "10" ? "T" : rank}${suit}`;
    return el("span", { class: `inline suit-${suitOf(card)}`, role: "img", "aria-label": nameOf(card) }, `${rank === "T" ? "10" : rank}${SIGNS[suit]}`);
  });
}
