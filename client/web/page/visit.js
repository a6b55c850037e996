/**
 * A visit to the server: the session, the table that is shown, and what has happened at each table.
 * It knows nothing of elements; `changed` is called whenever the picture may be another one.
 * @module
 */

import { openGame, openLink } from "./game.js";
import { forget, serverAddress, wanted, wholeGame } from "./links.js";
import { keep, kept } from "./memory.js";
import { Refused, connect } from "./sdk/index.js";
import { Story } from "./story.js";

/** @typedef {import("./sdk/index.js").Server} Server */
/** @typedef {import("./sdk/index.js").Table} Table */
/** @typedef {import("./sdk/words.js").Event} Event */
/** @typedef {import("./sdk/words.js").Lesson} Lesson */
/** @typedef {import("./home.js").Lobby} Lobby */
/**
 * A screen in place of the table or the first screen; the table goes on behind it.
 * @typedef {{ picture(): HTMLElement, pressed?(key: string): boolean }} Screen
 */
/** @typedef {{ name?: string, password?: string, token?: string }} Identity */

/** The events after which the first screen is asked for anew. */
const OF_THE_LOBBY = new Set(["OPENED", "CHANGED", "CLOSED", "SOUGHT", "UNSOUGHT", "ONLINE", "OFFLINE"]);
/** The streams of these events. */
const FOLLOWED = ["lobby", "tables", "people"];

/** The messages that the first screen shows. */
const MESSAGES = 5;

/** The line to type that ends hints and refusals in a lesson. */
const TO_TYPE = /\s+Type: (.*)$/;

/** @param {string} text Without the line to type. */
export const withoutTyping = (text) => text.replace(TO_TYPE, "");

/** @param {string} line What people type, `exchange 6 10` or `bid 0`, as the token of a move. */
function tokenTyped(line) {
  if (line === "keep") return "-";
  const words = line.split(" or ")[0].replace(/^(exchange|play|bid|trump) /, "").split(" ");
  return words.map((word) => (word === "joker" ? "X" : /^([2-9jqka]|10)[cdhs]?$/i.test(word) ? word.toUpperCase().replace("10", "T") : word)).join("+");
}

