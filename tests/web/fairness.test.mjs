import assert from "node:assert/strict";
import { test } from "node:test";

import { commitment, entropy, shuffled } from "../../client/web/sdk/fair.js";
import { settled, World } from "./scripted.mjs";

const SEED = "5e".repeat(64);
const HASH = await commitment(SEED);
const PACK = ["2C", "3C", "4C", "5C"];

/** A table with a seal, and a word of ours that the server has told to everybody. */
class Sealed {
  seq = 1;
  word = "";

  /** @param {World} world @param {import("../../client/web/sdk/table.js").Table} table */
  constructor(world, table) {
    this.world = world;
    this.table = table;
  }

  static async at() {
    const world = await World.withName();
    const sealed = new Sealed(world, await world.sit());
    await sealed.tell("JOINED seat=2 name=~bob bot=0", `COMMITTED id=g1 no=1 alg=fd1 hash=${HASH}`);
    await world.server.until(() => sealed.said("seedhash"));
    return sealed;
  }

  /** @param {...string} events without their stream and number */
  async tell(...events) {
    await this.world.peer.send(...events.map((event) => event.replace(/^\S+/, `$& on=t1 seq=${++this.seq}`)));
    await settled();
  }

  /** The last argument of the last command with this verb. @param {string} verb */
  said(verb) {
    const lines = this.world.peer.heard.filter((line) => line.split(" ")[1] === verb);
    return lines.at(-1)?.split(" ")[2] ?? "";
  }

  /** Our word is sealed, and opened. */
  async open() {
    await this.tell(`SEEDED seat=1 hash=${this.said("seedhash")}`, "UNSEAL unopened=1 ms=30000");
    this.word = this.said("seed");
    await this.tell(`SEEDED seat=1 word=${this.word}`);
  }

  /** A game of one hand; what the words of its shuffle are. @param {string[]} words */
  async play(words = [this.word, "-"]) {
    const shuffle = { seed: SEED, game: "g1", no: 1, words: entropy(words) ?? "" };
    const deck = await shuffled(PACK, shuffle);
    await this.tell(
      "GAME game=xtest id=g1 players=2 version=1 ruleshash=0",
      `SHUFFLED no=1 cards=${PACK} words=${words}`,
      "HAND no=1 dealer=2 size=1 stock=2",
      `DEALT seat=1 n=1 cards=${deck[0]}`,
      "DEALT seat=2 n=1",
      `REVEALED id=g1 seed=${SEED}`,
    );
    await this.world.server.until(() => this.table.fair);
    return String(this.table.fair);
  }
}

test("our word is sealed for a game, opened when it is asked for, and makes the deal fair", async () => {
  const sealed = await Sealed.at();
  const hash = sealed.said("seedhash");
  assert.match(hash, /^[0-9a-f]{64}$/);
  assert.equal(sealed.said("seed"), "");
  await sealed.open();
  assert.equal(await commitment(sealed.word), hash);
  assert.equal(await sealed.play(), "fair: OK");
});

test("a word of another is not opened by us", async () => {
  const sealed = await Sealed.at();
  await sealed.tell(`SEEDED seat=1 hash=${"0".repeat(64)}`, "UNSEAL unopened=1 ms=30000");
  assert.equal(sealed.said("seed"), "");
});

test("a seat that is ready says so again after a word, and only then", async () => {
  const sealed = await Sealed.at();
  await sealed.tell("READY seat=1 ready=1", `SEEDED seat=2 word=kitten`, "READY seat=1 ready=0");
  assert.equal(sealed.said("ready"), "t1");
  const count = () => sealed.world.peer.heard.filter((line) => line.includes(" ready t1")).length;
  await sealed.tell("READY seat=1 ready=1", "READY seat=1 ready=0");
  assert.equal(count(), 1);
  await sealed.tell("READY seat=1 ready=1", "SEEDED seat=2 word=kit");
  await sealed.tell("READY seat=2 ready=1", "READY seat=1 ready=0");
  assert.equal(count(), 1);
});

test("a seal that changes is found out at once, and at the end", async () => {
  const sealed = await Sealed.at();
  await sealed.tell(`COMMITTED id=g1 no=1 alg=fd1 hash=${"0".repeat(64)}`);
  await sealed.world.server.until(() => sealed.table.fair);
  assert.match(String(sealed.table.fair), /WRONG - the seal of g1 has changed/);
  sealed.table.fair = undefined;
  sealed.word = "-";
  assert.match(await sealed.play(), /WRONG - the seal of g1 has changed/);
});

test("a word that our seat never gave is found out", async () => {
  const sealed = await Sealed.at();
  await sealed.tell("SEEDED seat=1 word=kitten");
  assert.match(await sealed.play(["kitten", "-"]), /the word of your seat is kitten, which you never gave/);
});

test("a word from before the seal proves nothing", async () => {
  const world = await World.withName();
  const sealed = new Sealed(world, await world.sit());
  void world.server.command("seed kitten t1");
  await settled();
  await sealed.tell("JOINED seat=2 name=~bob bot=0", `COMMITTED id=g1 no=1 alg=fd1 hash=${HASH}`);
  await sealed.tell("SEEDED seat=1 word=kitten");
  assert.match(await sealed.play(["kitten", "-"]), /was said before the seal/);
});

test("a word that another has changed after the opening began is found out", async () => {
  const sealed = await Sealed.at();
  const seal = await commitment("puppy");
  await sealed.tell(`SEEDED seat=2 hash=${seal}`);
  await sealed.open();
  await sealed.tell("SEEDED seat=2 word=kitten");
  assert.match(await sealed.play([sealed.word, "kitten"]), /seat 2 is not the one that it sealed/);
});

test("a seat that changes after the opening began is found out, and a word that stays shut", async () => {
  const changed = await Sealed.at();
  await changed.open();
  await changed.tell("JOINED seat=3 name=~cat bot=0");
  assert.match(await changed.play(), /seats changed after words were asked for/);
  const shut = await Sealed.at();
  await shut.tell(`SEEDED seat=2 hash=${"0".repeat(64)}`);
  await shut.open();
  assert.match(await shut.play(), /the word of seat 2 was never opened/);
});

test("a start that is called off makes all words void", async () => {
  const sealed = await Sealed.at();
  await sealed.open();
  const before = sealed.said("seedhash");
  await sealed.tell("CALLEDOFF unopened=2");
  await sealed.world.server.until(() => sealed.said("seedhash") !== before);
});

test("a game that was not seen from its beginning is not checked", async () => {
  const sealed = await Sealed.at();
  await sealed.tell(`REVEALED id=g1 seed=${SEED}`);
  await sealed.world.server.until(() => sealed.table.fair);
  assert.match(String(sealed.table.fair), /fair: not checked - the game was not seen/);
});
