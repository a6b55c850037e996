/**
 * The screen of a person: games, statistics, ranks, friends, and the results of the daily deals.
 * @module
 */

import { el, button } from "./dom.js";
import { shared } from "./game.js";
import { kept } from "./memory.js";
import { GAMES } from "./sdk/index.js";
import { TABS } from "./tabs.js";
import { shortName } from "./table.js";

/** @typedef {import("./visit.js").Visit} Visit */
/** @typedef {import("./sdk/words.js").Rows} Rows */
/** @typedef {import("./tabs.js").Tab} Tab */

/** The tabs that are about one game. */
const OF_A_GAME = new Set(["ranks", "daily"]);
const PAGE = 30;

/** @param {number} number `1st`, `2nd`, `3rd`, `11th` */
export function ordinal(number) {
  const [ten, one] = [Math.floor(number / 10) % 10, number % 10];
  return `${number}${(ten !== 1 && { 1: "st", 2: "nd", 3: "rd" }[one]) || "th"}`;
}

/** @param {string} game */
const titleOf = (game) => GAMES[game]?.title ?? game;

/** @param {string} time in UTC */
const dateOf = (time) => new Date(time).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });

/** @param {number} count @param {string} one */
const many = (count, one) => `${count} ${one}${count === 1 ? "" : "s"}`;

/**
 * A result of a daily deal, to be sent as text.
 * @param {{ game: string, day: string, place: number, points: number, rank?: number, played?: number }} result
 */
export const dailyText = ({ game, day, place, points, rank, played }) =>
  `${titleOf(game)}, daily deal of ${day}: ${ordinal(place)} at the table, ${points > 0 ? "+" : ""}${points} points` +
  (rank ? `, ${ordinal(rank)}${played ? ` of ${played}` : ""} so far` : "");

/** The content of one tab. */
export class ProfileScreen {
  /** @param {Visit} visit @param {string} who a player, or empty for the viewer */
  constructor(visit, who) {
    this.#visit = visit;
    this.who = who;
  }

  #visit;
  /** @type {Tab} */
  tab = "games";
  game = kept().game;
  /** @type {HTMLElement[]} */
  #content = [];
  #asked = 0;

  get #server() {
    return /** @type {import("./sdk/index.js").Server} */ (this.#visit.server);
  }

