/**
 * A finished game in a link: its events with their sentences, for a page without a server.
 *
 * The format is that of `twentytwo_protocol/event_link.py`: templates, an empty line, a row for each
 * event, compressed. A link comes from anybody, and nothing vouches for the game in it.
 * @module
 */

import { isEvent, read, write } from "./lines.js";
import { EVENTS } from "./words.js";

/** @typedef {import("./words.js").Event} Event */
/** @typedef {{ line: string, closed: string }} Told an event with all cards, and as a spectator sees it */

/** The first letters of every link: the format and its version. */
export const PREFIX = "22e1_";
/** The most characters of the text in a link, and of all lines together. */
export const LONGEST = 4_000_000;
/** A little more than any game has. */
const MOST_PLAYERS = 12;
/** The most events of a hand, and cards in them: more than any rules allow. */
const [MOST_EVENTS, MOST_CARDS] = [2_000, 5_000];
/** Compressed bytes that are read at once: they become a megabyte at most. */
const SLICE = 1024;

const FIRST = 48;
const PLACE = /\{(?:#|([0-9]{1,4})(?::([nc]))?)\}/g;
const CONSTANT = /^[a-z_]*$/;
const NUMBER = /^[0-9]+$/;
const NUMBERS = /^[0-9]+(,[0-9]+)+$/;
const JOINED = /^JOINED seat=(\S+) name=(\S+)/;
const SEATS = new Set(["seat", "dealer"]);
/** They only serve to check the deals. */
const OF_THE_SHUFFLE = new Set(["COMMITTED", "REVEALED", "SEEDED", "SHUFFLED"]);
const BEFORE = new Set(["OPTION", "JOINED"]);
const OF_SEATS = new Set(["seat", "dealer", "losers", "winners", "side", "caller"]);
const ENDS = new Set(["GAMEOVER", "ABORTED"]);

/** A text that is no link to a game, or a link that is not whole. The message is a sentence. */
export class BrokenLink extends Error {}

/** @param {string} [why] */
const torn = (why = "something is missing or changed; copy the whole of it once more") =>
  new BrokenLink(`This link is broken: ${why}.`);

/** @param {string} text True for a link to a game, of any version. */
export const isGameLink = (text) => /^22e[0-9]+_/.test(text);

// ------------------------------------------------------------------------------ from a link

/** The finished game in a link. */
export class LinkedGame {
  /** @param {Event[]} all with every card @param {Event[]} closed as a spectator saw them */
  constructor(all, closed) {
    this.all = all;
    this.closed = closed;
    const at = all.findIndex((event) => event.ev === "GAME");
    const game = all[at];
    if (game?.ev !== "GAME") throw torn("no game begins in it");
    this.id = game.id;
    this.#check(game, at);
  }

  /** @param {string} link Reads a link. Throws `BrokenLink`. */
  static async read(link) {
    if (!link.startsWith(PREFIX)) throw torn("it is of another version, which a newer page may know");
    /** @type {Event[][]} */
    const [all, closed] = [[], []];
    for (const told of expanded(await inflated(bytesOf(link.slice(PREFIX.length))))) {
      all.push(eventOf(told.line));
      closed.push(told.closed === told.line ? /** @type {Event} */ (all.at(-1)) : eventOf(told.closed));
    }
    return new LinkedGame(all, closed);
  }

  /** The events as a seat saw them; seat 0 is a spectator. @param {number} seat */
  seenFrom(seat) {
    return this.all.map((event, index) => (sees(event, seat) ? event : this.closed[index]));
  }

  /** Refuses a game that no table has played. @param {import("./words.js").Game} game @param {number} begins */
  #check({ players }, begins) {
    const { all, closed } = this;
    const seats = new Set(all.flatMap((event) => (event.ev === "JOINED" ? [event.seat] : [])));
    if (players > MOST_PLAYERS || seats.size !== players) throw torn("its players are not all there");
    let [events, items] = [0, 0];
    all.forEach((event, index) => {
      if (event.ev !== closed[index].ev) throw torn();
      if (ENDS.has(event.ev) !== (index === all.length - 1)) throw torn("the game in it is not over");
      if (BEFORE.has(event.ev) !== index < begins || (event.ev === "GAME" && index > begins)) throw torn("it is out of order");
      if (event.ev === "HAND") events = items = 0;
      events += 1;
      for (const [key, value] of Object.entries(event)) {
        if (Array.isArray(value)) items += value.length;
        if (!OF_SEATS.has(key)) continue;
        for (const seat of [value].flat()) if (seat < 1 || seat > players) throw torn(`it has no seat ${seat}`);
      }
      if (events > MOST_EVENTS || items > MOST_CARDS) throw torn("no hand is so long");
    });
  }
}

/** @param {Event} event @param {number} seat True if this seat saw the whole event. */
function sees(event, seat) {
  if (!("seat" in event) || !seat) return false;
  // Cards that all others see, and the seat does not.
  return event.ev === "DEALT" && event.seen ? event.seat !== seat : event.seat === seat;
}

/** @param {string} line @returns {Event} */
function eventOf(line) {
  const event = readable(line);
  if (!event || !isEvent(event)) throw torn("it has lines that are no events");
  const { stream, scope } = EVENTS[event.ev];
  if (stream !== "table" || (scope === "table" && !BEFORE.has(event.ev))) throw torn(`${event.ev} is no event of a game`);
  return event;
}

/** @param {string} line */
function readable(line) {
  try {
    return line.startsWith("{") ? null : read(line);
  } catch {
    return null;
  }
}

/** @param {string} text @returns {Uint8Array} */
function bytesOf(text) {
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  } catch {
    throw torn();
  }
}

