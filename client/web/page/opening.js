/**
 * The form that opens a table to one's taste: game, rules, seats, clock, bots, one deck for two tables, rated or not.
 * @module
 */

import * as dialogs from "./dialogs.js";
import { el } from "./dom.js";
import { kept } from "./memory.js";
import { GAMES } from "./sdk/index.js";

/** @typedef {import("./visit.js").Visit} Visit */
/** @typedef {import("./sdk/words.js").Rows} Rows */

/** @type {[string, string][]} */
const CLOCKS = [["60+120", "60 seconds a move, and 120 for the game"], ["30", "30 seconds a move"], ["15", "15 seconds a move"], ["0", "no clock"]];

/** The fields that a rated table does not take. */
const NOT_RATED = "[name=bots], [name=level], [name=duplicate], [data-usual]";

/** @param {Visit} visit Asks for everything about a new table; the form does `open-table`. */
export async function askForTable(visit) {
  const server = /** @type {import("./sdk/index.js").Server} */ (visit.server);
  const games = await server.listing("GAME", "games");
  const form = /** @type {HTMLFormElement} */ (el("form", { class: "account", "data-do": "open-table" }));
  const account = !visit.name.startsWith("~");
  let { game } = kept();
  let rules = "";
  let rated = false;
  const draw = async () => {
    const facts = games.find((each) => each.game === game) ?? games[0];
    if (!facts.presets.includes(rules)) rules = facts.presets[0];
    const options = await server.listing("RULE", `rules ${facts.game} rules=${rules} n=500`);
    form.replaceChildren(
      select("game", "Game", games.map((each) => [each.game, each.text ?? GAMES[each.game]?.title ?? each.game]), game),
      select("rules", "Rules", facts.presets.map((each) => [each, each]), rules),
      number("seats", "Seats", facts.min, facts.max, Math.max(facts.min, Math.min(4, facts.max))),
      number("bots", "Bots to begin with", 0, facts.max - 1, 0),
      select("level", "Their level", [["steady", "steady"], ["easy", "easy"], ["hard", "hard"]], "steady"),
      select("clock", "Clock", CLOCKS, "60+120"),
      number("duplicate", "Two tables with one deck: hands (0: one table)", 0, 32, 0),
      tick("private", "Only for those who have the link", true),
      tick("watch", "Others may watch", true),
      account
        ? tick("rated", "Rated: only accounts sit there, no bots, and the rules stay as they are", rated)
        : el("p", {}, "With an account you can open a rated table, too."),
      el("details", {}, el("summary", {}, "The rules in detail"), ...options.map(optionField)),
      el("p", { class: "problem", role: "alert" }),
      el("p", {}, el("button", { class: "main" }, "Open the table")));
    limit();
  };
  const limit = () => {
    for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll(NOT_RATED))) field.disabled = rated;
  };
  form.addEventListener("change", ({ target }) => {
    const { name, value, checked } = /** @type {HTMLInputElement} */ (target);
    if (name === "rated") {
      rated = checked;
      return limit();
    }
    if (name === "game") game = value;
    else if (name === "rules") rules = value;
    else return;
    void draw();
  });
  await draw();
  dialogs.open("Your own table", form);
}

/**
 * The arguments of `open` in the filled form. An option that is as usual is left out.
 * @param {HTMLFormElement} form @param {string} word of a private table
 * @returns {import("./sdk/server.js").Args}
 */
export function wishesIn(form, word) {
  const data = new FormData(form);
  /** @param {string} name */
  const said = (name) => `${data.get(name) ?? ""}`;
  /** @param {string} name */
  const count = (name) => Number(said(name)) || undefined;
  /** @type {import("./sdk/server.js").Args} */
  const options = {};
  for (const field of /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement>} */ (form.querySelectorAll("[data-usual]:enabled"))) {
    if (field.value !== field.dataset.usual) options[field.name] = field.value;
  }
  return {
    game: said("game"), rules: said("rules"), seats: count("seats"), bots: count("bots"), level: count("bots") && said("level"), clock: said("clock"),
    duplicate: count("duplicate"), private: said("private") ? word : undefined, watch: said("watch") ? undefined : "none", rated: said("rated") ? true : undefined, ...options,
  };
}

/** @param {string} name @param {string} label @param {[string, string][]} values @param {string} value @param {Record<string, string>} [more] */
const select = (name, label, values, value, more = {}) =>
  el("label", {}, label, el("select", { name, ...more }, ...values.map(([key, text]) => el("option", { value: key, selected: key === value }, text))));

/** @param {string} name @param {string} label @param {number} min @param {number} max @param {number | string} value @param {Record<string, string>} [more] */
const number = (name, label, min, max, value, more = {}) => el("label", {}, label, el("input", { type: "number", name, min, max, value, required: true, ...more }));

/** @param {string} name @param {string} label @param {boolean} checked */
const tick = (name, label, checked) => el("label", { class: "tick" }, el("input", { type: "checkbox", name, checked }), label);

/** @param {Rows["RULE"]} rule */
function optionField(rule) {
  const label = rule.text ? `${rule.key}: ${rule.text}` : rule.key;
  const usual = { "data-usual": rule.default };
  if (rule.type === "int") {
    const least = rule.values?.includes("0") ? 0 : rule.min ?? 0;
    return number(rule.key, label, least, rule.max ?? 1000, rule.default, usual);
  }
  return select(rule.key, label, (rule.values ?? [rule.default]).map((value) => [value, value]), rule.default, usual);
}
