/**
 * One person's conversation with a server, over any number of connections: lines in, lines out.
 *
 * It does no input or output and has no clock. `Link` drives it. It greets the server, takes the
 * seat back with the token, answers PING, numbers the commands and matches the replies, asks for
 * missed events, and repeats commands whose replies were lost, under a key by which the server
 * carries them out only once.
 * @module
 */

import { randomHex } from "./fair.js";
import { Shuffles } from "./fairness.js";
import { isEvent, isRow, Malformed, oneLine, read, verbOf, withOnce, wordsOf } from "./lines.js";
import { FOLLOWED, Streams } from "./streams.js";
import { EVENTS, VERBS } from "./words.js";

/** @typedef {import("./words.js").Event} Event */
/** @typedef {import("./words.js").Row} Row */
/** @typedef {import("./words.js").Ok} Ok */
/** @typedef {import("./words.js").Err} Err */
/** @typedef {import("./words.js").Bye} Bye */
/** @typedef {import("./words.js").AtRow} AtRow */
/** @typedef {import("./lines.js").Message} Message */
/** @typedef {import("./model.js").TableModel} TableModel */
/** @typedef {import("./shuffle-check.js").Verdict} Verdict */

/**
 * A command: its id, its line, the rows of its reply so far. `own`: the conversation itself sends
 * it. `once` is its key; empty if it has none.
 * @typedef {{ id: string, line: string, verb: string, own: boolean, once: string, rows: Message[] }} Sent
 */

/**
 * Hears what happens. While it is told of an event, the models of the tables are as of that event.
 * @typedef {object} Listener
 * @property {(event: Event, on: string, missed: boolean) => void} happened
 * @property {(table: TableModel) => void} snapshot the model of a table is another one now
 * @property {(resumed: boolean) => void} signedIn
 * @property {(err: Err, seated: boolean) => void} sessionLost the token is worthless
 * @property {(sent: Sent | undefined, end: Ok | Err) => void} replied
 * @property {(sent: Sent) => void} unanswered its reply will never come
 * @property {(on: string, verdict: Verdict) => void} checked the shuffles of a game are checked
 * @property {() => void} due there are lines to send, though no line has come
 * @property {(ms: number, act: () => void) => void} later acts then, if the connection is still the same
 */

/**
 * The identity of a person at the server.
 * @typedef {object} Identity
 * @property {string} [name] a guest's name, or an account
 * @property {string} [token] takes an earlier session up again
 * @property {string} [password] of the account; it is proved, not sent
 * @property {string} [loginToken] of the account
 * @property {boolean} [bot] a program plays
 * @property {string} [client] the name of this program
 */

/** The verbs that give a name. */
const NAMING = ["guest", "login", "auth", "resume", "register"];
/** The verbs of which the listener is told a refusal, though the conversation itself sent them. */
const FIRST = ["hello", "guest", "login", "auth"];
/** The classes of errors after which `resume` is repeated without positions. */
const STALE = ["sync", "missing", "syntax"];
/** The classes of errors after which the client hangs up and tries again later. */
const LATER = ["limit", "server"];
/** The longest command, in bytes with its line end, until the server says. */
const LONGEST_COMMAND = 1024;

/**
 * The states of a conversation: without a connection; hello is not answered; the login is not;
 * anything may be said; dismissed for now; dismissed for good.
 * @typedef {"away" | "greeting" | "nameless" | "here" | "leaving" | "over"} State
 */

/** A command that is too long for the server. */
export class TooLong extends Error {}

/** One person's conversation with one server. */
export class Conversation {
  /**
   * @param {Identity} identity
   * @param {Listener} listener
   */
  constructor(identity, listener) {
    const { name = "", token = "", client = "twentytwo-js/1", bot = false } = identity;
    this.name = name;
    this.token = token;
    this.#identity = identity;
    this.#listener = listener;
    this.#hello = `hello 1 client=${client} caps=json,text${bot ? " bot=1" : ""}`;
  }

