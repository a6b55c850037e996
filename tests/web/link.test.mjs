import assert from "node:assert/strict";
import { test } from "node:test";

import { Dismissed, Refused } from "../../client/web/sdk/errors.js";
import { redirected } from "../../client/web/sdk/link.js";
import { VERBS } from "../../client/web/sdk/words.js";
import { settled, World } from "./scripted.mjs";

test("a first connection that cannot be made is an error", async () => {
  const world = new World();
  world.peer.ear.closed(new Error("refused"));
  await assert.rejects(world.entered, /refused/);
});

test("the pauses double, up to the longest, and chance takes up to half of them", async () => {
  const world = new World({ patient: true });
  world.failing = true;
  const pauses = [];
  world.peer.ear.closed();
  for (let attempt = 0; attempt < 6; attempt++) {
    pauses.push(world.clock.next);
    world.clock.chance = attempt < 3 ? 0 : 1;
    await world.clock.advance(world.clock.next);
    await settled();
  }
  assert.deepEqual(pauses, [2000, 4000, 5000, 5000, 2500, 2500]);
});

test("after a good connection the first pause is a second", async () => {
  const world = await World.withName();
  await world.peer.drop();
  assert.equal(world.clock.next, 1000);
  assert.equal(world.server.here, false);
  assert.equal(world.server.retryAt, world.clock.time + 1000);
  await world.clock.advance(1000);
  assert.equal(world.peers.length, 2);
  assert.equal(world.server.retryAt, 0);
});

test("a BYE says when and where to come back", async () => {
  const world = await World.withName();
  await world.peer.send("BYE code=SHUTDOWN resume=1 wait=7000 to=two:3333");
  assert.equal(world.peer.closed, true);
  assert.equal(world.clock.next, 7000);
  await world.clock.advance(7000);
  assert.equal(world.peer.address, "tcp://two:3333");
  await world.peer.drop(); // that address did not work
  await world.clock.advance(world.clock.next);
  assert.equal(world.peer.address, "tcp://one:2222");
});

test("another address has the form of the first one", () => {
  assert.equal(redirected("wss://one:1/cards", "two:2"), "wss://two:2/cards");
  assert.equal(redirected("one", "two:2"), "two:2");
  assert.equal(redirected("tls://[::1]:2", "two:2"), "tls://two:2");
  assert.equal(redirected("unix:/a/b", "two:2"), "two:2");
  assert.equal(redirected("one:1", ""), "one:1");
});

test("a full server is asked again when it says so, and comes in the place of the greeting, too", async () => {
  const world = new World();
  await world.peer.open();
  await world.peer.send("BYE code=BUSY resume=1 wait=9000");
  assert.equal(world.clock.next, 9000);
  await world.clock.advance(9000);
  await world.peer.open();
  await world.peer.send(`${world.peer.id("hello")} OK proto=1`);
  await world.peer.answer("guest", "ERR code=BUSY class=limit wait=6000");
  assert.equal(world.clock.next, 6000);
  await world.clock.advance(6000);
  await world.peer.welcome();
  await world.entered;
});

test("a silent server is asked for a sign of life, and then given up", async () => {
  const world = await World.withName();
  await world.clock.advance(44_000);
  await world.peer.send("NOTE code=XGSIGN");
  await world.clock.advance(44_999);
  assert.equal(world.peer.heard.at(-1)?.endsWith("ping"), false);
  await world.clock.advance(1);
  assert.match(world.peer.heard.at(-1) ?? "", /^@\d+ ping$/);
  await world.peer.answer("ping", "OK pong=-");
  await world.clock.advance(45_000 + 14_999);
  assert.equal(world.peer.closed, false);
  await world.clock.advance(1);
  assert.equal(world.peer.closed, true);
});

test("who has slept asks first, because the answer may be there unread", async () => {
  const world = await World.withName();
  await world.clock.advance(45_000);
  await world.clock.sleep(3_600_000);
  assert.equal(world.peer.closed, false);
  assert.equal(world.peer.heard.filter((line) => line.endsWith(" ping")).length, 2);
});

test("check asks at once, and ends a pause", async () => {
  const world = await World.withName();
  world.server.check();
  world.server.check();
  assert.equal(world.peer.heard.filter((line) => line.endsWith(" ping")).length, 1);
  assert.equal(world.clock.next, 5000);
  await world.clock.advance(5000);
  assert.equal(world.peer.closed, true);
  world.server.check();
  await settled();
  assert.equal(world.peers.length, 2);
});

