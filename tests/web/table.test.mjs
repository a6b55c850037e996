import assert from "node:assert/strict";
import { test } from "node:test";

import { Refused } from "../../client/web/sdk/errors.js";
import { Feed } from "../../client/web/sdk/feed.js";
import { settled, World } from "./scripted.mjs";

const GAME = "GAME on=t1 seq=2 game=twentytwo id=g1 players=1 version=1 ruleshash=0";

/** @param {number} seq @param {number} turn */
const asks = (seq, turn) =>
  `TURN on=t1 seq=${seq} turn=${turn} seat=1 act=play choose=one nlegal=2 legal=6,Q default=6 hand=6S,QH`;

/** A world in which the client is asked turn 1. */
async function asked() {
  const world = await World.withName();
  const table = await world.sit();
  await world.peer.send(GAME, asks(3, 1));
  const { question } = table;
  assert.ok(question);
  return { world, table, question };
}

test("a question has the cards, and the moves that they make", async () => {
  const { question } = await asked();
  assert.deepEqual([question.act, question.legal, question.default], ["play", ["6", "Q"], "6"]);
  assert.deepEqual(question.cardsFor(), ["6S", "QH"]);
  assert.deepEqual(question.movesWith(["QH"]), ["Q"]);
});

test("of a subset any cards can be chosen, up to so many", async () => {
  const { world, table } = await asked();
  const subset = "choose=subset min=0 max=2 cards=2S,3S,4S default=-";
  await world.peer.send(`TURN on=t1 seq=4 turn=2 seat=1 act=exchange ${subset}`);
  const { question } = table;
  assert.ok(question?.isSubset);
  assert.deepEqual(question.cardsFor(["3S"]), ["2S", "4S"]);
  assert.deepEqual(question.cardsFor(["3S", "2S"]), []);
  assert.deepEqual(question.movesWith(["3S", "2S"]), ["3S+2S"]);
  assert.deepEqual(question.movesWith([]), ["-"]);
  assert.deepEqual(question.movesWith(["2S", "3S", "4S"]), []);
});

test("a move names its turn and its table, and closes the question when it is accepted", async () => {
  const { world, table, question } = await asked();
  const playing = question.play("QH");
  await settled();
  assert.match(world.peer.heard.at(-1) ?? "", /move QH turn=1 table=t1 once=/);
  await world.peer.answer("move", "OK on=t1 seq=4");
  assert.equal(await playing, true);
  assert.equal(table.question, undefined);
});

for (const code of ["STALE_TURN", "XGLATE"]) {
  test(`a move that comes too late is no error: ${code}`, async () => {
    const { world, question } = await asked();
    const playing = question.play("Q");
    await settled();
    await world.peer.answer("move", `ERR code=${code} class=turn turn=2`);
    assert.equal(await playing, false);
  });
}

for (const [code, kind] of [["ILLEGAL", "rule"], ["WRONG_ACT", "turn"]]) {
  test(`a move that is wrong is an error: ${code}`, async () => {
    const { world, question } = await asked();
    const playing = question.play("K").catch((error) => error);
    await settled();
    await world.peer.answer("move", `ERR code=${code} class=${kind}`);
    const error = await playing;
    assert.ok(error instanceof Refused);
    assert.equal(error.code, code);
  });
}

test("an answer to a question that is over is not sent", async () => {
  const { world, question } = await asked();
  await world.peer.send("PLAYED on=t1 seq=4 seat=1 cards=6S kind=lead left=1 auto=1", asks(5, 2));
  const before = world.peer.heard.length;
  assert.equal(await question.play("Q"), false);
  assert.equal(world.peer.heard.length, before);
});

test("a move waits while the game is paused", async () => {
  const { world, table, question } = await asked();
  await world.peer.send("PAUSED on=t1 seq=4 by=~bob");
  assert.equal(table.question, undefined);
  const playing = question.play("Q");
  await settled();
  assert.equal(world.peer.heard.some((line) => line.includes(" move ")), false);
  await world.peer.send("UNPAUSED on=t1 seq=5 by=~bob");
  await world.peer.answer("move", "OK on=t1 seq=6");
  assert.equal(await playing, true);
});

