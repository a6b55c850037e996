/**
 * The page: shows the first screen or a table, and does what is tapped, clicked or typed.
 * @module
 */

import { actions } from "./actions.js";
import * as dialogs from "./dialogs.js";
import { button, el, patch } from "./dom.js";
import { homePicture } from "./home.js";
import { wanted, wholeGame } from "./links.js";
import { logPicture } from "./log.js";
import { kept } from "./memory.js";
import { allowSound, noticeTurn } from "./notices.js";
import { Refused } from "./sdk/index.js";
import { tablePicture } from "./table.js";
import { Visit, withoutTyping } from "./visit.js";

/** @typedef {import("./sdk/index.js").Table} Table */

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const line = /** @type {HTMLElement} */ (document.getElementById("line"));
const visit = new Visit(show);
const ACTIONS = actions(visit);

// -------------------------------------------------------------------------------- the picture

let due = false;

/** Shows everything as it is now, once for any number of changes. */
function show() {
  const fresh = visit.isAskedAnew();
  noticeTurn(visit.question !== undefined, fresh);
  if (due) return;
  due = true;
  // A hidden page gets no frames, and its picture must be right when it is seen again.
  if (document.hidden) setTimeout(draw);
  else requestAnimationFrame(draw);
}

function draw() {
  due = false;
  const { shown } = visit;
  drawLine();
  if (!visit.screen && !visit.knowsTable) return;
  const held = document.activeElement;
  const at = handCards().findIndex((card) => card === held);
  patch(main, el("main", { id: "main", class: shown && !visit.screen ? "playing" : "" }, ...picture()));
  if (held && !held.isConnected) focusNear(at);
  if (!readsBack || resized) main.querySelector(".lines")?.scrollTo(0, 1e6);
  resized = false;
  document.documentElement.dataset.colors = kept().colors;
  // What was dragged keeps its own value.
  for (const slider of /** @type {NodeListOf<HTMLInputElement>} */ (main.querySelectorAll("[type=range]"))) slider.value = slider.getAttribute("value") ?? "";
}

function picture() {
  if (visit.screen) return [visit.screen.picture()];
  return visit.shown ? tableScreen(visit.shown) : [homeScreen()];
}

/** True while somebody reads older sentences. New ones are shown to everybody else. */
let readsBack = false;
let resized = false;
document.addEventListener("scroll", ({ target }) => {
  if (!(target instanceof HTMLElement) || !target.matches(".lines")) return;
  readsBack = target.scrollTop + target.clientHeight < target.scrollHeight - 8;
}, true);
// Another size of the window scrolls, too, and nobody has meant it.
addEventListener("resize", () => {
  resized = true;
  show();
});

/** The buttons of the cards in the hand. */
const handCards = () => [.../** @type {NodeListOf<HTMLButtonElement>} */ (main.querySelectorAll(".hand button"))];

/** @param {number} at Moves the focus to the card in this place, because what had the focus is gone. */
function focusNear(at) {
  const cards = handCards();
  /** @type {HTMLElement | null} */
  const next = cards[Math.min(Math.max(at, 0), cards.length - 1)] ?? main.querySelector(".actions button:enabled, .felt, button");
  next?.focus({ preventScroll: true });
}

/** The line that tells of a lost connection. */
function drawLine() {
  const { server } = visit;
  const lost = server !== undefined && !server.here;
  document.body.classList.toggle("lost", lost);
  line.hidden = !lost;
  const text = server?.ended ? `The connection is over: ${server.ended.message} ` : "The line dropped. Trying again… ";
  if (lost && !line.textContent?.startsWith(text)) {
    line.replaceChildren(text, button("again-now", server?.ended ? "Come in again" : "Try now"));
  }
}

function homeScreen() {
  const { name: wantedName, game } = kept();
  const goal = wanted();
  const goals = {
    join: "You are invited to a table. Type your name, and sit down.",
    watch: `Type your name to watch ${goal?.what}.`,
    game: wholeGame() ? "One moment…" : `Type your name to see the game ${goal?.what}.`,
    review: `Type your name to see the review of ${goal?.what}.`,
  };
  return homePicture(
    { name: visit.name, wanted: wantedName, game, goal: goal && !visit.name ? goals[goal.goal] : "", problem: visit.problem },
    visit.lobby,
  );
}