/** @param {Uint8Array} bytes A small link may not become a big text. */
async function inflated(bytes) {
  let at = 0;
  /** @type {ReadableStream<BufferSource>} */
  const slices = new ReadableStream({
    pull(stream) {
      if (at < bytes.length) stream.enqueue(bytes.slice(at, (at += SLICE)));
      else stream.close();
    },
  });
  const texts = slices.pipeThrough(new DecompressionStream("deflate")).pipeThrough(new TextDecoderStream());
  let text = "";
  try {
    const reader = texts.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      text += next.value;
      if (text.length > LONGEST) {
        void reader.cancel().catch(() => {});
        break;
      }
    }
  } catch {
    throw torn();
  }
  if (text.length > LONGEST) throw torn("no game is so long");
  return text;
}

/** @param {string} text @returns {Generator<Told>} */
function* expanded(text) {
  const at = text.indexOf("\n\n");
  if (at < 0) throw torn();
  const templates = text.slice(0, at).split("\n").map((template) => template.split("\t"));
  /** @type {Map<string, string>} */
  const names = new Map();
  const counts = new Counts();
  let left = LONGEST;
  for (const row of text.slice(at + 2).split("\n")) {
    const code = row.codePointAt(0) ?? 0;
    const [template, narrow] = templates[code - FIRST] ?? [];
    if (template === undefined) throw torn();
    const values = row.slice(String.fromCodePoint(code).length).split(" ");
    const number = counts.next(template);
    const line = filled(template, values, names, number);
    const closed = narrow === undefined ? line : filled(narrow, values, names, number);
    left -= line.length + closed.length;
    if (left < 0) throw torn("no game is so long");
    name(line, names);
    yield { line, closed };
  }
}

/** @param {string} template @param {string[]} values @param {Map<string, string>} names @param {number} number */
const filled = (template, values, names, number) =>
  template.replace(PLACE, (_, index, form) => {
    if (index === undefined) return `${number}`;
    const value = values[index];
    const shown = value === undefined ? undefined : form === "n" ? names.get(value) : form ? cardsIn(value) : value;
    if (shown === undefined) throw torn();
    return shown;
  });

/** @param {string} cards as sentences show them */
const cardsIn = (cards) =>
  cards.split(",").map((card) => {
    const plain = card.replace("T", "10");
    if (card[0] !== "X") return plain;
    return card.length === 1 ? "joker" : `joker(${plain.slice(1)})`;
  }).join(" ");

/** Keeps the name that a line tells. @param {string} line @param {Map<string, string>} names */
function name(line, names) {
  const [, seat, who] = JOINED.exec(line) ?? [];
  if (seat) names.set(seat, who);
}

/** The number of lines that begin with each word. */
class Counts {
  /** @type {Map<string, number>} */
  #counts = new Map();