test("a move whose answer was lost is sent again under its key", async () => {
  const { world, question } = await asked();
  const playing = question.play("Q");
  await settled();
  const sent = world.peer.heard.at(-1);
  await world.peer.drop();
  await world.clock.advance(1000);
  await world.peer.welcome("@ AT on=t1 seq=3 from=3 talk=k1", "@ AT on=me seq=0 from=0");
  assert.equal(world.peer.heard.at(-1), sent);
  await world.peer.answer("move", "OK on=t1 seq=4 again=1");
  assert.equal(await playing, true);
});

test("the questions end with the game, and those of the next game are another loop", async () => {
  const { world, table } = await asked();
  const loop = table.questions();
  assert.equal((await loop.next()).value?.event.turn, 1);
  const next = loop.next();
  await world.peer.send("GAMEOVER on=t1 seq=4 winners=1 why=last");
  assert.equal((await next).done, true);
  const again = table.questions().next();
  await world.peer.send(GAME.replace("seq=2", "seq=5").replace("g1", "g2"), asks(6, 1));
  assert.deepEqual([(await again).value?.game, (await again).value?.event.turn], ["g2", 1]);
});

test("the loop of a player who leaves ends", async () => {
  const { world, table } = await asked();
  const events = table[Symbol.asyncIterator]();
  for (let count = 0; count < 3; count++) await events.next();
  const last = events.next();
  await world.peer.send("LEFT on=t1 seq=4 seat=1 name=~robin why=left");
  assert.equal((await last).value?.ev, "LEFT");
  assert.equal((await events.next()).done, true);
  assert.equal(table.gone, true);
  assert.equal(world.server.tables.size, 0);
});

test("events that nobody reads are dropped, and their reader is told so", () => {
  const feed = new Feed();
  for (let seq = 1; seq <= 10_001; seq++) feed.put({ ev: "SHUT", seq });
  assert.deepEqual({ ...feed.take() }, { ev: "reconnected", complete: false });
  assert.equal(feed.take()?.ev, "SHUT");
  assert.equal(feed.take(), undefined);
});

test("talk and messages come of the table, and of the server", async () => {
  const { world, table } = await asked();
  await world.peer.send("KIBITZED on=k1 seq=9 by=~cat :hm", "TOLD on=me seq=1 by=~bob to=~robin :hi");
  const heard = [];
  for await (const event of table) {
    heard.push(event.ev);
    if (event.ev === "KIBITZED") break;
  }
  assert.deepEqual(heard, ["JOINED", "GAME", "TURN", "KIBITZED"]);
  const { value } = await world.server[Symbol.asyncIterator]().next();
  assert.equal(value?.ev === "TOLD" && value.text, "hi");
});

test("a listing has the rows of all pages", async () => {
  const world = await World.withName();
  const listing = world.server.listing("TABLE", "tables");
  await settled();
  const row = "TABLE on=t1 game=twentytwo seats=2 taken=1 phase=open host=~ann locked=0 nwatch=0";
  await world.peer.send(`${world.peer.id("tables")} ${row}`);
  await world.peer.answer("tables", "OK on=tables seq=1 n=1 next=c1");
  assert.match(world.peer.heard.at(-1) ?? "", /tables after=c1$/);
  await world.peer.send(`${world.peer.id("tables")} ${row.replace("t1", "t2")}`);
  await world.peer.answer("tables", "OK on=tables seq=1 n=1");
  assert.deepEqual((await listing).map((each) => each.on), ["t1", "t2"]);
});

test("a seek brings a table", async () => {
  const world = await World.withName();
  const seeking = world.server.seek({ players: 2 });
  await settled();
  assert.match(world.peer.heard.at(-1) ?? "", /seek players=2 once=/);
  await world.peer.answer("seek", "OK seek=4");
  await world.peer.send("NOTE code=FOUND table=t3", "JOINED on=t3 seq=1 seat=1 name=~robin bot=0");
  const table = await seeking;
  assert.deepEqual([table.on, table.state.me], ["t3", 1]);
});

test("an export is all events of a game, and none of them a question", async () => {
  const { world, table, question } = await asked();
  const exporting = world.server.export("G51");
  await settled();
  await world.peer.send("JOINED on=g51 seq=1 seat=1 name=~ann bot=0", asks(2, 1).replace("t1", "g51"));
  await world.peer.answer("export", "OK on=g51 seq=2");
  assert.deepEqual((await exporting).map((event) => event.ev), ["JOINED", "TURN"]);
  assert.equal(table.question?.same(question), true);
});
