/**
 * The screen of a finished game: its replay by anybody's eyes, and its review.
 * @module
 */

import { face, namesOf } from "./cards.js";
import * as dialogs from "./dialogs.js";
import { button, el } from "./dom.js";
import { linkTo } from "./links.js";
import { Replay, WAYS } from "./replay.js";
import { markText, reviewOf, reviewPicture } from "./review.js";
import { LinkedGame, gameLink, isGameLink } from "./sdk/event-link.js";
import { inHand } from "./sdk/index.js";
import { sentence } from "./sentences.js";
import { felt, nameIn, shortName, titleOf } from "./table.js";

/** @typedef {import("./visit.js").Visit} Visit */
/** @typedef {import("./replay.js").Eyes} Eyes */
/** @typedef {import("./sdk/words.js").Event} Event */
/** @typedef {keyof typeof WAYS} Way */

/** The keys that lead somewhere. @type {Record<string, Way>} */
const KEYS = {
  ArrowRight: "next", ArrowLeft: "back", "]": "trick_next", "[": "trick_back",
  "}": "hand_next", "{": "hand_back", Home: "first", End: "last",
};
/** @type {[Way, string, string][]} */
const BUTTONS = [
  ["hand_back", "«", "The hand before"], ["trick_back", "‹", "The trick before"], ["back", "Back", "A step back"],
  ["next", "Next", "The next step"], ["trick_next", "›", "The next trick"], ["hand_next", "»", "The next hand"],
];

/** A finished game on the screen. */
export class GameScreen {
  /**
   * @param {Visit} visit @param {string} id @param {Event[]} events with every card
   * @param {{ link: string, game: LinkedGame }} [linked] the link that the game came in
   */
  constructor(visit, id, events, linked) {
    this.#visit = visit;
    this.id = id;
    this.linked = linked;
    this.replay = new Replay(id, events);
    this.#events = events;
    const seats = events.flatMap((event) => (event.ev === "JOINED" ? [[event.seat, event.name]] : []));
    /** The names by seat, seat 1 first. */
    this.names = /** @type {[number, string][]} */ (seats).sort(([one], [other]) => one - other).map(([, name]) => shortName(name));
    this.mine = /** @type {[number, string][]} */ (seats).find(([, name]) => name === visit.name)?.[0] ?? 0;
  }

  #visit;
  #events;
  /** @type {import("./review.js").Review | undefined} */
  review = undefined;
  /** True while the server works on the review. */
  reviewing = false;

  /** @param {Eyes} eyes */
  async look(eyes) {
    const { replay } = this;
    replay.look(eyes, replay.knows(eyes) || eyes === "all" ? undefined : await this.#seenFrom(eyes));
  }

  /** @param {number} seat */
  async #seenFrom(seat) {
    return this.linked?.game.seenFrom(seat) ?? this.#server.export(this.id, { seat });
  }

  get #server() {
    return /** @type {import("./sdk/index.js").Server} */ (this.#visit.server);
  }

