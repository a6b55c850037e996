/**
 * The menu of the page, and the dialog that invites friends.
 * @module
 */

import * as dialogs from "./dialogs.js";
import { button, el } from "./dom.js";
import { linkTo } from "./links.js";
import { kept } from "./memory.js";
import { qrPicture } from "./qr.js";

/** @typedef {import("./visit.js").Visit} Visit */

/** @param {string} word of a private table */
export function inviteFriends(word) {
  const url = linkTo("join", word);
  dialogs.open("Invite friends",
    el("p", {}, "Send this link. Whoever opens it sits down at your table."),
    el("p", {}, el("code", {}, url)),
    el("p", {}, button("share", "share" in navigator ? "Send" : "Copy", { class: "main", "data-word": word })),
    qrPicture(url),
    el("p", {}, "In a terminal: ", el("b", {}, `join ${word}`)));
}

/** @param {Visit} visit Opens the menu: what can be done now, and the settings. */
export function menu({ shown, name }) {
  const memory = kept();
  const state = shown?.state;
  const plays = state?.phase === "playing" && state.me !== undefined;
  const people = [...(state?.seats.values() ?? [])].filter((seat) => !seat.name.startsWith("bot:"));
  dialogs.open("Menu",
    el("div", { class: "choices" },
      ...(plays
        ? [
            button(state.paused ? "unpause" : "pause", state.paused ? "Go on" : "Pause"),
            ...(people.length === 1 ? [button("undo", "Take back my last move"), button("again", "Play this hand again")] : []),
            button("rematch", "Begin a new game"),
            button("abort", "Abort the game"),
            button("resign", "Resign"),
          ]
        : []),
      ...(shown && !plays && state?.me !== undefined ? [button("fair", "The shuffle")] : []),
      ...(name ? [button("profile", "My games, friends and statistics", { "data-tab": "games" })] : []),
      ...(shown ? [button("home", "To the first screen"), button("leave", "Leave the table")] : []),
      button("sound", memory.sound ? "Turn the sound off" : "Turn the sound on"),
      button("colors", memory.colors === "four" ? "Suits in two colours" : "Suits in four colours"),
      ...(name && (memory.account ? [button("password", "Change my password")] : [button("register", "Keep my name: make an account")]) || []),
      ...(name ? [button("quit", "Log out", { class: "quiet" })] : [])));
}
