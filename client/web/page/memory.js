/**
 * The values that this browser keeps: the name, the token that takes the seat back, the settings.
 * @module
 */

import { serverAddress } from "./links.js";

/**
 * @typedef {object} Kept
 * @property {string} name
 * @property {string} token empty without a session to take up again
 * @property {boolean} account the name belongs to an account
 * @property {boolean} sound
 * @property {"four" | "two"} colors of the suits
 * @property {string} game the last game played
 */

/** Each server has its own: no other one may read the token, and several may share an origin. */
const key = () => `twentytwo ${serverAddress()}`;

/** @type {Kept} */
const USUAL = { name: "", token: "", account: false, sound: true, colors: "four", game: "twentytwo" };

/** The kept values. A browser that keeps nothing has the usual ones. @returns {Kept} */
export function kept() {
  try {
    return { ...USUAL, ...JSON.parse(localStorage.getItem(key()) ?? "{}") };
  } catch {
    return { ...USUAL };
  }
}

/** @param {Partial<Kept>} changes */
export function keep(changes) {
  try {
    localStorage.setItem(key(), JSON.stringify({ ...kept(), ...changes }));
  } catch {
    // Private windows may keep nothing.
  }
}
