/**
 * The page: connects, shows the first screen or a table, and does what is tapped, typed or clicked.
 * @module
 */

import { accountActions } from "./account.js";
import { nameOf } from "./cards.js";
import * as dialogs from "./dialogs.js";
import { button, el, patch } from "./dom.js";
import { homePicture } from "./home.js";
import { forget, linkTo, serverAddress, wanted } from "./links.js";
import { logPicture } from "./log.js";
import { keep, kept } from "./memory.js";
import { allowSound, askForNotifications, noticeTurn } from "./notices.js";
import { qrPicture } from "./qr.js";
import { Refused, cardsOf, connect } from "./sdk/index.js";
import { Story } from "./story.js";
import { shortName, tablePicture } from "./table.js";

/** @typedef {import("./sdk/index.js").Server} Server */
/** @typedef {import("./sdk/index.js").Table} Table */
/** @typedef {import("./sdk/words.js").Event} Event */
/** @typedef {import("./sdk/words.js").Lesson} Lesson */
/** @typedef {import("./home.js").Lobby} Lobby */

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const line = /** @type {HTMLElement} */ (document.getElementById("line"));

/** @type {Server | undefined} */
let server;
/** @type {Table | undefined} the table that is shown; the first screen is shown without one */
let shown;
/** @type {Map<string, Story>} */
const stories = new Map();
/** @type {Map<string, string>} the words of the private tables that we opened or joined */
const words = new Map();
/** @type {Map<string, Lesson>} the step of each lesson */
const lessons = new Map();
/** @type {Lobby} */
const lobby = { tables: [], seeks: [], users: [], daily: [], invitations: [] };

/** @type {string[]} */
let chosen = [];
let problem = "";
let advice = "";
let busy = false;
/** The question that was open when the page was shown last. */
let asked = "";
/** @type {import("./table.js").Look["clock"]} */
let clock = null;

// -------------------------------------------------------------------------------- the picture

let due = false;

/** Shows everything as it is now, once for any number of changes. */
function show() {
  noticeTurn(shown?.question !== undefined, isNew());
  if (due) return;
  due = true;
  // A hidden page gets no frames, and its picture must be right when it is seen again.
  (document.hidden ? setTimeout : requestAnimationFrame)(() => {
    due = false;
    draw();
  });
}

/** True once for each question. */
function isNew() {
  const { question } = shown ?? {};
  const key = question ? `${shown?.on} ${question.game} ${question.event.turn}` : "";
  const fresh = key !== asked;
  if (fresh) {
    asked = key;
    chosen = [];
    problem = "";
    if (!lessons.has(shown?.on ?? "")) advice = "";
    const { ms, bank = 0 } = question?.event ?? {};
    clock = question && ms ? { turn: question.event.turn, until: performance.now() + ms, bank } : null;
  }
  return fresh && key !== "";
}

function draw() {
  const follows = atEnd();
  const fresh = el("main", { id: "main", class: shown ? "playing" : "" }, ...(shown ? tableScreen(shown) : [homeScreen()]));
  patch(main, fresh);
  document.documentElement.dataset.colors = kept().colors;
  drawLine();
  if (follows) toEnd();
}

/** The log stays at its end, unless somebody has scrolled up. */
const atEnd = () => {
  const log = main.querySelector(".log ol");
  return !log || log.scrollTop + log.clientHeight > log.scrollHeight - 40;
};
const toEnd = () => {
  const log = main.querySelector(".log ol");
  if (log) log.scrollTop = log.scrollHeight;
};

function drawLine() {
  const lost = server !== undefined && !server.here;
  document.body.classList.toggle("lost", lost);
  line.hidden = !lost;
  const text = server?.ended ? `The connection is over: ${server.ended.message}` : "The line dropped. Trying again…";
  if (lost && line.textContent !== text) line.replaceChildren(text, " ", button("again-now", server?.ended ? "Come in again" : "Try now"));
}