/** @param {Table} table */
function tableScreen(table) {
  const story = visit.story(table.on);
  const { question, chosen, problem, advice, suggested, lesson } = visit;
  const look = { question, chosen, problem, advice, suggested, lesson, word: visit.words.get(table.on) ?? "", daily: visit.daily !== undefined && visit.daily.id === table.state.game?.id };
  const people = [...table.state.seats.values()].filter((seat) => !seat.name.startsWith("bot:"));
  const watching = table.state.me === undefined;
  const alone = !watching && people.length === 1 && table.state.phase !== "open";
  return [tablePicture(table, story, look), logPicture(story, watching, alone)];
}

// --------------------------------------------------------------------------------- what is done

/** @param {string} action @param {DOMStringMap} data @param {HTMLFormElement} [form] */
async function act(action, data, form) {
  allowSound();
  visit.problem = "";
  try {
    await ACTIONS[action]?.(data, form);
  } catch (error) {
    const text = error instanceof Refused ? withoutTyping(error.text) : `${error instanceof Error ? error.message : error}`;
    const place = form?.closest("dialog")?.querySelector(".problem");
    if (place) place.replaceChildren(text);
    else {
      dialogs.close();
      visit.problem = text;
    }
  }
  show();
}

document.addEventListener("click", (event) => {
  const at = event.target instanceof Element ? event.target.closest("button") : null;
  if (!at?.dataset.do || at.type !== "button") return;
  // A choice in a dialog closes it.
  if (at.closest("dialog")) dialogs.close();
  void act(at.dataset.do, at.dataset);
});
document.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLInputElement && target.dataset.do) void act(target.dataset.do, { value: target.value });
});
document.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  void act(form.dataset.do ?? "", form.dataset, form);
});
document.addEventListener("keydown", (event) => {
  const typing = event.target instanceof HTMLInputElement && event.target.type !== "radio";
  if (typing || document.querySelector("dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (pressed(event.key)) event.preventDefault();
});

/** @param {string} key False if the key means nothing here. */
function pressed(key) {
  if (visit.screen) return visit.screen.pressed?.(key) ?? false;
  const { question } = visit;
  const cards = handCards();
  const at = cards.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
  if ((key === "ArrowRight" || key === "ArrowLeft") && cards.length && !(document.activeElement instanceof HTMLInputElement)) {
    const next = key === "ArrowRight" ? at + 1 : at < 0 ? -1 : at - 1;
    cards.at(next % cards.length)?.focus();
  } else if (key === "Enter" && question && at >= 0 && visit.chosen.length) {
    const [token, other] = question.movesWith(visit.chosen);
    if (!token || other) return false;
    void act("move", { token });
  } else if (key === "h" && question) {
    void act("hint", {});
  } else if (key === "t" && visit.shown) {
    /** @type {HTMLElement | null} */ (main.querySelector("#say"))?.focus();
  } else {
    return false;
  }
  return true;
}

document.addEventListener("visibilitychange", show);
addEventListener("hashchange", () => void act("link", {}));
ACTIONS.link = () => visit.followLink();
setInterval(() => visit.shown?.state.turns.some(({ seat }) => visit.shown?.timeLeft(seat)) && show(), 1000);

/** Has the browser keep the files of the page: it opens without a network, and can be installed. */
function keepPage() {
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  const { trustedTypes } = /** @type {any} */ (window);
  const url = trustedTypes?.createPolicy("page", { createScriptURL: () => "sw.js" }).createScriptURL("") ?? "sw.js";
  void navigator.serviceWorker.register(url).catch(() => {});
}

addEventListener("load", keepPage); // it loads all files once more, so not before them
show();
ACTIONS.begin = () => visit.begin();
void act("begin", {});
