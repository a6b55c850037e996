/**
 * The effects of the buttons, forms and keys, by the `data-do` of their elements.
 * @module
 */

import { accountActions } from "./account.js";
import { nameOf } from "./cards.js";
import * as dialogs from "./dialogs.js";
import { button, el } from "./dom.js";
import { gameActions, shared } from "./game.js";
import { linkTo } from "./links.js";
import { keep, kept } from "./memory.js";
import { inviteFriends, menu } from "./menus.js";
import { askForNotifications } from "./notices.js";
import { askForTable, wishesIn } from "./opening.js";
import { peopleActions } from "./people.js";
import { dailyText, profileActions } from "./profile.js";
import { isAlone, ofCards } from "./table.js";

/** @typedef {import("./visit.js").Visit} Visit */
/** @typedef {import("./sdk/index.js").Server} Server */
/** @typedef {import("./sdk/index.js").Table} Table */
/** @typedef {(data: DOMStringMap, form?: HTMLFormElement) => unknown} Action */

const WORDS = ["kiwi", "fox", "lime", "owl", "pear", "crab", "plum", "hare", "fig", "wolf", "date", "swan", "bean", "toad", "corn", "lynx"];

/** A word for a private table: easy to say, hard to guess. */
function madeWord() {
  const [one, two, number] = crypto.getRandomValues(new Uint16Array(3));
  return `${WORDS[one % 16]}-${WORDS[two % 16]}-${number % 1000}`;
}