test("PING is answered", async () => {
  const world = await World.withName();
  await world.peer.send("PING no=17");
  assert.match(world.peer.heard.at(-1) ?? "", /^@\d+ pong 17$/);
});

test("a client that was replaced does not come back", async () => {
  const world = await World.withName();
  const reading = assert.rejects(
    world.server[Symbol.asyncIterator]().next(),
    (error) => error instanceof Dismissed && error.code === "REPLACED",
  );
  await world.peer.send("BYE code=REPLACED resume=0 :You are here from elsewhere.");
  await reading;
  assert.equal(world.clock.next, Infinity);
});

test("after a lost connection the token, the numbers and the boot are named", async () => {
  const world = await World.withName();
  await world.sit();
  await world.peer.drop();
  await world.clock.advance(1000);
  await world.peer.open();
  const [, resume] = world.peer.heard;
  assert.match(resume, /^@\d+ resume T\d+ me:0 t1:1 boot=k3f9$/);
});

test("every command with an effect has a key, and no other", async () => {
  const world = await World.withName();
  for (const [verb, { once = false }] of Object.entries(VERBS)) {
    world.server.command(verb).catch(() => {});
    await settled();
    const line = world.peer.heard.at(-1) ?? "";
    assert.equal(/ once=[0-9a-f]{16}\.\d+$/.test(line), once, line);
  }
});

test("a command whose answer was lost is sent again under its key; a query is asked again", async () => {
  const world = await World.withName();
  const table = await world.sit();
  const saying = table.say("hello");
  const asking = world.server.command("tables");
  await settled();
  const said = world.peer.heard.find((line) => line.includes(":hello"));
  await world.peer.drop();
  await world.clock.advance(1000);
  await world.peer.welcome("@ AT on=t1 seq=1 from=1 talk=k1", "@ AT on=me seq=0 from=0");
  assert.equal(world.peer.heard.find((line) => line.includes(":hello")), said);
  await world.peer.answer("say", "OK on=t1 seq=2 again=1");
  await world.peer.answer("tables", "OK n=0");
  await Promise.all([saying, asking]);
});

test("a server that asks to wait gets the command again after that time", async () => {
  const world = await World.withName();
  const asking = world.server.command("tables");
  await settled();
  await world.peer.answer("tables", "ERR code=XGTIRED class=limit wait=700");
  await world.clock.advance(699);
  const count = () => world.peer.heard.filter((line) => line.endsWith(" tables")).length;
  assert.equal(count(), 1);
  await world.clock.advance(1);
  assert.equal(count(), 2);
  await world.peer.answer("tables", "OK n=0");
  await asking;
});

test("a refusal is an error with its code, its class and its fields", async () => {
  const world = await World.withName();
  const joining = world.server.join("t9").catch((error) => error);
  await settled();
  await world.peer.answer("join", "ERR code=NO_SUCH_TABLE class=missing arg=table :There is none.");
  const refused = await joining;
  assert.ok(refused instanceof Refused);
  const { code, kind, fields, text } = refused;
  assert.deepEqual([code, kind, fields, text], ["NO_SUCH_TABLE", "missing", { arg: "table" }, "There is none."]);
});

test("a worthless token ends the session of a player, and begins a new one for others", async () => {
  const [player, other] = [await World.withName(), await World.withName()];
  await player.sit();
  for (const { peer, clock } of [player, other]) {
    await peer.drop();
    await clock.advance(1000);
  }
  for (const { peer } of [player, other]) {
    await peer.open();
    await peer.send(`${peer.id("hello")} OK proto=1`);
    await peer.answer("resume", "ERR code=BAD_TOKEN class=auth");
  }
  assert.ok(player.server.ended instanceof Dismissed);
  assert.ok(other.peer.id("guest"));
});