  /** @param {Tab} tab @param {string} [game] */
  async show(tab, game = this.game) {
    Object.assign(this, { tab, game });
    const asked = (this.#asked += 1);
    this.#content = [el("p", {}, "One moment…")];
    const content = await this[`_${tab}`]();
    if (asked === this.#asked) this.#content = content;
    this.#visit.changed();
  }

  picture() {
    const { tab, game, who } = this;
    const tabs = /** @type {Tab[]} */ (who ? ["games", "stats"] : Object.keys(TABS));
    return el("section", { class: "home profile", "data-key": "profile", "aria-label": TABS[tab] },
      el("header", { class: "bar" },
        el("h1", {}, who ? shortName(who) : TABS[tab]),
        button("back", "Back", { class: "quiet" })),
      el("nav", { class: "eyes", "aria-label": "Pages about you" }, ...tabs.map((each) =>
        button("profile", who && each === "games" ? "Games" : TABS[each], {
          "data-tab": each, "data-name": who, "data-key": `tab${each}`, class: each === tab ? "on" : "quiet", "aria-current": each === tab ? "page" : undefined,
        }))),
      OF_A_GAME.has(tab) && el("div", { class: "eyes", role: "group", "aria-label": "Which game?" }, ...Object.keys(GAMES).map((each) =>
        button("profile", titleOf(each), { "data-tab": tab, "data-game": each, "data-key": `game${each}`, class: each === game ? "on" : "quiet", "aria-pressed": `${each === game}` }))),
      this.#visit.problem && el("p", { class: "problem", role: "alert" }, this.#visit.problem),
      // The rows are made once; the picture gets copies, which it may take apart.
      ...this.#content.map((each) => /** @type {HTMLElement} */ (each.cloneNode(true))));
  }

  /** @returns {Promise<HTMLElement[]>} */
  async _games() {
    const { rows, ok } = await this.#server.command(`history ${this.who} n=${PAGE}`);
    const games = /** @type {Rows["PAST"][]} */ (/** @type {unknown} */ (rows));
    if (!games.length) return [el("p", {}, ok.text ?? "No game is finished yet.")];
    return [el("ul", { class: "list" }, ...games.map((past) =>
      el("li", {},
        el("span", { class: "grow" },
          el("b", {}, titleOf(past.game)), past.place ? ` · ${ordinal(past.place)} of ${past.names.length}` : " · no result",
          el("br"), el("small", {}, `${past.names.map(shortName).join(", ")}${past.ended ? ` · ${dateOf(past.ended)}` : ""}`)),
        button("replay", "Replay", { "data-id": past.id, "aria-label": `Replay ${past.id}` }),
        button("review", "Review", { "data-id": past.id, class: "quiet", "aria-label": `Review ${past.id}` }))))];
  }

  /** @returns {Promise<HTMLElement[]>} */
  async _stats() {
    const { rows, ok } = await this.#server.command(`stats ${this.who}`);
    /** @param {string} ev @param {string} game */
    const all = (ev, game) => /** @type {any[]} */ (/** @type {unknown} */ (rows.filter((row) => row.ev === ev && "game" in row && row.game === game)));
    const stats = /** @type {Rows["STATS"][]} */ (/** @type {unknown} */ (rows.filter((row) => row.ev === "STATS")));
    if (!stats.length) return [el("p", {}, ok.text ?? "No game is finished yet.")];
    return stats.map((row) => {
      const most = Math.max(...row.finishes, 1);
      return el("section", {},
        el("h2", {}, titleOf(row.game)),
        el("p", {}, `${many(row.played, "game")}, ${many(row.finishes[0] ?? 0, "win")}.`),
        el("ol", { class: "bars" }, ...row.finishes.map((count, index) =>
          el("li", {}, el("span", {}, ordinal(index + 1)), el("meter", { min: 0, max: most, value: count, "aria-label": `${ordinal(index + 1)} places` }), el("span", {}, count)))),
        ...all("TREND", row.game).map((/** @type {Rows["TREND"]} */ { rules, ratings }) => el("p", {}, `Rating (${rules}): ${ratings[ratings.length - 1]}`)),
        ...table("Last card", ["Card", "Times", "Lost"], all("LASTCARD", row.game).map((/** @type {Rows["LASTCARD"]} */ each) => [each.card.replace("T", "10"), each.times, each.losses])),
        ...table("Bids", ["Bid", "Times", "Met", "Above", "Below"], all("BIDS", row.game).map((/** @type {Rows["BIDS"]} */ each) => [each.bid, each.times, each.exact, each.above, each.below])),
        el("p", {}, row.best && button("replay", "My best game", { "data-id": row.best }), " ", row.worst && row.worst !== row.best && button("replay", "My worst game", { "data-id": row.worst, class: "quiet" })));
    });
  }

  /** @returns {Promise<HTMLElement[]>} */
  async _ranks() {
    const [best, week] = await Promise.all([this.#server.command(`ranks ${this.game} n=50`), this.#server.command(`ranks ${this.game} week n=50`)]);
    const rated = /** @type {Rows["RATING"][]} */ (/** @type {unknown} */ (best.rows));
    const ladder = /** @type {Rows["LADDER"][]} */ (/** @type {unknown} */ (week.rows));
    return [
      el("h2", {}, "The best rated"),
      ...(rated.length ? table("", ["Rank", "Player", "Rating", "Games"], rated.map((row) => [row.rank ?? "", row.name, row.rating, row.games])) : [el("p", {}, best.ok.text ?? "")]),
      el("h2", {}, "This week"),
      ...(ladder.length ? table("", ["Rank", "Player", "Points", "Games"], ladder.map((row) => [row.rank, row.name, row.halves / 2, row.games])) : [el("p", {}, week.ok.text ?? "")]),
    ];
  }

  /** @returns {Promise<HTMLElement[]>} */
  async _friends() {
    const [friends, blocked] = await Promise.all([this.#server.command("friends n=500"), this.#server.command("block")]);
    const rows = /** @type {Rows["FRIEND"][]} */ (/** @type {unknown} */ (friends.rows));
    const sits = this.#visit.shown?.state.me !== undefined;
    return [
      rows.length
        ? el("ul", { class: "list" }, ...rows.map(({ name, here, on, game }) =>
            el("li", {},
              el("span", { class: "grow" }, el("b", {}, name), here ? " · here" : " · away", on ? `, plays ${titleOf(game ?? "")} at ${on}` : ""),
              here && sits && button("invite-friend", "Invite", { "data-name": name, "aria-label": `Invite ${name}` }),
              on && button("watch", "Watch", { "data-on": on, class: "quiet", "aria-label": `Watch ${on}` }),
              button("unfriend", "Remove", { "data-name": name, class: "quiet", "aria-label": `Remove ${name}` }))))
        : el("p", {}, friends.ok.text ?? "No friends yet."),
      nameForm("friend", "Add a friend", "The name of a player with an account"),
      el("h2", {}, "Blocked"),
      el("p", {}, blocked.ok.text ?? ""),
      nameForm("unblock", "Hear again", "The name of a blocked person"),
    ];
  }

  /** @returns {Promise<HTMLElement[]>} */
  async _daily() {
    const [today, before, days] = await Promise.all([
      this.#server.command(`results ${this.game} n=100`), this.#server.command(`results ${this.game} yesterday n=100`).catch(() => undefined),
      this.#server.listing("DAILY", "daily"),
    ]);
    const mine = days.find(({ game }) => game === this.game);
    return [
      ...this.#results("Today", today),
      el("p", {}, mine && !mine.begun && !mine.place ? button("daily", "Play today's deal", { class: "main", "data-game": this.game }) : null),
      ...(mine?.streak ? [el("p", {}, `You have finished it on ${many(mine.streak, "day")} in a row.`)] : []),
      ...(before ? this.#results("Yesterday", before) : []),
    ];
  }

  /** @param {string} title @param {import("./sdk/server.js").Reply} reply @returns {HTMLElement[]} */
  #results(title, { rows, ok }) {
    const day = /** @type {Rows["DAILY"] | undefined} */ (/** @type {unknown} */ (rows.find(({ ev }) => ev === "DAILY")));
    const standing = /** @type {Rows["STANDING"][]} */ (/** @type {unknown} */ (rows.filter(({ ev }) => ev === "STANDING")));
    const mine = standing.find(({ name }) => name === this.#visit.name);
    return [
      el("h2", {}, day ? `${title}, ${day.day}` : title),
      ...(standing.length ? table("", ["Rank", "Player", "Place", "Lead"], standing.map((row) => [row.rank, row.name, ordinal(row.place), row.points])) : [el("p", {}, ok.text ?? "")]),
      ...(mine && day ? [el("p", {}, button("share-text", "Share my result", { "data-text": dailyText({ ...mine, ...day, place: mine.place, rank: mine.rank }) }))] : []),
      ...(day ? [el("details", {}, el("summary", {}, "How the deal is sealed"), el("p", {}, el("code", {}, day.hash)), ...(day.seed ? [el("p", {}, "Its seed: ", el("code", {}, day.seed))] : []))] : []),
    ];
  }
}

/** @param {string} title @param {string[]} heads @param {(string | number)[][]} rows @returns {HTMLElement[]} */
function table(title, heads, rows) {
  if (!rows.length) return [];
  return [el("table", {},
    title && el("caption", {}, title),
    el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((cell) => el("td", {}, cell))))))];
}

/** @param {string} action @param {string} label @param {string} what */
const nameForm = (action, label, what) =>
  el("form", { class: "name", "data-do": action, "data-key": action },
    el("label", { for: `${action}-name` }, what),
    el("input", { id: `${action}-name`, name: "name", required: true, maxlength: 16, autocapitalize: "off", autocomplete: "off", spellcheck: "false" }),
    el("button", { class: "quiet" }, label));

/** @param {Visit} visit The actions of this screen. */
export function profileActions(visit) {
  /** @param {string} line A command about friends; its answer stands above the list. */
  const order = async (line) => {
    const { ok } = await /** @type {import("./sdk/index.js").Server} */ (visit.server).command(line);
    const { screen } = visit;
    if (screen instanceof ProfileScreen) await screen.show(screen.tab);
    else visit.tell(ok.text);
  };
  /** @param {DOMStringMap} data @param {HTMLFormElement} [form] */
  const named = ({ name = "" }, form) => (form ? `${new FormData(form).get("name")}`.trim() : name);
  return {
    /** @param {DOMStringMap} data */
    async profile({ tab = "games", game, name = "" }) {
      const { screen } = visit;
      const shown = screen instanceof ProfileScreen && screen.who === name ? screen : new ProfileScreen(visit, name);
      visit.screen = shown;
      await shown.show(/** @type {Tab} */ (tab), game);
    },
    /** @param {DOMStringMap} data @param {HTMLFormElement} [form] */
    friend: (data, form) => order(`friend ${named(data, form)}`),
    /** @param {DOMStringMap} data */
    unfriend: (data) => order(`unfriend ${named(data)}`),
    /** @param {DOMStringMap} data @param {HTMLFormElement} [form] */
    block: (data, form) => order(`block ${named(data, form)}`),
    /** @param {DOMStringMap} data @param {HTMLFormElement} [form] */
    unblock: (data, form) => order(`unblock ${named(data, form)}`),
    /** @param {DOMStringMap} data */
    "invite-friend": (data) => order(`invite ${named(data)} table=${visit.shown?.on}`),
    /** @param {DOMStringMap} data */
    "share-text": ({ text = "" }) => shared("Daily deal", location.origin + location.pathname, text),
  };
}
