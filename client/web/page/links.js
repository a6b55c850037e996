/**
 * Links into the page: `#join=kiwi-fox`, `#watch=t7`, `#game=g7`, `#review=g7`; `#game=22e1_...` has
 * the game in it, and needs no server.
 * @module
 */

/** @typedef {"join" | "watch" | "game" | "review"} Goal */

const GOALS = ["join", "watch", "game", "review"];

/** The goal of the link that opened this page. @returns {{ goal: Goal, what: string } | null} */
export function wanted(hash = location.hash) {
  const [, goal = "", what = ""] = /^#([a-z]+)=(.+)$/.exec(hash) ?? [];
  return GOALS.includes(goal) ? { goal: /** @type {Goal} */ (goal), what: decoded(what) } : null;
}

/** The link with a whole game in it that opened this page, or empty. */
export function wholeGame() {
  const { goal, what } = wanted() ?? {};
  return goal === "game" && what && /^22[a-z][0-9]+_/.test(what) ? what : "";
}

/** @param {string} what */
function decoded(what) {
  try {
    return decodeURIComponent(what);
  } catch {
    return what;
  }
}

/** @param {Goal} goal @param {string} what The address of this page that goes there. */
export const linkTo = (goal, what) =>
  `${location.origin}${location.pathname}${location.search}#${goal}=${encodeURIComponent(what)}`;

/** Goes there once: a reload must not join again. */
export const forget = () => history.replaceState(null, "", location.pathname + location.search);

/** The server's address: the place of this page, or that of `?server=`. */
export const serverAddress = () =>
  new URLSearchParams(location.search).get("server") ?? new URL(".", location.href).href.replace(/^http/, "ws");