  /** @param {string} line */
  next(line) {
    const word = line.split(" ", 1)[0];
    const number = (this.#counts.get(word) ?? 0) + 1;
    this.#counts.set(word, number);
    return number;
  }
}

// --------------------------------------------------------------------------------- to a link

/**
 * A link with a finished game. Throws `BrokenLink` if the game is not over.
 * @param {readonly Event[]} all with every card @param {readonly Event[]} closed as a spectator saw them
 */
export async function gameLink(all, closed) {
  if (!ENDS.has(all.at(-1)?.ev ?? "")) throw new BrokenLink("There is a link with the whole game when the game is over.");
  const text = packed(all.flatMap((event, index) =>
    OF_THE_SHUFFLE.has(event.ev) ? [] : [{ line: write(short(event)), closed: write(short(closed[index])) }]));
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return PREFIX + btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** @param {Event} event A question without what follows from the cards. @returns {Event} */
const short = (event) => (event.ev === "TURN" ? { ev: "TURN", turn: event.turn, seat: event.seat, act: event.act, text: event.text } : event);

/** @param {Told[]} told The text in a link. */
export function packed(told) {
  /** @type {Map<string, number>} */
  const templates = new Map();
  /** @type {string[]} */
  const rows = [];
  /** @type {Map<string, string>} */
  const names = new Map();
  const counts = new Counts();
  for (const { line, closed } of told) {
    const shape = new Shape(line, names, counts.next(line));
    const template = closed === line ? shape.of(line) : `${shape.of(line)}\t${shape.of(closed)}`;
    const number = templates.get(template) ?? templates.size;
    templates.set(template, number);
    rows.push(String.fromCodePoint(FIRST + number) + shape.values.join(" "));
    name(line, names);
  }
  return [...templates.keys(), "", ...rows].join("\n");
}

/** The places of the values of an event, in its line and in its sentence. */
class Shape {
  /** @param {string} line @param {Map<string, string>} names @param {number} number */
  constructor(line, names, number) {
    const [word, ...fields] = line.split(" :", 1)[0].split(" ");
    for (const field of fields) {
      const at = field.indexOf("=");
      const [key, value] = [field.slice(0, at), field.slice(at + 1)];
      if (word === "TURN" && key === "turn" && value === `${number}`) this.#fields.set(field, "turn={#}");
      else if (!CONSTANT.test(value)) {
        const items = NUMBERS.test(value) ? value.split(",") : [value];
        this.#fields.set(field, `${key}=${items.map((item) => this.#place(key, item, names)).join(",")}`);
      }
    }
  }

  /** @type {string[]} */
  values = [];
  /** @type {Map<string, string>} */
  #fields = new Map();
  /** @type {Map<string, string[]>} the places of each text that a value may be in a sentence */
  #forms = new Map();

  /** @param {string} key @param {string} value @param {Map<string, string>} names */
  #place(key, value, names) {
    const at = this.values.push(value) - 1;
    /** @param {string} form @param {string} place */
    const stands = (form, place) => this.#forms.set(form, [...(this.#forms.get(form) ?? []), place]);
    const who = names.get(value);
    if (!SEATS.has(key)) stands(NUMBER.test(value) ? value : cardsIn(value), NUMBER.test(value) ? `{${at}}` : `{${at}:c}`);
    else if (who !== undefined) stands(who, `{${at}:n}`);
    return `{${at}}`;
  }

  /** @param {string} line The template of a line of this event. */
  of(line) {
    if (line.search(PLACE) >= 0) throw new BrokenLink(`No link can hold this line: ${line}`);
    const at = line.indexOf(" :");
    const [head, text] = at < 0 ? [line, ""] : [line.slice(0, at), line.slice(at + 2)];
    const fields = head.split(" ").map((field) => this.#fields.get(field) ?? field);
    return fields.join(" ") + (at < 0 ? "" : ` :${this.#told(text)}`);
  }

  /** @param {string} text The sentence with its places. Equal values take their places in turn. */
  #told(text) {
    const forms = new Map([...this.#forms].filter(([form]) => form).map(([form, places]) => [form, [...places]]));
    if (!forms.size) return text;
    const longest = [...forms.keys()].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
    const literal = longest.map((form) => form.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|");
    return text.replace(new RegExp(`(?<![\\w~-])(?:${literal})(?![\\w-])`, "g"), (form) => {
      const places = forms.get(form) ?? [];
      return (places.length > 1 ? places.shift() : places[0]) ?? form;
    });
  }
}
