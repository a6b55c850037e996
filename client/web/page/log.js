/**
 * The log of a table: the sentences of the game and the talk, for eyes and for screen readers.
 * @module
 */

import { button, el } from "./dom.js";
import { sentence } from "./sentences.js";

/** @typedef {import("./story.js").Story} Story */

/**
 * The sentences and the line to talk. The list is a live region: a screen reader reads what is new.
 * @param {Story} story
 * @param {boolean} watching talk goes to the watchers
 * @param {boolean} alone nobody would hear
 */
export function logPicture(story, watching, alone) {
  return el("aside", { class: "log", "aria-label": "What happens" },
    el("div", { class: "lines", role: "log", tabindex: 0 },
      el("div", {}, ...story.sentences.map(({ id, parts, kind }) => el("p", { "data-key": `s${id}`, class: kind }, ...sentence(parts))))),
    !alone && el("form", { "data-do": "say" },
      el("label", { for: "say", class: "read" }, watching ? "Say to the watchers" : "Say to the table"),
      el("input", { id: "say", name: "text", maxlength: 300, autocomplete: "off", placeholder: watching ? "To the watchers" : "To the table" }),
      button("none", "Say", { type: "submit", class: "quiet" })));
}
