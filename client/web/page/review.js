/**
 * The review of a finished game: the course of everybody's chances, the marked moves, the luck.
 * @module
 */

import { namesOf } from "./cards.js";
import { button, el } from "./dom.js";
import { partsOf } from "./sdk/index.js";
import { withCards } from "./sentences.js";

/** @typedef {import("./sdk/words.js").Rows} Rows */
/**
 * @typedef {object} Review
 * @property {Rows["MARKED"][]} marks
 * @property {Rows["CHANCES"][]} chances
 * @property {Rows["LUCK"][]} luck
 * @property {string} text
 */

/** @param {readonly { ev: string }[]} rows @param {string} [text] @returns {Review} */
export function reviewOf(rows, text = "") {
  /** @param {string} ev */
  const all = (ev) => /** @type {any[]} */ (rows.filter((row) => row.ev === ev));
  return { marks: all("MARKED"), chances: all("CHANCES"), luck: all("LUCK"), text };
}

/** @param {string} act @param {string} token A move in words: `play king`, `keep all cards`. */
export function moveText(act, token) {
  if (act === "exchange") return token === "-" ? "keep all cards" : `exchange ${namesOf(partsOf(token))}`;
  if (act === "bid") return /^[0-9]+$/.test(token) ? `bid ${token}` : token === "redeal" ? "ask for a new deal" : token;
  if (act === "declare") return token === "call" ? "call for the trump" : "not call for the trump";
  return `${act === "trump" ? "lay down" : "play"} ${namesOf(partsOf(token))}`;
}

/** @param {Review} review @param {string[]} names by seat, seat 1 first */
export const reviewPicture = (review, names) =>
  el("section", { class: "review", "aria-label": "Review" },
    el("h2", {}, "Review"),
    el("p", {}, review.text),
    curve(review, names),
    review.marks.length > 0 && el("ol", { class: "marks" }, ...review.marks.map((mark) => markPicture(mark, names))),
    review.luck.length > 0 && el("h2", {}, "The luck of the deal"),
    review.luck.length > 0 && el("ul", {}, ...review.luck.map((row) => el("li", {}, luckText(row, names[row.seat - 1])))),
  );

/** @param {Rows["MARKED"]} mark @param {string[]} names */
function markPicture(mark, names) {
  const place = `Hand ${mark.no}${mark.trick ? `, trick ${mark.trick}` : ""}`;
  return el("li", { class: mark.mark },
    el("p", {}, el("b", { class: "kind" }, capital(mark.mark)), ` ${place}. ${markText(mark, names)}`),
    mark.text && el("p", {}, ...withCards(mark.text)),
    el("p", {},
      button("review-show", "Show", { "data-turn": mark.turn, "data-seat": mark.seat, "aria-label": `Show ${place}` }),
      button("whatif", "Play on from here", {
        class: "quiet", "data-at": mark.trick ? `${mark.no}.${mark.trick}` : `${mark.no}`, "data-seat": mark.seat, "aria-label": `Play on from here: ${place}`,
      })));
}

/** @param {Rows["MARKED"]} mark @param {string[]} names */
export const markText = (mark, names) =>
  `${names[mark.seat - 1]} chose to ${moveText(mark.act, mark.answer)}. Better: ${moveText(mark.act, mark.best)}.`;

/** @param {Rows["LUCK"]} row @param {string} name */
function luckText(row, name) {
  const luck = (row.expected - row.share) / 100;
  const cards = luck > 0.3 ? "poor cards" : luck < -0.3 ? "good cards" : "even cards";
  const hands = `${row.hands} ${row.hands === 1 ? "hand" : "hands"}`;
  return `${name}: ${cards}. Average players lose ${(row.expected / 100).toFixed(1)} of ${hands} with them; ${name} lost ${row.losses}.`;
}

/** @param {string} word */
const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

const [WIDTH, HEIGHT] = [600, 160];

/** The curve, with a dot for each mark, and the same as a table. @param {Review} review @param {string[]} names */
function curve({ chances, marks }, names) {
  if (chances.length < 2) return null;
  const lastNo = chances[chances.length - 1].no;
  /** @param {number} no */
  const x = (no) => 30 + (no / lastNo) * (WIDTH - 40);
  /** @param {number} chance */
  const y = (chance) => 10 + (1 - chance / 100) * (HEIGHT - 30);
  /** @param {number} no @param {number} seat */
  const at = (no, seat) => chances.find((row) => row.no === no)?.chances[seat - 1] ?? 0;
  const dots = marks.map((mark) =>
    el("circle", { cx: x(mark.no - 0.5), cy: y((at(mark.no - 1, mark.seat) + at(mark.no, mark.seat)) / 2), r: 6, class: `dot ${mark.mark}` }));
  const every = Math.ceil(lastNo / 12);
  return el("div", { class: "curve" },
    el("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": true, focusable: "false" },
      ...[0, 50, 100].flatMap((level) => [
        el("line", { x1: 30, x2: WIDTH - 10, y1: y(level), y2: y(level), class: "grid" }),
        el("text", { x: 26, y: y(level) + 4, class: "level" }, level),
      ]),
      ...chances.filter(({ no }) => no && no % every === 0).map(({ no }) => el("text", { x: x(no), y: HEIGHT - 4, class: "no" }, no)),
      ...names.map((_, seat) =>
        el("polyline", { class: `line s${seat % 6}`, points: chances.map((row) => `${x(row.no)},${y(row.chances[seat])}`).join(" ") })),
      ...dots),
    el("p", { class: "legend" }, "Chance to win after each hand: ", ...names.map((name, seat) => el("span", { class: `key s${seat % 6}` }, name))),
    el("details", {},
      el("summary", {}, "The same in numbers"),
      el("table", {},
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Hand"), ...names.map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, ...chances.map((row) =>
          el("tr", {}, el("th", { scope: "row" }, row.no || "start"), ...row.chances.map((chance) => el("td", {}, `${chance} %`))))))));
}