  /** The link with the whole game in it. */
  async link() {
    return this.linked?.link ?? gameLink(this.#events, await this.#seenFrom(0));
  }

  /** Asks for the review, which takes some seconds. */
  async judge() {
    if (this.review || this.reviewing) return;
    this.reviewing = true;
    this.#visit.changed();
    try {
      const { rows, ok } = await this.#server.command(`review ${this.id}`);
      this.review = reviewOf(rows, ok.text);
    } finally {
      this.reviewing = false;
    }
  }

  /** @param {string} key False if the key means nothing here. */
  pressed(key) {
    const way = KEYS[key];
    if (key === "v") void this.look(this.#next).then(() => this.#visit.changed());
    else if (way) this.replay.go(this.replay.to(way));
    else return false;
    this.#visit.changed();
    return true;
  }

  /** All points of view. @returns {Eyes[]} */
  get eyes() {
    return ["all", 0, ...this.names.map((_, index) => index + 1)];
  }

  get #next() {
    const all = this.eyes;
    return all[(all.indexOf(this.replay.eyes) + 1) % all.length];
  }

  picture() {
    const { replay, id, review, linked } = this;
    const { hand, trick } = replay.step;
    const { model, story, told } = replay.now();
    // The mark of the move that comes next.
    const mark = review?.marks.find(({ turn }) => turn === replay.steps[replay.at + 1]?.turn);
    const table = { state: model, timeLeft: () => undefined };
    return el("section", { class: "past", "data-key": `game${id}`, "aria-label": `Game ${id}` },
      el("header", { class: "bar" },
        el("h1", {}, titleOf(model), " ", el("small", {}, linked ? "from a link" : id)),
        el("p", { class: "facts" }, hand ? `Hand ${hand}${trick ? `, trick ${trick}` : ""}` : "Before the first hand"),
        button("back", "Back", { class: "quiet" })),
      this.#visit.problem && el("p", { class: "problem", role: "alert" }, this.#visit.problem),
      el("div", { class: "stage" }, felt(table, story)),
      this.#hands(model),
      mark && el("p", { class: `mark ${mark.mark}`, role: "status" }, markText(mark, this.names)),
      el("div", { class: "told", role: "status", tabindex: 0 }, ...told.map(({ parts }) => el("p", {}, ...sentence(parts)))),
      el("div", { class: "steps", role: "group", "aria-label": "Steps" },
        ...BUTTONS.map(([way, label, name]) =>
          button("replay-go", label, { "data-way": way, "data-key": way, "aria-label": name, disabled: replay.to(way) === replay.at }))),
      el("label", { class: "slider" }, el("span", { class: "read" }, "Step"),
        el("input", {
          type: "range", min: 0, max: replay.last, value: replay.at, "data-do": "replay-to",
          "aria-valuetext": `Step ${replay.at + 1} of ${replay.last + 1}, hand ${hand}${trick ? `, trick ${trick}` : ""}`,
        })),
      el("div", { class: "eyes", role: "group", "aria-label": "Whose cards are seen" },
        ...this.eyes.map((eyes) =>
          button("replay-eyes", eyes === "all" ? "All cards" : eyes ? this.names[eyes - 1] : "A watcher", {
            "data-eyes": eyes, "data-key": `eyes${eyes}`, "aria-pressed": `${eyes === replay.eyes}`, class: eyes === replay.eyes ? "on" : "quiet",
          }))),
      el("div", { class: "actions" },
        !linked && !review && button("judge", this.reviewing ? "The review takes some seconds…" : "Review the moves", { class: "main", disabled: this.reviewing }),
        !linked && button("whatif", "Play on from here", { class: "quiet", "data-at": trick ? `${hand}.${trick}` : `${hand || 1}`, "data-seat": Number(replay.eyes) || this.mine }),
        !linked && button("share-game", "Share", { class: "quiet", "data-goal": review ? "review" : "game", "data-id": id }),
        replay.isOver && button("copy-link", "Copy a link", { class: "quiet" })),
      review && reviewPicture(review, this.names),
    );
  }

  /** The open cards: of everybody, or of the seat. @param {import("./sdk/index.js").TableModel} model */
  #hands(model) {
    const { replay } = this;
    /** @type {[number, string[]][]} */
    const hands = replay.eyes === "all" ? [...replay.hands()] : replay.eyes ? [[replay.eyes, model.holding]] : [];
    return el("ul", { class: "hands" }, ...hands.filter(([, cards]) => cards.length).map(([seat, held]) => {
      const cards = inHand(held, model.game?.game ?? "", model.options);
      const name = model.me ? nameIn(model, seat) : this.names[seat - 1];
      return el("li", { "data-key": `hand${seat}` },
        el("span", { class: "by" }, name),
        el("span", { class: "read" }, `: ${namesOf(cards)}`),
        el("span", { class: "fan" }, ...cards.map(face)));
    }));
  }
}