test("what is missing is asked for, and old numbers are nothing new", async () => {
  const world = await World.withName();
  const table = await world.sit();
  await world.peer.send("SAID on=t1 seq=4 by=~bob :three");
  assert.match(world.peer.heard.at(-1) ?? "", /sync t1 from=1$/);
  await world.peer.send("SAID on=t1 seq=2 by=~bob :one");
  await world.peer.answer("sync", "OK on=t1 seq=2 more=1");
  assert.match(world.peer.heard.at(-1) ?? "", /sync t1 from=2$/);
  await world.peer.send(...["two", "three"].map((text, n) => `SAID on=t1 seq=${n + 3} by=~bob :${text}`));
  await world.peer.answer("sync", "OK on=t1 seq=4");
  await world.peer.send("SAID on=t1 seq=4 by=~bob :three");
  const texts = [];
  for await (const event of table) {
    if (event.ev === "SAID") texts.push(event.text);
    if (texts.length === 3) break;
  }
  assert.deepEqual(texts, ["one", "two", "three"]);
  assert.equal(table.feed.ready, false);
});

/** @param {World} world @param {string} phase Answers `state` of t1. */
async function answerState(world, phase = "open") {
  const id = world.peer.id("state");
  await world.peer.send(
    `${id} STATE on=t1 seq=9 phase=${phase} me=1 talk=k1 game=twentytwo id=g1 players=1 version=1 ruleshash=0`,
    `${id} SEAT seat=1 name=~robin bot=0 ready=1 here=1 standin=0 n=0 total=0 out=0`,
    `${id} OK on=t1 n=2`,
  );
}

test("where the missing events do not come, or are left out, the state is asked for", async () => {
  const world = await World.withName();
  const table = await world.sit();
  await world.peer.send("SAID on=t1 seq=4 by=~bob :three");
  await world.peer.answer("sync", "OK on=t1 seq=4");
  await answerState(world);
  assert.equal(table.state.seq, 9);
  await world.peer.send("GAP on=t1 seq=9");
  const before = world.peer.id("state");
  await world.peer.send("GAP on=t1 seq=12");
  assert.notEqual(world.peer.id("state"), before);
  await world.peer.drop();
  await world.clock.advance(1000);
  await world.peer.welcome("@ AT on=t1 seq=9 talk=k1 code=BAD_SEQ have=9", "@ AT on=me seq=0 from=0");
  await answerState(world);
  assert.equal(table.state.seq, 9);
});

test("questions end with a game that was over before the client came back", async () => {
  const world = await World.withName();
  const table = await world.sit();
  const loop = table.questions().next();
  await world.peer.send("GAP on=t1 seq=8");
  await answerState(world, "over");
  assert.equal((await loop).done, true);
});

test("an export begins again after a lost connection", async () => {
  const world = await World.withName();
  const exporting = world.server.export("g51");
  await settled();
  const events = ["one", "two"].map((text, n) => `SAID on=g51 seq=${n + 1} by=~bob :${text}`);
  await world.peer.send(...events);
  await world.peer.drop();
  await world.clock.advance(1000);
  await world.peer.welcome("@ AT on=me seq=0 from=0");
  await world.peer.send(...events);
  await world.peer.answer("export", "OK on=g51 seq=2");
  assert.deepEqual((await exporting).map(({ text }) => text), ["one", "two"]);
});

test("a text with several lines is one command", async () => {
  const world = await World.withName();
  void world.server.tell("bob", "a\nleave t1").catch(() => {});
  await settled();
  assert.match(world.peer.heard.at(-1) ?? "", /tell bob once=\S+ :a leave t1$/);
});

test("a model that does not fit is replaced by a snapshot", async () => {
  const world = await World.withName();
  const table = await world.sit();
  await world.peer.send("READY on=t1 seq=2 seat=7 ready=1");
  const id = world.peer.id("state");
  await world.peer.send(
    `${id} STATE on=t1 seq=2 phase=open me=1 talk=k1`,
    `${id} SEAT seat=1 name=~robin bot=0 ready=1 here=1 standin=0 n=0 total=0 out=0`,
    `${id} SEAT seat=7 name=~bob bot=0 ready=1 here=1 standin=0 n=0 total=0 out=0`,
    `${id} OK on=t1 n=3`,
  );
  assert.deepEqual([...table.state.seats.keys()], [1, 7]);
  const events = table[Symbol.asyncIterator]();
  await events.next();
  assert.deepEqual({ ...(await events.next()).value }, { ev: "reconnected", complete: false });
});

