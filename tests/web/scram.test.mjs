import assert from "node:assert/strict";
import { test } from "node:test";

import "../../client/web/sdk/node.js"; // WebCrypto, which Node 18 has only as a module
import { ScramProof } from "../../client/web/sdk/scram.js";

/** @param {string} text */
const base64 = (text) => Buffer.from(text).toString("base64");
/** @param {string} words */
const plain = (words) => Buffer.from(words.split(" ")[1], "base64").toString();

// The example of RFC 7677.
const NONCE = "rOprNGfwEbeRWgbNEkqO";
const BOTH = `${NONCE}%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0`;
const CHALLENGE = `r=${BOTH},s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096`;

test("a password is proved as in the example of the RFC", async () => {
  const proof = new ScramProof("user", "pencil", NONCE);
  assert.equal(plain(proof.first), `n,,n=user,r=${NONCE}`);
  const answer = plain(await proof.answer(base64(CHALLENGE)));
  assert.equal(answer, `c=biws,r=${BOTH},p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=`);
  assert.equal(proof.proves(base64("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=")), true);
  assert.equal(proof.proves(base64("v=AAAA")), false);
});

test("a server that has not asked proves nothing", async () => {
  const proof = new ScramProof("user", "pencil", NONCE);
  assert.equal(proof.proves(""), false);
  await assert.rejects(proof.answer(base64(CHALLENGE.replace(NONCE, "other"))));
});