function homeScreen() {
  const memory = kept();
  const goal = wanted();
  /** @type {Record<string, string>} */
  const goals = {
    join: "You are invited to a table. Type your name, and sit down.",
    watch: `Type your name to watch ${goal?.what}.`,
    review: `Type your name to see ${goal?.what}.`,
  };
  return homePicture(
    {
      name: server?.name ?? "", wanted: memory.name, account: memory.account, game: memory.game,
      goal: goal && !server ? (goals[goal.goal] ?? "") : "", problem, busy,
    },
    lobby,
  );
}

/** @param {Table} table */
function tableScreen(table) {
  const story = storyOf(table.on);
  const lesson = lessons.get(table.on);
  const { question } = table;
  const suggested = lesson?.moves?.length && question ? cardsOf(lesson.moves[0], question.hand) : [];
  const look = {
    chosen, problem, advice, suggested, now: performance.now(), clock,
    word: words.get(table.on) ?? "", lesson: lesson !== undefined,
  };
  return [tablePicture(table, story, look), logPicture(story, table.state.me === undefined)];
}

/** @param {string} on */
function storyOf(on) {
  let story = stories.get(on);
  if (!story) stories.set(on, (story = new Story()));
  return story;
}

// ------------------------------------------------------------------------------ coming and going

/**
 * Connects, as a guest, with a token of an earlier visit, or with a password.
 * @param {{ name: string, password?: string, token?: string }} identity
 */
async function enter({ name, password = "", token = "" }) {
  busy = true;
  problem = "";
  show();
  try {
    server = await connect(serverAddress(), { name, password, token, client: "twentytwo-web/1" });
    keep({ name: shortName(server.name), account: !server.name.startsWith("~") });
    server.subscribe(changed);
    void listen(server);
    changed();
    await server.command("follow lobby").catch(() => {});
    await server.command("follow tables").catch(() => {});
    await lookAround();
    await go();
  } finally {
    busy = false;
    show();
  }
}

/** Takes the session of the last visit up again, if there is one. */
async function comeBack() {
  const { name, token } = kept();
  if (!token) return;
  try {
    await enter({ name, token });
  } catch (error) {
    if (!(error instanceof Refused) && !server) problem = "The server does not answer now.";
    else keep({ token: "" });
    server = undefined;
  }
  show();
}

/** Something has changed: of a table, of the connection. */
function changed() {
  if (server?.token && server.token !== kept().token) keep({ token: server.token });
  for (const table of server?.tables.values() ?? []) adopt(table);
  if (shown?.gone) {
    shown = undefined;
    void lookAround();
  }
  show();
}

const adopted = new WeakSet();

/** @param {Table} table Follows a table that is new to the page. */
function adopt(table) {
  if (adopted.has(table)) return;
  adopted.add(table);
  shown ??= table;
  void follow(table);
}

/** @param {Table} table */
async function follow(table) {
  const story = storyOf(table.on);
  try {
    story.clear();
    for (const event of await table.past()) if ((event.seq ?? 0) <= table.state.seq) story.see(event);
    show();
    let from = table.state.seq;
    for await (const event of table) {
      if (event.ev === "reconnected") {
        if (!event.complete) story.say("Some events were missed while the line was down.");
      } else if (event.on !== table.on || (event.seq ?? 0) > from) {
        story.see(event);
        if (event.on === table.on) from = event.seq ?? from;
      }
      show();
    }
  } catch {
    // The connection has ended, and says so itself.
  }
}

/** @param {Server} from The events outside the tables. */
async function listen(from) {
  try {
    for await (const event of from) {
      heard(event);
      show();
    }
  } catch {
    show();
  }
}

/** @param {Event | import("./sdk/index.js").Reconnected} event */
function heard(event) {
  switch (event.ev) {
    case "LESSON":
      lessons.set(event.on, event);
      advice = event.text ?? "";
      break;
    case "INVITED":
      lobby.invitations.push({ name: event.by, on: event.table });
      storyHere(event.text);
      break;
    case "OPENED":
    case "CHANGED":
    case "CLOSED":
    case "SOUGHT":
    case "UNSOUGHT":
      void lookAround();
      break;
    case "reconnected":
      break;
    default:
      storyHere(event.text);
  }
}

/** @param {string | undefined} text Adds a sentence to the table that is shown. */
function storyHere(text) {
  if (text && shown) storyOf(shown.on).say(text);
}