  /** @type {State} */
  state = "away";
  /** Changes with every start of the server. */
  boot = "";
  /** The milliseconds for which a seat is kept. */
  grace = 0;
  /** @type {Bye | undefined} the last line of the last connection, if it was a BYE */
  bye = undefined;
  /** The milliseconds after which the server lets us try again to come in. */
  wait = 0;
  /** Why the conversation has ended, if the server did not say so by a BYE. */
  trouble = "";
  streams = new Streams((line) => this.#ask(line));

  #identity;
  #listener;
  #hello;
  /** The number of the connection; it changes when one is lost, too. */
  #connection = 0;
  #limit = LONGEST_COMMAND;
  #count = 0;
  #keys = randomHex(8);
  /** @type {Map<string, Sent>} */
  #waiting = new Map();
  /** @type {Sent[]} */
  #again = [];
  /** @type {string[]} */
  #out = [];
  /** @type {Map<string, string>} the followed streams, each with its filter by game */
  #follows = new Map();
  /** @type {Set<string>} */
  #watches = new Set();
  /** @type {import("./scram.js").ScramProof | undefined} */
  #proof = undefined;
  #shuffles = new Shuffles({
    ready: () => this.#listener.due(),
    verdict: (on, verdict) => this.#listener.checked(on, verdict),
  });

  // ---------------------------------------------------------------------------- connections

  /** There is a connection: queues hello and the login. */
  connected() {
    this.state = "greeting";
    this.#ask(this.#hello);
    if (this.token) this.#resume();
    else if (this.name) this.#logIn();
  }

  /** The connection is lost. */
  lost() {
    if (this.state !== "over") {
      this.state = "away";
      this.bye = undefined;
      this.wait = 0;
    }
    this.#connection += 1;
    this.#out = [];
    this.#proof = undefined;
    this.streams.lost();
    this.#shuffles.lost();
    const sent = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#again.push(...sent.filter((each) => each.once));
    for (const each of sent) if (!each.once && !each.own) this.#listener.unanswered(each);
  }

  /** The lines to send now. */
  outgoing() {
    if (this.state === "here") {
      for (const [on, table] of this.streams.tables) {
        if (!this.streams.behind.has(on)) for (const line of this.#shuffles.due(table)) this.#ask(line);
      }
    }
    const out = this.#out;
    this.#out = [];
    return out;
  }

  // ---------------------------------------------------------------------------------- sending

  /**
   * Queues a command, a line without an id. `state` has to be `here`. Throws `TooLong`.
   * @param {string} line
   * @returns {Sent}
   */
  say(line) {
    return this.#ask(line, false);
  }

  /** Queues a ping, to find out whether the server still answers. */
  probe() {
    this.#ask("ping");
  }

  /** @param {string} said @param {boolean} [own] */
  #ask(said, own = true) {
    const line = oneLine(said);
    const verb = verbOf(line);
    const id = `${++this.#count}`;
    const once = !own && VERBS[verb]?.once && !/ once=/i.test(line) ? `${this.#keys}.${id}` : "";
    /** @type {Sent} */
    const sent = { id, line, verb, own, once, rows: [] };
    if (byteLength(written(sent)) + 2 > this.#limit) {
      throw new TooLong(`a line has at most ${this.#limit} bytes`);
    }
    this.#noteSent(sent);
    return this.#send(sent);
  }

  /** @param {Sent} sent */
  #send(sent) {
    if (sent.verb !== "pong") this.#waiting.set(sent.id, sent); // it alone has no reply
    this.#out.push(written(sent));
    return sent;
  }

  /** @param {Sent} sent Notes what does not depend on the reply. */
  #noteSent({ verb, line }) {
    const [first = ""] = wordsOf(line);
    if (verb === "seed") this.#shuffles.said(first);
    if (verb === "export") this.streams.nameToldAgain(first.toLowerCase());
  }

  #resume(withStreams = true) {
    const known = [...this.streams.seqs].filter(([on]) => this.#resumes(on));
    const words = known.map(([on, seq]) => `${on}:${seq}`);
    if (words.length && this.boot) words.push(`boot=${this.boot}`);
    this.#ask(["resume", this.token, ...(withStreams ? words : [])].join(" "));
  }

  /** @param {string} on */
  #resumes(on) {
    return !this.streams.isToldAgain(on) && (!FOLLOWED.includes(on) || this.#follows.has(on));
  }

  /** Queues the command that gives the name; a password is proved. */
  #logIn() {
    const name = this.name.replace(/^~/, "");
    const { password, loginToken } = this.#identity;
    if (password) void this.#prove(name, password);
    else this.#ask(loginToken ? `login ${name} token=${loginToken}` : `guest ${name}`);
  }

  /** @param {string} name @param {string} password */
  async #prove(name, password) {
    const connection = this.#connection;
    const { ScramProof } = await import("./scram.js");
    if (this.#connection !== connection) return; // it was lost meanwhile
    this.#proof = new ScramProof(name, password);
    this.#ask(`auth ${this.#proof.first}`);
    this.#listener.due();
  }

  // ---------------------------------------------------------------------------------- hearing

  /**
   * Takes a line of the server.
   * @param {string} line
   */
  hear(line) {
    if (this.state === "away" || this.state === "over" || !line) return;
    let message;
    try {
      message = read(line);
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      this.#garbled();
      return;
    }
    if (message === null) return;
    if (message.re !== undefined) this.#reply(message.re, message);
    else if (!message.on || message.seq === undefined || message.ev === "GAP") this.#notice(message);
    else this.#event(message.on, message.seq, message);
  }

  /** A line that cannot be read has come. Who answers hello in this way speaks another language. */
  #garbled() {
    if (this.state !== "greeting") return;
    this.state = "over";
    this.trouble = "the server does not speak cardline/1";
  }

  /** @param {string} on @param {number} seq @param {Message} message */
  #event(on, seq, message) {
    const { streams } = this;
    const event = isEvent(message) ? message : null;
    if (event && EVENTS[event.ev].stream === "table") streams.meet(on, seq);
    const arrival = streams.arrival(on, seq);
    if (event && arrival !== "ahead") streams.recalled.get(on)?.set(seq, event);
    if (arrival === "next") this.#next(on, seq, event);
    else if (arrival === "ahead" && !streams.behind.has(on)) streams.catchUp(on);
  }

  /** @param {string} on @param {number} seq @param {Event | null} event */
  #next(on, seq, event) {
    const missed = this.state !== "here";
    let table;
    try {
      table = this.streams.take(on, seq, event, this.name);
    } catch {
      this.streams.distrust(on); // any error in a model makes it unusable
      return;
    }
    if (event === null) return;
    this.#listener.happened(event, on, missed);
    if (table) this.#shuffles.see(event, table, missed);
  }

  /** @param {Message} message An event outside the streams, or one that has no number. */
  #notice(message) {
    if (!isEvent(message)) return;
    switch (message.ev) {
      case "PING":
        this.#ask(`pong ${message.no}`);
        break;
      case "GAP":
        this.streams.skip(message.on, message.seq);
        break;
      case "BYE":
        this.bye = message;
        this.state = message.resume && message.code !== "QUIT" ? "leaving" : "over";
        break;
      default:
        if (message.ev === "NOTE" && message.table) this.streams.nameTable(message.table);
        this.#listener.happened(message, message.on ?? "", false);
    }
  }

  // ---------------------------------------------------------------------------------- replies

  /** @param {string} id @param {Message} message */
  #reply(id, message) {
    const sent = this.#waiting.get(id);
    if (message.ev !== "OK" && message.ev !== "ERR") {
      if (sent && isRow(message)) sent.rows.push(message);
      return;
    }
    this.#waiting.delete(id);
    const end = /** @type {Ok | Err} */ (/** @type {unknown} */ (message));
    if (sent === undefined) this.#listener.replied(undefined, end);
    else if (this.#answered(sent, end) && (!sent.own || (FIRST.includes(sent.verb) && end.ev === "ERR"))) {
      this.#listener.replied(sent, end);
    }
  }

  /**
   * Draws the conclusions from a reply. False if the listener is not to be told.
   * @param {Sent} sent
   * @param {Ok | Err} end
   */
  #answered(sent, end) {
    return end.ev === "OK" ? this.#accepted(sent, end) : this.#refused(sent, end);
  }

  /** @param {Sent} sent @param {Ok} ok */
  #accepted(sent, ok) {
    const { streams } = this;
    const { on } = ok;
    if (on !== undefined) streams.nameTalk(ok.talk, on);
    if (sent.verb === "auth" && sent.own && !this.#proved(sent, ok)) return false;
    if (NAMING.includes(sent.verb) && ok.name !== undefined) this.#named(sent, ok);
    else if (sent.verb === "hello") this.#greeted(ok);
    else if (sent.verb === "password" && ok.token) this.token = ok.token;
    else if (sent.verb === "logout") this.#unnamed();
    else if (sent.verb === "follow" || sent.verb === "unfollow") this.#followed(sent, ok);
    else if (sent.verb === "unwatch") this.#unwatched(wordsOf(sent.line)[0]);
    else if (sent.verb === "sync") streams.synced(wordsOf(sent.line)[0], sent.line, ok);
    else if (sent.verb === "state") this.#stated(sent);
    else if (on === undefined) streams.seeking ||= ok.seek !== undefined;
    else if (sent.verb === "leave") this.#unwatchedByLeaving(on);
    else if (sent.verb === "move") streams.answered(on, turnOf(sent));
    else this.#atTable(sent, on, ok);
    if (sent.own) this.#tellClocks(sent);
    return true;
  }

  /** @param {Sent} sent The time left comes in rows of the reply. */
  #tellClocks({ rows }) {
    for (const row of rows) {
      if (row.ev === "CLOCK" && isEvent(row)) this.#listener.happened(row, row.on ?? "", false);
    }
  }

  /** @param {Sent} sent @param {Err} err */
  #refused(sent, err) {
    const { verb, own, line } = sent;
    const putOff = LATER.includes(err.class);
    if (!own) return true;
    if (verb === "hello") this.state = "over";
    else if (NAMING.includes(verb) && putOff) {
      this.wait = err.wait ?? 0;
      this.state = "leaving";
    } else if (verb === "resume") return this.#notResumed(line, err);
    else if (putOff && err.wait !== undefined) this.#listener.later(err.wait, () => this.#ask(line));
    else if (verb === "sync" || verb === "state") {
      const [on] = wordsOf(line);
      if (verb === "sync" && this.streams.isTable(on)) this.streams.distrust(on);
      else this.streams.forget(on);
    }
    return true;
  }

  /** @param {Ok} ok */
  #greeted(ok) {
    if (this.state === "greeting") this.state = this.token || this.name ? "nameless" : "here";
    this.#limit = ok.maxin ?? this.#limit;
    this.boot = ok.boot ?? "";
  }

  /**
   * Takes the next step of the proof of a password. True once the server has proved itself, too.
   * @param {Sent} sent
   * @param {Ok} ok
   */
  #proved(sent, ok) {
    const proof = this.#proof;
    const data = /** @type {string | undefined} */ (sent.rows.find((row) => row.ev === "MORE")?.data);
    if (ok.name === undefined) {
      void this.#answerChallenge(proof, data);
      return false;
    }
    const proved = proof?.proves(data ?? "") ?? false;
    if (!proved) this.#distrusted();
    return proved;
  }

  /** @param {import("./scram.js").ScramProof | undefined} proof @param {string} [data] */
  async #answerChallenge(proof, data = "") {
    const answer = await proof?.answer(data).catch(() => undefined);
    if (this.#proof !== proof) return; // the connection was lost meanwhile
    if (answer) this.#ask(`auth ${answer}`);
    else this.#distrusted();
    this.#listener.due();
  }

  #distrusted() {
    this.state = "over";
    this.trouble = "the server does not know the password";
  }

  /** @param {Sent} sent @param {Ok} ok */
  #named(sent, ok) {
    const { streams } = this;
    const resumed = sent.verb === "resume";
    this.name = ok.name ?? this.name;
    this.token = ok.token ?? this.token;
    this.grace = ok.grace ?? 0;
    if (!resumed) {
      streams.beginAnew({ me: true });
      this.#watches.clear();
      this.#shuffles.forget();
    }
    const rows = /** @type {AtRow[]} */ (/** @type {unknown} */ (sent.rows.filter((row) => row.ev === "AT")));
    const at = new Map(rows.map((row) => [row.on, row]));
    for (const on of streams.seqs.keys()) if (streams.isTable(on) && !at.has(on)) streams.forget(on);
    for (const row of at.values()) if (!streams.stands(row)) this.#watches.delete(row.on);
    this.state = "here";
    this.#listener.signedIn(resumed);
    this.#goOn(resumed ? at : new Map(), sent.verb !== "guest");
  }

  /**
   * Restores on a new connection what the server has not restored by itself.
   * @param {Map<string, unknown>} resumed the streams that it has
   * @param {boolean} same we are who we were, so that unanswered commands are sent again
   */
  #goOn(resumed, same) {
    this.streams.goOn();
    for (const [on, game] of this.#follows) {
      if (game) this.#ask(`follow ${on} game=${game}`);
      else if (!resumed.has(on)) this.#ask(`follow ${on}`);
    }
    for (const on of this.#watches) if (!resumed.has(on)) this.#ask(`watch ${on}`);
    const again = this.#again;
    this.#again = [];
    for (const sent of again) {
      sent.rows = [];
      if (same) this.#send(sent);
      else this.#listener.unanswered(sent);
    }
  }

  /** @param {string} line @param {Err} err */
  #notResumed(line, err) {
    if (STALE.includes(err.class) && wordsOf(line).length > 1) {
      this.streams.beginAnew({ tables: true });
      this.#resume(false);
    } else if (err.class === "auth") {
      const { seated } = this.streams;
      this.token = "";
      this.streams.beginAnew();
      this.#listener.sessionLost(err, seated);
      if (this.name) this.#logIn();
      else this.#listener.replied(undefined, err);
    } else {
      this.#listener.replied(undefined, err);
    }
    return false;
  }

  #unnamed() {
    this.name = this.token = "";
    this.#follows.clear();
    this.#watches.clear();
    this.streams.beginAnew();
  }

  /** @param {Sent} sent @param {Ok} ok */
  #followed({ verb, line, rows }, ok) {
    const words = wordsOf(line).map((word) => word.replace(/^stream=/, ""));
    const game = words.find((word) => word.startsWith("game="))?.slice(5) ?? "";
    const named = words.filter((word) => FOLLOWED.includes(word));
    for (const on of named.length ? named : FOLLOWED) {
      if (verb === "follow") this.#follows.set(on, game);
      else this.#follows.delete(on);
    }
    for (const { on, seq } of [ok, .../** @type {Message[]} */ (rows.filter((row) => row.ev === "AT"))]) {
      if (on && seq !== undefined && this.#follows.has(on)) this.streams.seqs.set(on, seq);
    }
  }

  /** @param {string} [on] a table, or nothing: all */
  #unwatched(on) {
    for (const each of on ? [on] : [...this.#watches]) {
      this.#watches.delete(each);
      this.streams.forget(each);
    }
  }

  /** @param {string} on For a player the event LEFT does this. */
  #unwatchedByLeaving(on) {
    const table = this.streams.tables.get(on);
    if (table && table.me === undefined) this.#unwatched(on);
  }

  /** @param {Sent} sent */
  #stated({ rows }) {
    const table = this.streams.adopt(rows);
    if (table === null) return;
    this.#listener.snapshot(table);
    this.#shuffles.resumed(table);
  }

  /** @param {Sent} sent @param {string} on @param {Ok} ok We have come to a table. */
  #atTable({ verb }, on, ok) {
    const { streams } = this;
    if (ok.seat === undefined && ok.talk === undefined && verb !== "watch") {
      if (verb === "replay") streams.nameToldAgain(on);
      return;
    }
    streams.nameTable(on);
    const table = streams.tables.get(on);
    if (ok.seat !== undefined && table === undefined) streams.sit(on, ok.seat);
    // A spectator who takes a seat over has not seen its cards yet.
    else if (ok.seat !== undefined && table?.me === undefined && table?.hand) streams.distrust(on);
    if (verb === "watch") {
      this.#watches.add(on);
      if (!streams.seqs.has(on) && !streams.behind.has(on)) streams.catchUp(on);
    }
  }
}

/** @param {Sent} sent */
const written = ({ id, line, once }) => `@${id} ${once ? withOnce(line, once) : line}`;

/** @param {Sent} sent */
function turnOf({ line }) {
  const said = wordsOf(line).find((word) => word.startsWith("turn="));
  return said === undefined ? undefined : Number(said.slice(5));
}

/** @param {string} text */
const byteLength = (text) => new TextEncoder().encode(text).length;
