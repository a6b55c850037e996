/**
 * The lines of the protocol: a line of the server as a message, a command as a line.
 *
 * A message is an object: the word as `ev`, the id of a reply as `re`, then the fields with their
 * types, and the `text`. This is the form that the server itself sends with `caps=json`.
 * @module
 */

import { EVENTS, ROWS, VERBS } from "./words.js";

/** @typedef {import("./words.js").Event} Event */
/** @typedef {import("./words.js").Row} Row */
/** @typedef {string | number | boolean | string[] | number[] | Record<string, unknown>} Value */
/**
 * A line of the server. It may have any word: `isEvent` and `isRow` tell which messages are known.
 * @typedef {{ ev: string, re?: string, on?: string, seq?: number, text?: string }
 *   & Record<string, Value | undefined>} Message
 */

/** A line that is against the grammar. */
export class Malformed extends Error {}

const ID = /^(?:\*|[A-Za-z0-9._-]{1,32})$/;
const WORD = /^[A-Z][A-Z0-9-]{0,31}$/;
const FIELD = /^([a-z][a-z0-9_]{0,31})=([!-~\u{a0}-\u{10ffff}]*)$/u;
const NUMBER = /^-?[0-9]{1,18}$/;
const CONTROLS = /[\x00-\x08\x0a-\x1f\x7f-\x9f]/g;

/**
 * The text without control characters; a TAB becomes a space.
 * @param {string} text
 */
export const clean = (text) => text.replaceAll("\t", " ").replace(CONTROLS, "");

/**
 * The message on a line, in either form; null for a comment. A value that has not its type is left
 * out. Throws `Malformed`.
 * @param {string} line
 * @returns {Message | null}
 */
export function read(line) {
  if (line.startsWith("#")) return null;
  return line.startsWith("{") ? readJson(line) : readPlain(line);
}

/** @param {string} line @returns {Message} */
function readJson(line) {
  let found;
  try {
    found = JSON.parse(line);
  } catch {
    throw new Malformed("a line is no JSON");
  }
  if (typeof found?.ev !== "string") throw new Malformed("an object has no word");
  return found;
}

/** @param {string} line @returns {Message} */
function readPlain(line) {
  const [head, text] = cut(line);
  const words = head.split(" ");
  const re = words[0].startsWith("@") ? words.shift()?.slice(1) : undefined;
  if (re !== undefined && !ID.test(re)) throw new Malformed("a reply has no id");
  const ev = words.shift() ?? "";
  if (!WORD.test(ev)) throw new Malformed("a line does not begin with a word in capitals");
  /** @type {Message} */
  const message = re === undefined ? { ev } : { ev, re };
  const fields = fieldsOf(ev, re !== undefined);
  for (const word of words) {
    const [, key, said] = FIELD.exec(word) ?? [];
    if (key === undefined) throw new Malformed(`${word} is not key=value`);
    const kind = fields.get(key)?.kind ?? (key === "seq" ? "int" : "word");
    message[key] = READERS[kind](said);
  }
  if (text !== undefined) message.text = text;
  return message;
}

/**
 * A line before its text, and the text.
 * @param {string} line
 * @returns {[string, string | undefined]}
 */
function cut(line) {
  const at = line.indexOf(" :");
  return at < 0 ? [line, undefined] : [line.slice(0, at), line.slice(at + 2)];
}

/** @param {string} said */
const items = (said) => (said ? said.split(",") : []);
/** @param {string} said */
const number = (said) => (NUMBER.test(said) ? Number(said) : undefined);

/**
 * The reader of each type of value; it returns undefined for a value of another type.
 * @type {Record<string, (said: string) => Value | undefined>}
 */
const READERS = {
  word: (said) => said,
  int: number,
  bool: (said) => (said === "0" || said === "1" ? said === "1" : undefined),
  list: items,
  ints(said) {
    const found = items(said).map(number).filter((each) => each !== undefined);
    return found.length === items(said).length ? found : undefined;
  },
  str: unescape,
  options: (said) =>
    Object.fromEntries(items(said).map((item) => {
      const at = item.indexOf(":");
      return [item.slice(0, at).toLowerCase(), unescape(item.slice(at + 1))];
    })),
  text: (said) => said,
};

