import assert from "node:assert/strict";
import { test } from "node:test";

import { Flaw, LineBuffer } from "../../client/web/sdk/framing.js";
import { command, isEvent, isRow, lacking, Malformed, oneLine, read, withOnce } from "../../client/web/sdk/lines.js";
import { vectors } from "./vectors.mjs";

test("a line is read as its vector says, in both forms", () => {
  for (const { line, json, word, id, text } of vectors("lines")) {
    const message = read(line);
    assert.ok(message);
    assert.deepEqual([message.ev, message.re ?? null, message.text ?? null], [word, id, text], line);
    if (!json) continue;
    assert.deepEqual({ ...message }, json, line);
    assert.deepEqual(read(JSON.stringify(json)), json, line);
    assert.equal(lacking(message), "", line);
  }
});

test("a bad line of the server is refused as its vector says", () => {
  for (const { from, line, error } of vectors("bad-lines")) {
    if (from !== "server") continue;
    if (error === "BAD_SYNTAX") assert.throws(() => read(line), Malformed, line);
    else if (error === "BAD_ARG") assert.notEqual(lacking(read(line) ?? { ev: "" }), "", line);
    else assert.doesNotThrow(() => read(line), line);
  }
});

test("an event of a newer server is no event of ours, and its fields are words", () => {
  const message = read("XGNOISE on=t1 seq=7 default=- :what is this?");
  assert.ok(message);
  assert.deepEqual(message, { ev: "XGNOISE", on: "t1", seq: 7, default: "-", text: "what is this?" });
  assert.equal(isEvent(message) || isRow(message), false);
});

test("a key of every object is no field of a message", () => {
  const message = read("TOSTRING constructor=1 valueof=2");
  assert.ok(message);
  assert.equal(isEvent(message), false);
  assert.equal(message.constructor, "1");
});

test("an object with the name of a built-in property is no event", () => {
  for (const ev of ["constructor", "toString", "__proto__"]) {
    const message = read(JSON.stringify({ ev }));
    assert.ok(message);
    assert.equal(isEvent(message) || isRow(message), false, ev);
  }
});

test("what somebody types stays one line", () => {
  assert.equal(oneLine("say :a\r\nleave t1\u0007\tb"), "say :a leave t1 b");
});

test("bytes become lines as their vector says, in packets of any size", () => {
  for (const { bytes, limit, lines } of vectors("framing")) {
    const data = Uint8Array.from(Buffer.from(bytes, "hex"));
    for (const size of [1, 2, 3, Math.max(1, data.length)]) {
      const buffer = new LineBuffer(limit);
      const found = [];
      for (let at = 0; at < data.length; at += size) found.push(...buffer.feed(data.subarray(at, at + size)));
      const shown = found.map((line) => (line instanceof Flaw ? { error: line.code } : line));
      assert.deepEqual(shown, lines, `${bytes} by ${size}`);
    }
  }
});

test("what a verb does not take is an option of the game, and a text comes last", () => {
  const args = { game: "twentytwo", title: "Friday night", seats: 3, rated: true, exchange: "off", x: "a b" };
  assert.equal(
    command("open", "", args),
    "open game=twentytwo seats=3 rated=1 options=exchange:off,x:a%20b :Friday night",
  );
  assert.equal(command("join", "t7", { seat: undefined }), "join t7");
});

test("the key of a command stands before its text", () => {
  assert.equal(withOnce("say table=t1 :a :b", "k.1"), "say table=t1 once=k.1 :a :b");
  assert.equal(withOnce("move Q turn=1", "k.1"), "move Q turn=1 once=k.1");
});
