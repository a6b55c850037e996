import assert from "node:assert/strict";
import { test } from "node:test";

import { inHand } from "../../client/web/sdk/cards.js";
import { cardsFor, cardsOf, movesWith, partsOf, tokenOf } from "../../client/web/sdk/moves.js";

const HAND = ["6S", "QH", "QS", "KD"];

test("ranks stand for any card of that rank", () => {
  const legal = ["6", "Q", "Q+Q", "K"];
  assert.deepEqual(movesWith(legal, ["QS", "QH"]), ["Q+Q"]);
  assert.deepEqual(movesWith(legal, ["QS"]), ["Q"]);
  assert.deepEqual(movesWith(legal, ["QS", "KD"]), []);
  assert.deepEqual(cardsFor(legal, HAND, []), HAND);
  assert.deepEqual(cardsFor(legal, HAND, ["QH"]), ["QS"]);
  assert.deepEqual(cardsFor(legal, HAND, ["KD"]), []);
});

test("whole cards stand for themselves", () => {
  assert.deepEqual(movesWith(["QH", "6S"], ["QS"]), []);
  assert.deepEqual(cardsFor(["QH", "6S"], HAND, []), ["6S", "QH"]);
});

test("a joker goes with the cards beside it", () => {
  const hand = ["9C", "9S", "X"];
  const legal = ["9", "9+9", "9+X", "9+9+X"];
  assert.deepEqual(movesWith(legal, ["X", "9S"]), ["9+X"]);
  assert.deepEqual(cardsFor(legal, hand, ["X"]), ["9C", "9S"]);
  assert.deepEqual(cardsOf("9+X", hand), ["9C", "X"]);
});

test("the Fool has two moves, and trumps with two digits are not their first digit", () => {
  assert.deepEqual(movesWith(["1", "14", "F0", "F22"], ["F"]), ["F0", "F22"]);
  assert.deepEqual(movesWith(["1", "14"], ["14"]), ["14"]);
  assert.deepEqual(cardsFor(["1"], ["1", "14"], []), ["1"]);
  assert.deepEqual(cardsOf("F22", ["3", "F"]), ["F"]);
});

test("tokens are cards, joined", () => {
  assert.deepEqual([tokenOf([]), tokenOf(["QH", "QS"])], ["-", "QH+QS"]);
  assert.deepEqual([partsOf("-"), partsOf("Q+Q")], [[], ["Q", "Q"]]);
});

test("a hand is shown in the order of its game", () => {
  assert.deepEqual(inHand(["AH", "X", "2S", "TC", "TS"], "twentysix"), ["2S", "TC", "TS", "AH", "X"]);
  assert.deepEqual(inHand(["F", "14", "3", "21"], "whist22"), ["3", "14", "21", "F"]);
  assert.deepEqual(inHand(["JC", "7S", "KC", "TC"], "twentyeight"), ["TC", "KC", "JC", "7S"]);
  const pagat = new Map([["order", "pagat"]]);
  assert.deepEqual(inHand(["JC", "7S", "KC", "TC"], "twentyeight", pagat), ["KC", "TC", "JC", "7S"]);
  assert.deepEqual(inHand(["3C", "2D"], "a game to come"), ["2D", "3C"]);
});
