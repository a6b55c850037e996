import assert from "node:assert/strict";
import { test } from "node:test";

import "../../client/web/sdk/node.js"; // WebCrypto, which Node 18 has only as a module
import { piquetPack, standardPack } from "../../client/web/sdk/cards.js";
import { commitment, entropy, shuffled } from "../../client/web/sdk/fair.js";
import { isEvent, read } from "../../client/web/sdk/lines.js";
import { check } from "../../client/web/sdk/shuffle-check.js";
import { textOf, vectors } from "./vectors.mjs";

/** @typedef {import("../../client/web/sdk/words.js").Event} Event */

/** The packs of the vectors, by name. @type {Record<string, string[]>} */
const PACKS = { "std52(52)": standardPack(1, 0), "pack32(32)": piquetPack() };

test("a shuffle is that of its vector", async () => {
  let count = 0;
  for (const vector of textOf("tests/protocol/vectors/fair.txt").split(/\n(?=TV)/)) {
    /** @param {string} key */
    const field = (key) => new RegExp(`\\b${key}=(.*?)(?=$| \\w+=)`, "m").exec(vector)?.[1] ?? "";
    const pack = PACKS[field("deck")];
    if (!pack || !field("order")) continue;
    const shuffle = { seed: field("seed"), game: field("game"), no: Number(field("n")) };
    const words = /entropy=(\S*)/.exec(vector)?.[1];
    assert.equal(await commitment(shuffle.seed), field("commit"));
    assert.equal((await shuffled(pack, { ...shuffle, words })).join(" "), field("order"));
    count += 1;
  }
  assert.equal(count, 5);
});

test("words that cannot be enter no shuffle", () => {
  assert.equal(entropy(["kitten", "-"]), "1=kitten,2=-");
  for (const word of ["", "a b", "a,b", "x".repeat(65), "ä"]) assert.equal(entropy([word]), null, word);
});

/** @param {string} scene @returns {Event[]} */
function eventsOf(scene) {
  const [, ...lines] = vectors(`fold/${scene}`);
  return lines.map(({ line }) => read(line)).filter((event) => event !== null).filter(isEvent);
}

/** @param {Event[]} events The first game, as it was seen from its beginning. */
function firstGame(events) {
  const at = events.findIndex((event) => event.ev === "GAME");
  const end = events.findIndex((event) => event.ev === "REVEALED");
  const game = /** @type {import("../../client/web/sdk/words.js").Game} */ (events[at]);
  const revealed = /** @type {import("../../client/web/sdk/words.js").Revealed} */ (events[end]);
  const seals = events.filter((event) => event.ev === "COMMITTED");
  const committed = seals.find((each) => each.id === game.id);
  assert.ok(committed);
  const { words = [] } = events.find((event) => event.ev === "SHUFFLED") ?? {};
  return {
    seed: revealed.seed,
    seen: /** @type {import("../../client/web/sdk/shuffle-check.js").ObservedGame} */ ({
      ...{ committed, game: game.game, me: 1, words, openings: [], doubt: "", wrong: "" },
      events: events.slice(at + 1, end),
    }),
  };
}

test("the deals of a game are those of its seed", async () => {
  for (const scene of ["twentysix", "whist22", "twentyeight"]) {
    const { seen, seed } = firstGame(eventsOf(scene));
    assert.equal(String(await check(seen, seed)), "fair: repeatable deals", scene);
  }
  const { seen, seed } = firstGame(eventsOf("evening-watcher"));
  const me = seen.words.indexOf("kitten") + 1;
  assert.equal((await check({ ...seen, me }, seed)).found, "OK");
  assert.equal((await check({ ...seen, me: undefined }, seed)).found, "COMMIT_ONLY");
});

test("a deal that was changed is found out", async () => {
  const { seen, seed } = firstGame(eventsOf("evening-seat"));
  /** @param {Partial<typeof seen>} changes @param {string} [other] */
  const verdict = async (changes, other = seed) => String(await check({ ...seen, ...changes }, other));
  assert.match(await verdict({}, `${seed.slice(0, -1)}${seed.endsWith("0") ? 1 : 0}`), /not the one that was sealed/);
  assert.match(await verdict({ words: seen.words.map(() => "-") }), /was none, and shuffle 1 has kitten/);
  assert.match(await verdict({ wrong: "a seat has changed" }), /a seat has changed/);
  assert.match(await verdict({ openings: [{ seat: 4, word: "kitten", sealed: "00" }] }), /seat 4 is not the one/);
  /** @param {Event["ev"]} ev @param {object} changes */
  const forged = (ev, changes) => {
    const at = seen.events.findIndex((event) => event.ev === ev && (ev !== "DEALT" || "cards" in event));
    return seen.events.map((event, index) =>
      index === at ? /** @type {Event} */ ({ ...event, ...changes }) : event);
  };
  assert.match(await verdict({ events: forged("DEALT", { cards: ["2C", "3C", "4C"] }) }), /were others/);
  assert.match(await verdict({ events: forged("DREW", { card: "XX" }) }), /not on top/);
  assert.match(await verdict({ events: forged("SHUFFLED", { no: 2 }) }), /shuffle 2 came where 1 was due/);
  assert.match(await verdict({ events: forged("PLAYED", { cards: ["??"] }) }), /never had/);
  const other = firstGame(eventsOf("twentyeight"));
  const hands = other.seen.events.map((event) =>
    event.ev === "HAND" ? { ...event, dealer: (event.dealer % 4) + 1 } : event);
  assert.match(String(await check({ ...other.seen, events: hands }, other.seed)), /the lot fell on seat/);
  const [first] = seen.events.filter((event) => event.ev === "SHUFFLED");
  const turned = [...first.cards].reverse();
  assert.match(await verdict({ events: forged("SHUFFLED", { cards: turned }) }), /not in its order/);
});