/** Asks who is here. */
async function lookAround() {
  if (!server?.here || shown) return;
  try {
    const [tables, seeks, users] = await Promise.all([
      server.listing("TABLE", "tables"), server.listing("SEEK", "seeks"), server.listing("USER", "who"),
    ]);
    Object.assign(lobby, { tables, seeks, users });
  } catch {
    // Asked again at the next change.
  }
  show();
}

/** Goes where the link of this page leads. */
async function go() {
  const goal = wanted();
  if (!goal || !server) return;
  forget();
  if (goal.goal === "join") await sit(server.join(goal.what), goal.what);
  else if (goal.goal === "watch") await sit(server.watch(goal.what));
  else if (goal.goal === "review") await review(goal.what);
}

/** @param {Promise<Table>} sitting @param {string} [word] */
async function sit(sitting, word) {
  const table = await sitting;
  if (word && !/^t[0-9]+$/.test(word)) words.set(table.on, word);
  shown = table;
  adopt(table);
  askForNotifications();
}

// ---------------------------------------------------------------------------------- the actions

/** @param {string} text Sends a command about the shown table; its answer is told. */
async function order(text) {
  const reply = await server?.command(`${text} table=${shown?.on}`);
  if (reply?.ok.text) storyHere(reply.ok.text);
  return reply;
}

/** @param {string} game */
async function review(game) {
  const reply = await server?.command(`review ${game}`);
  const rows = reply?.rows.map((row) => row.text).filter(Boolean) ?? [];
  dialogs.tell(`Review of ${game}`, [...rows, reply?.ok.text].filter(Boolean).join("\n"));
}

/** @param {string} card */
async function choose(card) {
  const { question } = shown ?? {};
  problem = "";
  if (!question) return;
  if (chosen.includes(card)) {
    const at = chosen.indexOf(card);
    chosen = chosen.filter((_, index) => index !== at);
    return;
  }
  if (question.cardsFor(chosen).includes(card)) {
    chosen = [...chosen, card];
    return;
  }
  // Another card in place of the chosen one, or a card that is not allowed.
  if (question.cardsFor([]).includes(card)) {
    chosen = [card];
    return;
  }
  const { ok } = await /** @type {Server} */ (server).command(`why ${card} table=${shown?.on}`);
  problem = ok.text ?? `${nameOf(card)} is not allowed now.`;
}

/** @param {string} token */
async function play(token) {
  const { question } = shown ?? {};
  chosen = [];
  advice = "";
  await question?.play(token);
}

/** @typedef {(data: DOMStringMap, form?: HTMLFormElement) => unknown} Action */