/**
 * Shows a finished game.
 * @param {Visit} visit @param {string} id @param {boolean} [judged] with its review
 */
export async function openGame(visit, id, judged = false) {
  const { server } = visit;
  if (!server) throw new Error("The server does not answer.");
  const screen = new GameScreen(visit, id, await server.export(id));
  if (screen.mine) await screen.look(screen.mine);
  visit.screen = screen;
  history.replaceState(null, "", linkTo(judged ? "review" : "game", id));
  if (judged) void screen.judge().catch((error) => (visit.problem = `${error.text ?? error}`)).then(() => visit.changed());
}

/** @param {Visit} visit @param {string} link Shows the game in a link; no server is needed. */
export async function openLink(visit, link) {
  if (!isGameLink(link)) {
    throw new Error("This link has the moves of a game, which this page cannot open: twentytwo replay does, in a terminal.");
  }
  const game = await LinkedGame.read(link);
  visit.screen = new GameScreen(visit, game.id, game.all, { link, game });
  visit.changed();
}

/** @param {Visit} visit @param {() => Promise<boolean>} mayEnd asks, if another game would end @returns The actions of this screen. */
export const gameActions = (visit, mayEnd) => {
  const screen = () => /** @type {GameScreen} */ (visit.screen);
  /** @type {Record<string, (data: DOMStringMap) => unknown>} */
  const all = {
    back() {
      visit.closeScreen();
      void visit.lookAround();
    },
    review: ({ id = visit.shown?.state.game?.id ?? "" }) => openGame(visit, id, true),
    replay: ({ id = visit.shown?.state.game?.id ?? "" }) => openGame(visit, id),
    judge: () => screen().judge(),
    "replay-go": ({ way = "next" }) => screen().replay.go(screen().replay.to(/** @type {Way} */ (way))),
    "replay-to": ({ value = "" }) => screen().replay.go(Number(value)),
    "replay-eyes": ({ eyes = "" }) => screen().look(eyes === "all" ? eyes : Number(eyes)),
    async "review-show"({ turn = "", seat = "" }) {
      await screen().look(Number(seat));
      screen().replay.goToTurn(Number(turn));
      scrollTo({ top: 0 });
    },
    async whatif({ at = "", seat = "0" }) {
      if (!(await mayEnd())) return;
      visit.sitAt(await /** @type {import("./sdk/index.js").Server} */ (visit.server).sit(
        `whatif ${screen().id} at=${at}${Number(seat) ? ` seat=${seat}` : ""}`));
    },
    async "copy-link"() {
      const url = linkTo("game", await screen().link());
      const copied = await copy(url);
      const field = /** @type {HTMLInputElement} */ (el("input", { readonly: true, value: url, "aria-label": "The link" }));
      dialogs.open("The game in a link",
        el("p", {}, "Whoever opens it sees the whole game with all cards, even if this server is gone."),
        el("p", { role: "status" }, `${url.length} letters${copied ? ", copied." : ". Copy them from here:"}`),
        el("p", { class: "account" }, field));
      field.select();
    },
    async "share-game"({ goal = "game", id = "" }) {
      await shared(`The game ${id}`, linkTo(goal === "review" ? "review" : "game", id));
    },
  };
  return all;
};

/** @param {string} title @param {string} url @param {string} [text] Sends by the device's share sheet, or copies and shows. */
export async function shared(title, url, text) {
  if ("share" in navigator) return navigator.share({ title, url, text }).catch(() => {});
  const all = [text, url].filter(Boolean).join("\n");
  const done = await copy(all);
  dialogs.open(title, el("p", { role: "status" }, done ? "Copied:" : "Copy it from here:"), el("p", { class: "copy" }, all));
}

/** @param {string} text False if this page may not copy, as without https. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
