/**
 * Dialogs: menus, questions, forms. One is open at a time; Escape closes it.
 * @module
 */

import { button, el } from "./dom.js";

/**
 * Opens a dialog with these contents. A `data-do` in it acts as anywhere else, and closes it.
 * @param {string} title
 * @param {...(HTMLElement | null)} children
 */
export function open(title, ...children) {
  close();
  const dialog = /** @type {HTMLDialogElement} */ (
    el("dialog", { "aria-label": title },
      el("h2", {}, title), ...children,
      el("p", { class: "close" }, button("close", "Close", { class: "quiet" }))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Closes the open dialog, if there is one. */
export const close = () => document.querySelector("dialog")?.close();

/**
 * Asks before something is lost; true for yes.
 * @param {string} text
 * @param {string} yes the label of the button
 * @returns {Promise<boolean>}
 */
export function confirmed(text, yes) {
  return new Promise((resolve) => {
    const sure = button("close", yes, { class: "main" });
    sure.addEventListener("click", () => resolve(true));
    open("Are you sure?", el("p", {}, text), el("p", {}, sure)).addEventListener("close", () => resolve(false));
  });
}

/** @param {string} title @param {string} text Shows a longer text, line by line. */
export const tell = (title, text) =>
  open(title, ...text.split(/\n| {2,}/).map((line) => el("p", {}, line)));