/** One visit, over any number of connections. */
export class Visit {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
  }

  /** @type {Server | undefined} */
  server = undefined;
  /** @type {Table | undefined} the table that is shown; the first screen is shown without one */
  shown = undefined;
  /** @type {Screen | undefined} */
  screen = undefined;
  /** @type {Lobby} */
  lobby = { tables: [], seeks: [], users: [], invitations: [], messages: [] };
  /** @type {Map<string, string>} the words of the private tables that we opened or joined */
  words = new Map();
  /** @type {Set<string>} those whose talk is not shown in this visit */
  muted = new Set();
  /** @type {import("./sdk/words.js").Finished | undefined} the result of the last daily deal */
  daily = undefined;
  /** @type {Map<string, Lesson & { past?: boolean }>} the step of each lesson, by table; a past one is answered */
  lessons = new Map();
  /** @type {string[]} the chosen cards */
  chosen = [];
  /** Why the last action failed, or empty. */
  problem = "";
  /** A hint, or the text of a lesson. */
  advice = "";
  /** @type {import("./sdk/index.js").Question | undefined} the question that was answered last */
  answered = undefined;
  /** @type {Map<string, Story>} */
  #stories = new Map();
  /** @type {Set<string>} the tables whose past is known */
  #recalled = new Set();
  /** @type {WeakSet<Table>} the tables whose events are read */
  #followed = new WeakSet();
  /** The question that was open at the last look. */
  #asked = "";

  /** The name that the server gave; empty for somebody who only looks. */
  get name() {
    return this.server?.name ?? "";
  }

  /** @param {string} on */
  story(on) {
    let story = this.#stories.get(on);
    if (!story) this.#stories.set(on, (story = new Story()));
    story.name = this.name;
    return story;
  }

  /** False for a table that we have just come to: it is shown when it is known. */
  get knowsTable() {
    return !this.shown || this.#recalled.has(this.shown.on);
  }

  /** The open question at the table that is shown, until it is answered. */
  get question() {
    const question = this.shown?.question;
    return question?.same(this.answered) ? undefined : question;
  }

  /** The step of the lesson at the table that is shown. */
  get lesson() {
    return this.lessons.get(this.shown?.on ?? "");
  }

  /** The move that the lesson names for the open question, as a token; empty if there is none. */
  get suggested() {
    return (this.question && this.lesson?.moves?.[0]) ?? "";
  }

  /** Shows a hint. @param {string} text of the server, with the line to type in a lesson */
  hinted(text) {
    const { lesson } = this;
    const typed = TO_TYPE.exec(text)?.[1];
    if (lesson && typed) this.lessons.set(lesson.on, { ...lesson, moves: [tokenTyped(typed)] });
    this.advice = withoutTyping(text);
  }

  /** True once for each question; nothing is chosen for a new one. */
  isAskedAnew() {
    const { question, on } = this.shown ?? {};
    // After it was taken back, the same question is open again.
    if (!question?.same(this.answered)) this.answered = undefined;
    const asked = question ? `${on} ${question.game} ${question.event.turn}` : "";
    if (asked === this.#asked) return false;
    this.#asked = asked;
    this.chosen = [];
    this.problem = "";
    this.advice = "";
    return asked !== "";
  }

  // ------------------------------------------------------------------------ coming and going

  /** Connects, and goes where the link of this page leads. */
  async begin() {
    const entering = this.#enter();
    // A game in a link is shown at once: no server is needed, and none may answer.
    if (wholeGame()) entering.catch(() => {});
    else await entering;
    await this.followLink();
  }

  /** Takes the session of the last visit up again, or only looks around. */
  async #enter() {
    const { token } = kept();
    try {
      await this.#connect(token ? { token } : {});
    } catch (error) {
      if (!token || !(error instanceof Refused)) throw error;
      keep({ token: "" });
      await this.#connect({});
    }
  }

  /** @param {string} name Comes in as a guest. */
  async comeIn(name) {
    if (!this.server || this.server.ended) await this.#connect({ name });
    else await this.server.command(`guest ${name}`);
    this.#named();
    await this.followLink();
  }

  /**
   * Logs in to an account; a guest keeps their seats. The password is proved and not sent.
   * @param {string} name @param {string} password
   */
  async logIn(name, password) {
    if (!this.server || this.server.ended) await this.#connect({ name, password });
    else await this.server.logIn(name, password);
    this.#named();
    await this.followLink();
  }

  /** @param {Identity} identity */
  async #connect(identity) {
    const server = await connect(serverAddress(), { ...identity, client: "twentytwo-web/1" });
    this.server = server;
    server.subscribe(() => this.#look());
    void this.#listen(server);
    if (this.name) this.#named();
    this.#look();
    if (!this.name) await this.lookAround();
  }

  #named() {
    keep({ name: this.name.replace(/^~/, ""), account: !this.name.startsWith("~") });
    for (const stream of FOLLOWED) void this.server?.command(`follow ${stream}`).catch(() => {});
    void this.lookAround();
  }

  /** Something has changed: of a table, of the connection. */
  #look() {
    const { server } = this;
    if (server?.token && server.token !== kept().token) keep({ token: server.token });
    for (const table of server?.tables.values() ?? []) void this.#follow(table);
    if (this.shown?.gone) this.#leaveTable();
    this.changed();
  }

  /** Shows the first screen. */
  toFirstScreen() {
    this.closeScreen();
    this.#leaveTable();
  }

  /** Closes what is in front of the table or the first screen. */
  closeScreen() {
    if (this.screen) forget();
    this.screen = undefined;
  }

  #leaveTable() {
    this.shown = undefined;
    this.advice = this.problem = "";
    void this.lookAround();
  }

  /** @param {Table} table Shows a table. */
  sitAt(table) {
    this.shown = table;
    this.closeScreen();
    this.problem = "";
    void this.#follow(table);
  }

  /** Goes where the link of this page leads, once. */
  async followLink() {
    if (wholeGame()) return this.#openLink(wholeGame());
    const goal = wanted();
    if (!goal || !this.server || !this.name) return;
    forget();
    if (goal.goal === "join") await this.join(goal.what);
    else if (goal.goal === "watch") this.sitAt(await this.server.watch(goal.what));
    else await openGame(this, goal.what, goal.goal === "review");
  }

  /** @param {string} link Shows the game in it. The address keeps it: a reload shows it again. */
  async #openLink(link) {
    try {
      await openLink(this, link);
    } catch (error) {
      forget();
      throw error;
    }
  }

  /** @param {string} what a table, or the word of a private one */
  async join(what) {
    const table = await /** @type {Server} */ (this.server).join(what);
    if (!/^t[0-9]+$/.test(what)) this.words.set(table.on, what);
    this.sitAt(table);
  }

  // ------------------------------------------------------------------------------- what happens

  /** @param {Table} table Reads the events of a table, from its beginning. */
  async #follow(table) {
    if (this.#followed.has(table)) return;
    this.#followed.add(table);
    this.shown ??= table;
    const story = this.story(table.on);
    try {
      let last = await this.#recall(table, story);
      for await (const event of table) {
        if (event.ev === "reconnected") {
          if (!event.complete) last = await this.#recall(table, story);
        } else if (event.ev === "LESSON") {
          this.lessons.set(event.on, event);
        } else if (event.on !== table.on || (event.seq ?? 0) > last) {
          if (!this.#isMuted(event)) story.see(event);
          if (event.on === table.on) last = event.seq ?? last;
        }
        this.changed();
      }
    } catch {
      this.#recalled.add(table.on);
      this.changed(); // the connection has ended, and says so itself
    }
  }

  /** @param {Table} table @param {Story} story Tells everything from the beginning; returns the number of the last event. */
  async #recall(table, story) {
    const events = await table.past();
    story.clear();
    for (const event of events) story.see(event);
    this.#recalled.add(table.on);
    this.changed();
    return events.at(-1)?.seq ?? table.state.seq;
  }

  /** @param {Server} server Reads the events outside the tables. */
  async #listen(server) {
    try {
      for await (const event of server) {
        if (event.ev !== "reconnected") this.#hear(event);
        this.changed();
      }
    } catch {
      this.changed();
    }
  }

  /** @param {Event} event */
  #isMuted(event) {
    return (event.ev === "SAID" || event.ev === "KIBITZED") && this.muted.has(event.by);
  }

  /** @param {Event} event */
  #hear(event) {
    if (event.ev === "INVITED") {
      this.lobby.invitations.push({ name: event.by, on: event.table });
      this.tell(event.text);
    } else if (event.ev === "FINISHED") {
      this.daily = event;
      this.tell(event.text);
    } else if (OF_THE_LOBBY.has(event.ev)) {
      void this.lookAround();
    } else if (event.ev === "TOLD" || event.ev === "SHOUTED") {
      if (event.text) this.#heard(event.ev === "TOLD" ? `${event.by} tells ${event.to}: ${event.text}` : `[lobby] ${event.by}: ${event.text}`);
    } else {
      this.tell(event.text);
    }
  }

  /** @param {string} text Shows what somebody says outside the tables: at the table, or on the first screen. */
  #heard(text) {
    if (this.shown) this.story(this.shown.on).talk(text);
    else this.lobby.messages = [...this.lobby.messages, text].slice(-MESSAGES);
  }

  /** @param {string | undefined} text Adds a sentence at the table that is shown. */
  tell(text) {
    if (text && this.shown) this.story(this.shown.on).say(text);
  }

  /** Asks who is here, if the first screen shows it. */
  async lookAround() {
    const { server } = this;
    if (!server?.here || this.shown) return;
    try {
      const [tables, seeks, users] = await Promise.all([
        server.listing("TABLE", "tables"),
        // Strangers see the tables only.
        this.name ? server.listing("SEEK", "seeks") : [], this.name ? server.listing("USER", "who") : [],
      ]);
      Object.assign(this.lobby, { tables, seeks, users });
    } catch {
      // It is asked again at the next change.
    }
    this.changed();
  }
}
