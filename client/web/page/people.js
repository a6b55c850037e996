/**
 * Dialogs about another person: a message, a friend, silence, a report.
 * @module
 */

import * as dialogs from "./dialogs.js";
import { button, el } from "./dom.js";
import { shortName } from "./table.js";

/** @typedef {import("./visit.js").Visit} Visit */
/** @typedef {import("./sdk/words.js").Rows} Rows */

/** @param {Visit} visit The actions about people. */
export function peopleActions(visit) {
  const server = () => /** @type {import("./sdk/index.js").Server} */ (visit.server);
  /** @param {string} line */
  const order = async (line) => visit.tell((await server().command(line)).ok.text);
  /** @param {string} title @param {string} action @param {string} name @param {string} label */
  const form = (title, action, name, label) =>
    dialogs.open(title,
      el("form", { class: "account", "data-do": action, "data-name": name },
        el("label", {}, label, el("input", { name: "text", required: true, maxlength: 300, autocomplete: "off" })),
        el("p", { class: "problem", role: "alert" }), el("p", {}, el("button", { class: "main" }, "Send"))));
  /** @param {HTMLFormElement} [filled] */
  const text = (filled) => `${new FormData(filled).get("text")}`.trim();
  return {
    /** @param {DOMStringMap} data */
    async person({ name = "" }) {
      const bot = name.startsWith("bot:");
      const [profile] = bot ? [] : (await server().listing("PROFILE", `profile ${name}`));
      const ratings = name.startsWith("~") ? [] : await server().listing("RATING", `rating ${bot ? name.replace(/[0-9]+$/, "") : name}`).catch(() => []);
      const muted = visit.muted.has(name);
      const facts = [
        bot ? "A bot of this server. It sees only what a player in its seat sees." : profile?.made ? `Has an account since ${new Date(profile.made).toLocaleDateString([], { dateStyle: "medium" })}.` : "A guest.",
        ...ratings.map((row) => `${row.game} (${row.rules}): ${row.rating} after ${row.games} rated games.`),
      ];
      dialogs.open(shortName(name),
        ...facts.map((fact) => el("p", {}, fact)),
        bot ? null : el("div", { class: "choices" },
          button("profile", "Games and statistics", { "data-name": name, "data-tab": "games" }),
          button("message", "Send a message", { "data-name": name }),
          name.startsWith("~") ? null : button("friend", "Add to my friends", { "data-name": name }),
          button("mute", muted ? "Show what they say again" : "Hide what they say at this table", { "data-name": name, class: "quiet" }),
          button("block", "Block: hear nothing more from them", { "data-name": name, class: "quiet" }),
          button("accuse", "Report to the operator", { "data-name": name, class: "quiet" })));
    },
    /** @param {DOMStringMap} data */
    message: ({ name = "" }) => form(`To ${shortName(name)}`, "send-message", name, "Your message"),
    /** @param {DOMStringMap} data @param {HTMLFormElement} [filled] */
    async "send-message"({ name = "" }, filled) {
      await server().tell(name, text(filled));
      dialogs.close();
    },
    /** @param {DOMStringMap} data */
    mute({ name = "" }) {
      if (!visit.muted.delete(name)) visit.muted.add(name);
    },
    /** @param {DOMStringMap} data */
    accuse: ({ name = "" }) => form(`Report ${shortName(name)}`, "send-report", name, "What has happened?"),
    /** @param {DOMStringMap} data @param {HTMLFormElement} [filled] */
    async "send-report"({ name = "" }, filled) {
      await order(`report ${name} :${text(filled)}`);
      dialogs.close();
    },
    fair() {
      const { shown } = visit;
      const seal = shown?.state.committed;
      dialogs.open("The shuffle",
        el("p", {}, `${shown?.fair ?? (shown?.state.game ? "The check comes at the end of a game." : "This page adds a secret word of its own to every shuffle, and checks the deals at the end of each game.")}`),
        seal ? el("p", {}, seal.text ?? "", " ", el("code", {}, seal.hash)) : null,
        shown?.state.phase === "playing" || shown?.state.me === undefined ? null : el("form", { class: "account", "data-do": "send-word" },
          el("label", {}, "Or add a word that you choose, for the next game:",
            el("input", { name: "text", required: true, maxlength: 64, pattern: "[A-Za-z0-9_\\-]+", title: "Letters, digits, - and _", autocomplete: "off" })),
          el("p", { class: "problem", role: "alert" }), el("p", {}, el("button", { class: "quiet" }, "Add it"))));
    },
    /** @param {DOMStringMap} _ @param {HTMLFormElement} [filled] */
    async "send-word"(_, filled) {
      await order(`seed ${text(filled)} table=${visit.shown?.on}`);
      dialogs.close();
    },
  };
}