/** @param {string} said */
function unescape(said) {
  return said.replace(/%([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
}

/** @param {string} text */
function escape(text) {
  return text.replace(/[\x00-\x20%,\x7f-\x9f]/g, (found) =>
    `%${found.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
}

/**
 * An event as a plain line, without the name of its stream and its number there.
 * @param {Message | Event} event
 */
export function write(event) {
  const said = /** @type {Message} */ (event);
  const words = [said.ev];
  for (const [key, { kind }] of fieldsOf(said.ev, false)) {
    const value = said[key];
    if (value === undefined || kind === "text") continue;
    const plain = String(typeof value === "boolean" ? Number(value) : value);
    words.push(`${key}=${kind === "str" ? escape(plain) : plain}`);
  }
  return words.join(" ") + (said.text ? ` :${oneLine(said.text)}` : "");
}

// ------------------------------------------------------------------------- what is declared

/** @typedef {{ kind: string, optional: boolean }} Field */
/** @type {Map<string, Map<string, Field>>} */
const declared = new Map();

/**
 * The declared fields of a word. In a reply it is a row if there is one, otherwise an event.
 * @param {string} word
 * @param {boolean} reply
 * @returns {Map<string, Field>}
 */
function fieldsOf(word, reply) {
  const id = `${reply ? "@" : ""}${word}`;
  let fields = declared.get(id);
  if (fields === undefined) {
    const [first, second] = reply ? [ROWS, EVENTS] : [EVENTS, ROWS];
    const said = (first[word] ?? second[word])?.fields ?? "";
    fields = new Map(said.split(" ").filter(Boolean).map((each) => {
      const [, key, kind, optional] = /^(.*):(\w+)(\??)$/.exec(each) ?? [];
      return [key, { kind, optional: optional !== "" }];
    }));
    declared.set(id, fields);
  }
  return fields;
}

/**
 * The name of a field that the message should have and has not; empty if it is complete.
 * @param {Message} message
 */
export function lacking(message) {
  for (const [key, { kind, optional }] of fieldsOf(message.ev, message.re !== undefined)) {
    if (!optional && message[kind === "text" ? "text" : key] === undefined) return key;
  }
  return "";
}

/**
 * True for a complete event of this version of the protocol.
 * @param {Message} message
 * @returns {message is Message & Event}
 */
export const isEvent = (message) => Object.hasOwn(EVENTS, message.ev) && lacking(message) === "";

/**
 * True for a complete row of a reply; events of a snapshot are rows, too.
 * @param {Message} message
 * @returns {message is Message & (Row | Event)}
 */
export const isRow = (message) =>
  [ROWS, EVENTS].some((words) => Object.hasOwn(words, message.ev)) && lacking(message) === "";

// -------------------------------------------------------------------------------- commands

/**
 * A command with named arguments. What the verb does not take is an option of the game.
 * @param {string} verb
 * @param {string} what the first argument, or nothing
 * @param {Record<string, string | number | boolean | undefined>} [args]
 */
export function command(verb, what, args = {}) {
  const kinds = new Map((VERBS[verb].args ?? "").split(" ").map((each) => {
    const [key, kind] = each.split(":");
    return [key, kind];
  }));
  const words = [verb, what];
  const options = [];
  let text = "";
  for (const [key, value] of Object.entries(args)) {
    if (value === undefined) continue;
    const said = String(typeof value === "boolean" ? Number(value) : value);
    const kind = kinds.get(key);
    if (kind === undefined) options.push(`${key}:${escape(said)}`);
    else if (kind === "text") text = `:${said}`;
    else words.push(`${key}=${said}`);
  }
  if (options.length) words.push(`options=${options.join(",")}`);
  return [...words, text].filter(Boolean).join(" ");
}

/**
 * A text as one line: what somebody types must not become a second command.
 * @param {string} text
 */
export const oneLine = (text) => clean(text.replace(/[\r\n]+/g, " "));

/**
 * The verb of a command, in small letters.
 * @param {string} line
 */
export const verbOf = (line) => line.trimStart().split(" ", 1)[0].toLowerCase();

/**
 * The words of a command behind its verb, without the text.
 * @param {string} line
 */
export const wordsOf = (line) => cut(line)[0].split(" ").filter(Boolean).slice(1);

/**
 * A command with the key under which it is carried out only once.
 * @param {string} line
 * @param {string} key
 */
export function withOnce(line, key) {
  const [head, text] = cut(line);
  return `${head} once=${key}${text === undefined ? "" : ` :${text}`}`;
}