/** What the buttons and forms do, by their `data-do`. @type {Record<string, Action>} */
const ACTIONS = {
  none() {},
  close: dialogs.close,
  name: (_, form) => form && named(form),
  async game(data, form) {
    const picked = /** @type {HTMLInputElement | null} */ (main.querySelector("input[name=game]:checked"));
    if (picked) keep({ game: picked.value });
  },
  practice: () => asGuest((here) => sit(here.practice({ game: kept().game }))),
  tutorial: () => asGuest(async (here) => {
    const { ok } = await here.command(`tutorial ${kept().game}`);
    await opened(here, ok.on);
  }),
  daily: () => asGuest(async (here) => {
    const { ok } = await here.command(`daily ${kept().game}`);
    if (ok.on) await opened(here, ok.on);
    else dialogs.tell("Daily deal", ok.text ?? "");
  }),
  seek: () => asGuest(async (here) => {
    problem = "";
    dialogs.open("Looking for a player", el("p", {}, "The game begins as soon as somebody else looks for one. You can also let others find you on their first screen."),
      el("p", {}, button("unseek", "Stop looking", { class: "main" })));
    await sit(here.seek({ game: kept().game }));
    dialogs.close();
  }),
  unseek: () => server?.command("unseek"),
  friends: () => asGuest(async (here) => {
    const word = madeWord();
    await sit(here.open({ game: kept().game, private: word }), word);
    invite();
  }),
  join: ({ on = "" }) => server && sit(server.join(on)),
  watch: ({ on = "" }) => server && sit(server.watch(on)),
  async accept({ name = "", seek }) {
    const reply = await server?.command(seek ? `accept seek=${seek}` : `accept ${name}`);
    lobby.invitations = lobby.invitations.filter((each) => each.name !== name);
    if (server && reply?.ok.on) await opened(server, reply.ok.on);
  },
  async decline({ name = "" }) {
    lobby.invitations = lobby.invitations.filter((each) => each.name !== name);
    await server?.command(`decline ${name}`);
  },
  home() {
    shown = undefined;
    void lookAround();
  },
  choose: ({ card = "" }) => choose(card),
  move: ({ token = "" }) => play(token),
  async hint() {
    const { ok } = await /** @type {Server} */ (server).command(`hint table=${shown?.on}`);
    advice = ok.text ?? "";
  },
  ready: () => order("ready"),
  unready: () => order("unready"),
  start: () => order("start"),
  addbot: () => order("addbot"),
  rematch: () => order("rematch"),
  finish: () => order("finish"),
  pause: () => order("pause"),
  unpause: () => order("unpause"),
  undo: () => order("undo"),
  again: () => order("again"),
  async resign() {
    if (await dialogs.confirmed("A bot would play your cards to the end, or your opponent wins.", "Resign")) await order("resign");
  },
  async abort() {
    if (await dialogs.confirmed("The game would end without a result, if the others agree.", "Abort the game")) await order("abort");
  },
  async leave() {
    const running = shown?.state.phase === "playing";
    if (running && !(await dialogs.confirmed("A game is running. A bot would take your seat.", "Leave"))) return;
    await order("leave");
    shown = undefined;
    await lookAround();
  },
  review: () => review(shown?.state.game?.id ?? ""),
  fair: () => dialogs.tell("Was the shuffle fair?", `${shown?.fair ?? "The check comes at the end of a game."}`),
  invite,
  async share() {
    const url = linkTo("join", words.get(shown?.on ?? "") ?? "");
    if (navigator.share) await navigator.share({ title: document.title, url }).catch(() => {});
    else await navigator.clipboard?.writeText(url);
  },
  menu,
  sound: () => keep({ sound: !kept().sound }),
  colors: () => keep({ colors: kept().colors === "four" ? "two" : "four" }),
  async say(_, form) {
    const input = /** @type {HTMLInputElement} */ (form?.elements.namedItem("text"));
    const text = input.value.trim();
    if (!text || !shown) return;
    input.value = "";
    if (shown.state.me === undefined) await server?.command(`kibitz table=${shown.on} :${text}`);
    else await shown.say(text);
  },
  "again-now"() {
    if (server?.ended) location.reload();
    else server?.check();
  },
  async quit() {
    await server?.leave();
    keep({ token: "" });
    location.reload();
  },
  ...accountActions({ server: () => server, enter, done: show }),
};

/** @param {HTMLFormElement} form */
async function named(form) {
  const input = /** @type {HTMLInputElement} */ (form.elements.namedItem("name"));
  keep({ name: input.value.trim() });
  await enter({ name: input.value.trim() });
}

/** @param {(here: Server) => unknown} then Comes in first, under the name in the form. */
async function asGuest(then) {
  if (!server) {
    const form = /** @type {HTMLFormElement | null} */ (main.querySelector("form.name"));
    if (!form?.reportValidity()) return;
    await named(form);
  }
  if (server) await then(server);
}

/** @param {Server} here @param {string | undefined} on A table that a command has opened for us. */
async function opened(here, on) {
  if (!on) return;
  await here.until(() => here.tables.get(on));
  shown = here.tables.get(on);
}

/** A word for a private table: easy to say, hard to guess. */
function madeWord() {
  const parts = ["kiwi", "fox", "lime", "owl", "pear", "crab", "plum", "hare", "fig", "wolf", "date", "swan", "bean", "toad", "corn", "lynx"];
  const dice = crypto.getRandomValues(new Uint16Array(3));
  return `${parts[dice[0] % 16]}-${parts[dice[1] % 16]}-${dice[2] % 1000}`;
}

