/**
 * Sentences as elements: `10H` is shown as a small card, and read aloud by its name.
 * @module
 */

import { suitOf } from "./cards.js";
import { el } from "./dom.js";
import { spoken } from "./spoken.js";

/** @typedef {import("./spoken.js").Part} Part */

/** @type {Record<string, string>} */
const SIGNS = { C: "♣", D: "♦", H: "♥", S: "♠" };

/**
 * A sentence as children of an element.
 * @param {readonly Part[]} parts
 */
export const sentence = (parts) =>
  parts.map((part) =>
    typeof part === "string" ? part : el("span", { class: "cards", role: "img", "aria-label": part.said }, ...part.shown.split(" ").flatMap((card, at) => (at ? [" ", small(card)] : [small(card)]))));

/** @param {string} card As the server writes it: `10H`, `Q`, `joker(K)`. */
function small(card) {
  const suit = suitOf(card.replace("10", "T"));
  return el("span", { class: `inline${suit ? ` suit-${suit}` : ""}` }, suit ? `${card.slice(0, -1)}${SIGNS[suit]}` : card);
}

/** @param {string} text An answer of the server, as children of an element. */
export const withCards = (text) => sentence(spoken(text));
