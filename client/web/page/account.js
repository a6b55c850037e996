/**
 * Accounts: the forms to log in, to register, and to change the password. At a login the password
 * is proved by SCRAM and does not leave the page.
 * @module
 */

import * as dialogs from "./dialogs.js";
import { el } from "./dom.js";
import { keep } from "./memory.js";
import { shortName } from "./table.js";

/** @typedef {import("./visit.js").Visit} Visit */

/** @param {Visit} visit The actions of the buttons and forms. */
export const accountActions = (visit) => ({
  login: () => form("Log in", "log-in", field("name", "Name", "username"), field("password", "Password", "current-password", "password")),
  /** @param {DOMStringMap} _ @param {HTMLFormElement} [filled] */
  async "log-in"(_, filled) {
    const { name, password } = values(filled);
    await visit.logIn(name, password);
    dialogs.close();
  },
  register: () => form("Make an account", "sign-up",
    el("p", {}, `The name ${shortName(visit.server?.name ?? "")} becomes yours, with all your games.`),
    field("password", "Password, at least ten characters", "new-password", "password"),
    field("again", "The same password again", "new-password", "password")),
  /** @param {DOMStringMap} _ @param {HTMLFormElement} [filled] */
  async "sign-up"(_, filled) {
    const { password, again } = values(filled);
    if (password !== again) throw new Error("The two passwords differ.");
    await visit.server?.command(`register ${shortName(visit.server?.name ?? "")} :${password}`);
    keep({ account: true });
    dialogs.close();
  },
  password: () => form("Change my password", "new-password",
    field("old", "Password now", "current-password", "password"), field("password", "New password", "new-password", "password")),
  /** @param {DOMStringMap} _ @param {HTMLFormElement} [filled] */
  async "new-password"(_, filled) {
    const { old, password } = values(filled);
    await visit.server?.command(`password ${escaped(old)} :${password}`);
    dialogs.close();
  },
});

/** @param {string} text As the value of an argument. */
const escaped = (text) => text.replace(/[%, ]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);

/** @param {string} title @param {string} action @param {...HTMLElement} fields */
const form = (title, action, ...fields) =>
  dialogs.open(title, el("form", { "data-do": action, class: "account" }, ...fields,
    el("p", { class: "problem", role: "alert" }), el("p", {}, el("button", { class: "main" }, title))));

/** @param {string} name @param {string} label @param {string} complete @param {string} [type] */
const field = (name, label, complete, type = "text") =>
  el("label", {}, label, el("input", { name, type, autocomplete: complete, required: true }));

/** @param {HTMLFormElement} [filled] @returns {Record<string, string>} */
const values = (filled) => Object.fromEntries([...new FormData(filled)].map(([key, value]) => [key, `${value}`]));