function invite() {
  const word = words.get(shown?.on ?? "") ?? "";
  const url = linkTo("join", word);
  dialogs.open("Invite friends",
    el("p", {}, "Send this link. Whoever opens it sits down at your table."),
    el("p", {}, el("code", {}, url)),
    el("p", {}, button("share", "navigator" in window && "share" in navigator ? "Send" : "Copy", { class: "main" })),
    qrPicture(url),
    el("p", {}, "In a terminal: join ", el("b", {}, word)));
}

function menu() {
  const { state } = shown ?? {};
  const playing = state?.phase === "playing" && state.me !== undefined;
  const practice = playing && [...state.seats.values()].filter((seat) => !seat.name.startsWith("bot:")).length === 1;
  const memory = kept();
  dialogs.open("Menu",
    el("div", { class: "choices" },
      ...(playing
        ? [
            button(state.paused ? "unpause" : "pause", state.paused ? "Go on" : "Pause"),
            ...(practice ? [button("undo", "Take back my last move"), button("again", "Play this hand again")] : []),
            button("rematch", "Begin a new game"),
            button("abort", "Abort the game"),
            button("resign", "Resign"),
          ]
        : []),
      ...(shown ? [button("home", "To the first screen"), button("leave", "Leave the table")] : []),
      button("sound", memory.sound ? "Turn the sound off" : "Turn the sound on"),
      button("colors", memory.colors === "four" ? "Suits in two colours" : "Suits in four colours"),
      ...(memory.account ? [button("password", "Change my password")] : [button("register", "Keep my name: make an account")]),
      button("quit", "Log out", { class: "quiet" })));
}

/** @param {string} action @param {DOMStringMap} data @param {HTMLFormElement} [form] */
async function act(action, data, form) {
  allowSound();
  if (action !== "close" && document.querySelector("dialog")?.contains(document.activeElement) && !form) dialogs.close();
  try {
    await ACTIONS[action]?.(data, form);
  } catch (error) {
    problem = error instanceof Error ? error.message : `${error}`;
    if (!server && !(error instanceof Refused)) problem = `The server does not answer: ${problem}`;
    if (document.querySelector("dialog") && form) form.querySelector(".problem")?.replaceChildren(problem);
  }
  show();
}

document.addEventListener("click", (event) => {
  const at = event.target instanceof Element ? event.target.closest("[data-do]") : null;
  if (at instanceof HTMLButtonElement && at.type === "button") void act(at.dataset.do ?? "", at.dataset);
});
document.addEventListener("change", (event) => {
  if (event.target instanceof HTMLInputElement && event.target.dataset.do) void act(event.target.dataset.do, event.target.dataset);
});
document.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  void act(form.dataset.do ?? "", form.dataset, form);
});
document.addEventListener("keydown", (event) => {
  if (event.target instanceof HTMLInputElement || document.querySelector("dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
  const { question } = shown ?? {};
  const cards = [.../** @type {NodeListOf<HTMLButtonElement>} */ (main.querySelectorAll(".hand button"))];
  const at = cards.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
  if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
    cards.at((at + (event.key === "ArrowRight" ? 1 : -1)) % cards.length)?.focus();
  } else if (event.key === "Enter" && question && chosen.length && at >= 0) {
    const tokens = question.movesWith(chosen);
    if (tokens.length !== 1) return;
    void act("move", /** @type {DOMStringMap} */ ({ token: tokens[0] }));
  } else if (event.key === "?" || event.key === "h") {
    if (question) void act("hint", {});
  } else if (event.key === "t") {
    /** @type {HTMLElement | null} */ (main.querySelector("#say"))?.focus();
  } else {
    return;
  }
  event.preventDefault();
});
/** Has the browser keep the files of the page: it opens without a network, and can be installed. */
function keepPage() {
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  const { trustedTypes } = /** @type {any} */ (window);
  const url = trustedTypes?.createPolicy("page", { createScriptURL: () => "sw.js" }).createScriptURL("") ?? "sw.js";
  void navigator.serviceWorker.register(url).catch(() => {});
}

document.addEventListener("visibilitychange", show);
addEventListener("hashchange", () => (server ? void act("go", {}) : show()));
ACTIONS.go = go;
// The clock counts down; nothing else changes by itself.
setInterval(() => clock && show(), 1000);

keepPage();
show();
void comeBack();