/** @param {Visit} visit @returns {Record<string, Action>} */
export function actions(visit) {
  /** @returns {Server} */
  const server = () => {
    if (!visit.server) throw new Error("The server does not answer.");
    return visit.server;
  };
  /** @param {string} text A command about the table that is shown; its answer is told. */
  const order = async (text) => visit.tell((await server().command(`${text} table=${visit.shown?.on}`)).ok.text);
  /** @param {() => Promise<Table>} sit Comes in first, under the name in the form. */
  const play = async (sit) => {
    if (!visit.name && !(await cameIn(visit))) return;
    visit.sitAt(await sit());
    askForNotifications();
  };

  return {
    none() {},
    close: dialogs.close,
    home: () => visit.toFirstScreen(),
    name: () => cameIn(visit),
    game({ value = "" }) {
      keep({ game: value });
    },

    // ------------------------------------------------------------------------ ways to a table
    practice: async () => (await mayEnd(visit)) && play(() => server().practice({ game: kept().game })),
    tutorial: async () => (await mayEnd(visit)) && play(() => server().sit(`tutorial ${kept().game}`)),
    "next-lesson": ({ game = "" }) => play(() => server().sit(`tutorial ${game}`)),
    daily: ({ game = kept().game }) => play(() => server().sit(`daily ${game}`)),
    async friends() {
      const word = madeWord();
      await play(async () => {
        const table = await server().open({ game: kept().game, private: word });
        visit.words.set(table.on, word);
        return table;
      });
      if (visit.shown) inviteFriends(word);
    },
    async own() {
      if (visit.name || (await cameIn(visit))) await askForTable(visit);
    },
    /** @param {HTMLFormElement} [form] */
    async "open-table"(_, form) {
      const word = madeWord();
      const args = wishesIn(/** @type {HTMLFormElement} */ (form), word);
      await play(async () => {
        const table = await server().open(args);
        if (args.private) visit.words.set(table.on, word);
        return table;
      });
      dialogs.close();
      if (visit.shown && args.private) inviteFriends(word);
    },
    async seek() {
      await play(() => {
        dialogs.open("Looking for a player",
          el("p", {}, "The game begins as soon as somebody else wants one. Everybody who comes by sees that you look for a player."),
          el("p", {}, button("unseek", "Stop looking", { class: "main" })));
        return server().seek({ game: kept().game });
      });
      dialogs.close();
    },
    unseek: () => server().command("unseek"),
    join: ({ on = "" }) => play(() => server().join(on)),
    watch: ({ on = "" }) => play(() => server().watch(on)),
    async accept({ name = "", seek }) {
      await play(() => server().sit(seek ? `accept seek=${seek}` : `accept ${name}`));
      visit.lobby.invitations = visit.lobby.invitations.filter((each) => each.name !== name);
    },
    async decline({ name = "" }) {
      visit.lobby.invitations = visit.lobby.invitations.filter((each) => each.name !== name);
      await server().command(`decline ${name}`);
    },

    // --------------------------------------------------------------------------- at the table
    async choose({ card = "" }) {
      const { question } = visit;
      if (!question || !ofCards(question)) return;
      const at = visit.chosen.indexOf(card);
      if (at >= 0) visit.chosen = visit.chosen.filter((_, index) => index !== at);
      else if (question.cardsFor(visit.chosen).includes(card)) visit.chosen = [...visit.chosen, card];
      else if (question.cardsFor([]).includes(card)) visit.chosen = [card];
      else {
        const { ok } = await server().command(`why ${card} table=${visit.shown?.on}`);
        visit.problem = ok.text ?? `${nameOf(card)} is not allowed now.`;
      }
    },
    async move({ token = "" }) {
      const { question, lesson } = visit;
      visit.chosen = [];
      visit.advice = "";
      visit.answered = question;
      if (lesson) visit.lessons.set(lesson.on, { ...lesson, moves: undefined, past: true });
      try {
        await question?.play(token);
      } catch (error) {
        visit.answered = undefined;
        if (lesson) visit.lessons.set(lesson.on, lesson);
        throw error;
      }
    },
    async hint() {
      visit.hinted((await server().command(`hint table=${visit.shown?.on}`)).ok.text ?? "");
    },
    "share-daily": () => visit.daily && shared("Daily deal", location.origin + location.pathname, dailyText(visit.daily)),
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
      if (await dialogs.confirmed("A bot would play your cards to the end; with two players the other one wins.", "Resign")) await order("resign");
    },
    async abort() {
      if (await dialogs.confirmed("The game would end without a result, if the others agree.", "Abort the game")) await order("abort");
    },
    async leave() {
      const { shown } = visit;
      const plays = shown?.state.phase === "playing" && shown.state.me !== undefined && !visit.lesson?.done;
      if (plays && !(await dialogs.confirmed("A game is running. A bot would take your seat.", "Leave"))) return;
      await server().command(`${shown?.state.me === undefined ? "unwatch" : "leave"} ${shown?.on}`);
      visit.toFirstScreen();
    },
    async say(_, form) {
      const input = /** @type {HTMLInputElement} */ (form?.elements.namedItem("text"));
      const text = input.value.trim();
      const { shown } = visit;
      if (!text || !shown) return;
      input.value = "";
      if (shown.state.me === undefined) await server().command(`kibitz table=${shown.on} :${text}`);
      else await shown.say(text);
    },

    // -------------------------------------------------------------------------- menus, settings
    menu: () => menu(visit),
    invite: () => inviteFriends(visit.words.get(visit.shown?.on ?? "") ?? ""),
    async share({ word = "" }) {
      const url = linkTo("join", word);
      await shared(document.title, url);
    },
    sound: () => keep({ sound: !kept().sound }),
    colors: () => keep({ colors: kept().colors === "four" ? "two" : "four" }),
    "again-now"() {
      if (!visit.server || visit.server.ended) location.reload();
      else visit.server.check();
    },
    async quit() {
      await visit.server?.leave();
      keep({ token: "" });
      location.reload();
    },
    ...accountActions(visit),
    ...gameActions(visit, () => mayEnd(visit)),
    ...peopleActions(visit),
    ...profileActions(visit),
  };
}

/** @param {Visit} visit Asks, if a game against bots would end. */
async function mayEnd({ server, lessons }) {
  const runs = [...(server?.tables.values() ?? [])].find(({ on, state }) =>
    state.phase === "playing" && !lessons.get(on)?.done && state.me !== undefined && !state.at(state.me).out && isAlone(state));
  return !runs || dialogs.confirmed(`Your game against the bots at ${runs.on} would end.`, "Begin a new one");
}

/** @param {Visit} visit Comes in under the name in the form; false without a good one. */
async function cameIn(visit) {
  const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form.name"));
  if (!form?.reportValidity()) return false;
  await visit.comeIn(/** @type {HTMLInputElement} */ (form.elements.namedItem("name")).value.trim());
  return true;
}