test("the past of a table is asked for from its beginning", async () => {
  const world = await World.withName();
  const table = await world.sit();
  const asking = table.past();
  await settled();
  const joined = "JOINED on=t1 seq=1 seat=1 name=~robin bot=0";
  await world.peer.send(joined, `${world.peer.id("sync")} OK on=t1 seq=1`);
  assert.deepEqual((await asking).map((event) => event.ev), ["JOINED"]);
});

test("the time left is that of the turn, or of a CLOCK that came later", async () => {
  const world = await World.withName();
  const table = await world.sit();
  await world.peer.send("TURN on=t1 seq=2 turn=1 seat=1 act=play ms=30000 bank=60000");
  await world.clock.advance(10_000);
  assert.deepEqual(table.timeLeft(1), { ms: 20_000, bank: 60_000, runs: true });
  await world.clock.advance(25_000);
  assert.deepEqual(table.timeLeft(1), { ms: 0, bank: 55_000, runs: true });
  await world.peer.send("CLOCK on=t1 turn=1 seat=1 ms=0 bank=54000 run=0");
  await world.clock.advance(5_000);
  assert.deepEqual(table.timeLeft(1), { ms: 0, bank: 54_000, runs: false });
  await world.peer.send("PLAYED on=t1 seq=3 seat=1 cards=QH kind=lead left=3");
  assert.equal(table.timeLeft(1), undefined);
});

test("a program that was started again has its tables at once, and their clocks", async () => {
  const world = new World({ token: "T0" });
  await world.peer.welcome("@ AT on=t1 seq=2 talk=k1", "@ AT on=me seq=0");
  assert.equal(world.server.here, true);
  const id = world.peer.id("state");
  await world.peer.send(
    `${id} STATE on=t1 seq=2 phase=playing me=1 talk=k1`,
    `${id} SEAT seat=1 name=~robin bot=0 ready=1 here=1 standin=0 n=1 total=0 out=0 cards=QH`,
    `${id} TURN turn=1 seat=1 act=play ms=30000 choose=one nlegal=1 legal=Q default=Q`,
    `${id} CLOCK on=t1 turn=1 seat=1 ms=7000 run=1`,
    `${id} OK on=t1 n=3`,
  );
  await world.entered;
  const table = world.server.tables.get("t1");
  assert.deepEqual(table?.question?.hand, ["QH"]);
  assert.equal(table?.timeLeft(1)?.ms, 7000);
});

test("a subscriber is told once of all that changes together, and its mistakes are its own", async () => {
  const world = await World.withName();
  let told = 0;
  const forget = world.server.subscribe(() => {
    told += 1;
  });
  await world.peer.send("NOTE code=XGONE", "NOTE code=XGTWO", "NOTE code=XGTHREE");
  assert.equal(told, 1);
  forget();
  await world.peer.send("NOTE code=XGFOUR");
  assert.equal(told, 1);
  const waiting = world.server.until(() => {
    if (told === 2) throw new Error("my mistake");
  });
  const failing = assert.rejects(waiting, /my mistake/);
  told = 2;
  await world.peer.send("PING no=3");
  await failing;
  assert.match(world.peer.heard.at(-1) ?? "", /pong 3$/);
});

test("who has no name can look around, and take one later", async () => {
  const world = new World({ name: "" });
  await world.peer.open();
  await world.peer.send(`${world.peer.id("hello")} OK proto=1`);
  await world.entered;
  assert.deepEqual(world.peer.heard.length, 1);
  const naming = world.server.command("guest robin");
  await settled();
  await world.peer.answer("guest", "OK name=~robin token=T1 grace=1");
  await naming;
  assert.equal(world.server.name, "~robin");
  const leaving = world.server.command("logout");
  await settled();
  await world.peer.answer("logout");
  await leaving;
  assert.deepEqual([world.server.name, world.server.token, world.server.here], ["", "", true]);
});

test("who leaves says quit, and no more", async () => {
  const world = await World.withName();
  const leaving = world.server.leave();
  await settled();
  await world.peer.answer("quit");
  await world.peer.send("BYE code=QUIT resume=1");
  await leaving;
  assert.equal(world.peer.closed, true);
  assert.equal(world.clock.next, Infinity);
});

test("a server that does not answer to quit is left all the same", async () => {
  const world = await World.withName();
  const leaving = world.server.leave();
  await world.clock.advance(3000);
  await leaving;
  assert.equal(world.peer.closed, true);
});
