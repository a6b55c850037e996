/**
 * Moves: which of the legal tokens are the cards that a player has in mind.
 *
 * A token is cards or ranks joined with `+`: `QH`, `Q+Q`, `9+X`. Other games have bids and words,
 * which are no cards.
 * @module
 */

/** No card. */
export const NONE = "-";

/**
 * Cards as a token.
 * @param {string[]} cards
 */
export const tokenOf = (cards) => (cards.length ? cards.join("+") : NONE);

/**
 * The parts of a token.
 * @param {string} token
 */
export const partsOf = (token) => (token === NONE ? [] : token.split("+"));

/**
 * True if a part of a token may be this card: the card itself, its rank, or the Fool with a value.
 * @param {string} part
 * @param {string} card
 */
const means = (part, card) =>
  part === card ||
  (card === "F" ? /^F[0-9]+$/.test(part) : /^.[CDHS]$/.test(card) && part === card[0]);

/**
 * The parts of a token that are left when these cards are taken out; null if one of them is not in
 * it.
 * @param {string} token
 * @param {string[]} cards
 */
function without(token, cards) {
  const left = partsOf(token);
  for (const card of cards) {
    const at = left.findIndex((part) => means(part, card));
    if (at < 0) return null;
    left.splice(at, 1);
  }
  return left;
}

/**
 * The legal tokens that are exactly these cards. They are several where a card can be played in
 * several ways, as the Fool can: `F0`, `F22`.
 * @param {readonly string[]} legal
 * @param {string[]} cards
 */
export const movesWith = (legal, cards) =>
  legal.filter((token) => without(token, cards)?.length === 0);

/**
 * The cards of the hand that can go with those chosen so far, so that a legal move may come of it.
 * @param {readonly string[]} legal
 * @param {readonly string[]} hand
 * @param {string[]} chosen
 */
export function cardsFor(legal, hand, chosen) {
  const left = [...hand];
  for (const card of chosen) {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
  }
  return left.filter((card) => legal.some((token) => without(token, [...chosen, card])));
}

/**
 * The cards of the hand that a token would play; fewer than it has parts if they are not there.
 * @param {string} token
 * @param {readonly string[]} hand
 */
export function cardsOf(token, hand) {
  const left = [...hand];
  const found = [];
  for (const part of partsOf(token)) {
    const at = left.findIndex((card) => means(part, card));
    if (at >= 0) found.push(...left.splice(at, 1));
  }
  return found;
}
