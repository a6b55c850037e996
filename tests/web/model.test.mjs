import assert from "node:assert/strict";
import { test } from "node:test";

import { isEvent, read } from "../../client/web/sdk/lines.js";
import { TableModel } from "../../client/web/sdk/model.js";
import { vectors } from "./vectors.mjs";

const SCENES = ["evening-seat", "evening-watcher", "asked-at-once", "twentysix", "whist22", "twentyeight"];

/**
 * What a model holds, under the keys of the vectors; what there is not is left out.
 * @param {TableModel} model
 */
function known(model) {
  /** @type {Record<string, any>} */
  const found = {
    phase: model.phase,
    host: model.host,
    paused: model.paused,
    game: fields(model.game, "game id players version ruleshash target start sides"),
    hand: fields(model.hand, "no dealer size stock"),
    committed: fields(model.committed, "id no alg hash"),
    stock: model.stock,
    trick: model.trick,
    leader: model.leader,
    words: model.words,
    options: Object.fromEntries(model.options),
    standing: model.standing.map((event) => event.seq),
  };
  for (const [number, seat] of model.seats) {
    found[`seat ${number}`] = there({
      ...fields(seat, "name bot ready here standin total out place tricks points n"),
      word: seat.word || undefined,
      sealed: seat.sealed || undefined,
      cards: number === model.me ? [...model.holding].sort() : undefined,
      seen: seat.seen.length ? [...seat.seen].sort() : undefined,
    });
  }
  return there(found);
}

/** @param {any} facts @param {string} keys */
const fields = (facts, keys) =>
  facts && there(Object.fromEntries(keys.split(" ").map((key) => [key, facts[key]])));

/** @param {Record<string, any>} values */
const there = (values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

for (const scene of SCENES) {
  test(`the model is the fold of its events: ${scene}`, () => {
    const [{ me }, ...lines] = vectors(`fold/${scene}`);
    const model = new TableModel("t1", me ?? undefined);
    /** @type {Record<string, any>} */
    const expected = {};
    for (const { line, model: changed } of lines) {
      const event = read(line);
      assert.ok(event && isEvent(event), line);
      model.see(event);
      for (const [key, value] of Object.entries(changed)) {
        if (value === null) delete expected[key];
        else expected[key] = value;
      }
      assert.deepEqual(known(model), expected, line);
    }
  });
}

test("a copy of a model stays as it was", () => {
  const [, ...lines] = vectors("fold/twentyeight");
  const model = new TableModel("t1", 1);
  const events = lines.map(({ line }) => read(line));
  for (const event of events.slice(0, 60)) if (event && isEvent(event)) model.see(event);
  const copy = model.copy();
  const before = JSON.stringify(known(copy));
  for (const event of events.slice(60)) if (event && isEvent(event)) model.see(event);
  assert.equal(JSON.stringify(known(copy)), before);
  assert.notEqual(JSON.stringify(known(model)), before);
});
