/** The vectors of the protocol, one object a line. */

import { readFileSync } from "node:fs";

const FOLDER = new URL("../../protocol/vectors/", import.meta.url);

/**
 * @param {string} name
 * @returns {any[]}
 */
export const vectors = (name) =>
  readFileSync(new URL(`${name}.jsonl`, FOLDER), "utf8").trim().split("\n").map((line) => JSON.parse(line));

/**
 * A text of the project.
 * @param {string} path
 */
export const textOf = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
