/**
 * The values that this browser keeps: the name, the token that takes the seat back, the settings.
 * @module
 */

/**
 * @typedef {object} Kept
 * @property {string} name
 * @property {string} token empty without a session to take up again
 * @property {boolean} account the name belongs to an account
 * @property {boolean} sound
 * @property {"four" | "two"} colors of the suits
 * @property {string} game the last game played
 */

const KEY = "twentytwo";

/** @type {Kept} */
const USUAL = { name: "", token: "", account: false, sound: true, colors: "four", game: "twentytwo" };

/** The kept values. A browser that keeps nothing has the usual ones. @returns {Kept} */
export function kept() {
  try {
    return { ...USUAL, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...USUAL };
  }
}

/** @param {Partial<Kept>} changes */
export function keep(changes) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...kept(), ...changes }));
  } catch {
    // Private windows may keep nothing.
  }
}
