/**
 * Tells a player who looks elsewhere that it is their turn: title, icon, sound, notification.
 * @module
 */

import { kept } from "./memory.js";

const TITLE = document.title;
/** @type {AudioContext | undefined} */
let audio;
/** @type {Notification | undefined} */
let shown;

/**
 * Shows whose turn it is. Call it after every change.
 * @param {boolean} mine
 * @param {boolean} fresh the question is a new one
 */
export function noticeTurn(mine, fresh) {
  const title = mine ? `● Your turn – ${TITLE}` : TITLE;
  if (document.title !== title) document.title = title;
  const icon = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=icon]"));
  const href = mine ? "icon-turn.svg" : "icon.svg";
  if (icon.getAttribute("href") !== href) icon.setAttribute("href", href);
  if (!mine || !document.hidden) shown?.close();
  if (!mine || !fresh || !document.hidden) return;
  if (kept().sound) beep();
  if ("Notification" in window && Notification.permission === "granted") {
    shown = new Notification("Your turn", { body: TITLE, tag: "turn", icon: "icon.svg" });
    shown.onclick = () => window.focus();
  }
}

/** Lets the page make sounds: browsers ask for a click or a key first. */
export function allowSound() {
  audio ??= "AudioContext" in window ? new AudioContext() : undefined;
  void audio?.resume();
}

/** Asks once whether the page may show notifications; on a later visit the answer is known. */
export function askForNotifications() {
  if ("Notification" in window && Notification.permission === "default") void Notification.requestPermission();
}

function beep() {
  if (audio === undefined) return;
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.frequency.value = 660;
  volume.gain.setValueAtTime(0.12, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.4);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.4);
}
