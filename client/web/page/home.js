/**
 * The first screen: the name, the ways to a game, and who is here.
 * @module
 */

import { button, el } from "./dom.js";
import { GAMES } from "./sdk/index.js";
import { TABS } from "./tabs.js";
import { shortName } from "./table.js";

/** @typedef {import("./sdk/words.js").Rows} Rows */
/**
 * The content of the first screen.
 * @typedef {object} Lobby
 * @property {Rows["TABLE"][]} tables
 * @property {Rows["SEEK"][]} seeks
 * @property {Rows["USER"][]} users
 * @property {{ name: string, on?: string }[]} invitations
 * @property {string[]} messages what people have said
 */
/**
 * @typedef {object} Guest
 * @property {string} name the name that the server gave; empty before that
 * @property {string} wanted the name of the last visit
 * @property {string} game the game that is chosen
 * @property {string} goal what the link of this page leads to, in words; or empty
 * @property {string} problem
 */

/** @param {Guest} guest @param {Lobby} lobby */
export function homePicture(guest, lobby) {
  return el("section", { class: "home", "data-key": "home", "aria-label": "Choose a game" },
    el("header", { class: "bar" },
      el("h1", {}, "Twenty-Two"),
      el("p", { class: "facts" }, "and its relatives, with friends, strangers or bots"),
      button("menu", guest.name ? shortName(guest.name) : "Menu", { class: "quiet", "aria-haspopup": "dialog" })),
    guest.name ? null : nameForm(guest),
    guest.problem && el("p", { class: "problem", role: "alert" }, guest.problem),
    guest.goal && el("p", { class: "goal" }, guest.goal),
    guest.goal ? null : ways(guest),
    guest.name && !guest.goal ? nav() : null,
    guest.goal ? null : people(lobby, guest.name !== ""),
    el("footer", {},
      el("p", {}, "No account needed. ", el("a", { href: "ways" }, "Play from a terminal, by ssh or with netcat"), " at the same tables.")),
  );
}

/** @param {Guest} guest */
const nameForm = (guest) =>
  el("form", { class: "name", "data-do": "name" },
    el("label", { for: "name" }, "Your name"),
    el("input", {
      id: "name", name: "name", value: guest.wanted, maxlength: 16, required: true, autocomplete: "nickname",
      autocapitalize: "off", spellcheck: "false", pattern: "[A-Za-z][A-Za-z0-9_\\-]*", title: "Letters, digits, - and _",
    }),
    el("button", { class: guest.goal ? "main" : "quiet" }, "Come in"),
    button("login", "I have an account", { class: "quiet" }));

/** @param {Guest} guest */
function ways(guest) {
  return el("div", { class: "ways" },
    el("fieldset", { class: "games" },
      el("legend", {}, "Which game?"),
      ...Object.entries(GAMES).map(([key, { title }]) =>
        el("label", {},
          el("input", { type: "radio", name: "game", value: key, "data-do": "game", checked: key === guest.game }),
          el("span", {}, title)))),
    el("div", { class: "big" },
      way("practice", "Play now", "against bots, at once"),
      way("tutorial", "Learn", "the rules in four minutes, at the table"),
      way("daily", "Daily deal", "the same cards for everybody today"),
      way("friends", "With friends", "a table with a link to send"),
      way("own", "Your own table", "rules, seats, clock, two tables with one deck"),
      way("seek", "With strangers", "as soon as somebody else looks for a game")));
}

const nav = () =>
  el("nav", { class: "eyes mine-nav", "aria-label": "About you" },
    ...Object.entries(TABS).map(([tab, label]) => button("profile", label, { "data-tab": tab, "data-key": `tab${tab}`, class: "quiet" })));

/** @param {string} action @param {string} title @param {string} text */
const way = (action, title, text) =>
  el("button", { type: "button", class: "way", "data-do": action, "data-key": action }, el("b", {}, title), el("span", {}, text));

/** @param {Lobby} lobby @param {boolean} named only people with a name see who is here */
function people({ tables, seeks, users, invitations, messages }, named) {
  const open = tables.filter((table) => table.phase !== "closed");
  return el("div", { class: "people" },
    el("div", { role: "log", "aria-label": "Messages" }, list("Messages", messages.map((text) => el("li", {}, text)), "")),
    list("Invitations", invitations.map(({ name, on }) =>
      el("li", { "data-key": `invitation${name}` }, `${shortName(name)} invites you${on ? ` to ${on}` : ""} `,
        button("accept", "Accept", { "data-name": name }), button("decline", "Decline", { "data-name": name, class: "quiet" }))), ""),
    list("They look for players", seeks.map((seek) =>
      el("li", { "data-key": `seek${seek.seek}` }, `${shortName(seek.name)}: ${titleOf(seek.game)}, ${seek.players} players `,
        button("accept", "Play", { "data-name": seek.name, "data-seek": seek.seek }))), named ? "Nobody looks for players now." : ""),
    list("Tables", open.map((table) =>
      el("li", { "data-key": table.on },
        el("bdi", {}, table.text || titleOf(table.game)), ` · ${shortName(table.host)} · ${table.taken} of ${table.seats} `,
        (table.taken < table.seats && table.phase !== "playing") || table.vacant ? button("join", "Sit down", { "data-on": table.on }) : null,
        button("watch", "Watch", { "data-on": table.on, class: "quiet" }))), "No table is open."),
    list("Here", users.map((user) => el("li", { "data-key": `user${user.name}` }, shortName(user.name), user.bot ? " (a program)" : "")), ""),
  );
}

/** @param {string} title @param {HTMLElement[]} rows @param {string} none */
const list = (title, rows, none) =>
  rows.length || none ? el("section", {}, el("h2", {}, title), rows.length ? el("ul", {}, ...rows) : el("p", {}, none)) : null;

/** @param {string} game */
const titleOf = (game) => GAMES[game]?.title ?? game;
