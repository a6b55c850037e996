/**
 * The SDK of twentytwo for web pages, and for programs with WebSocket: connect, sit down, answer
 * questions. docs/sdk.md has an example of everything. `node.js` adds TCP and TLS.
 * @module
 */

import { Server } from "./server.js";
import { webSocket } from "./web-socket.js";

export { inHand } from "./cards.js";
export { Dismissed, NoAnswer, Refused } from "./errors.js";
export { Reconnected } from "./feed.js";
export { TIMING } from "./link.js";
export { Seat, TableModel } from "./model.js";
export { cardsFor, cardsOf, movesWith, partsOf, tokenOf } from "./moves.js";
export { Server } from "./server.js";
export { Verdict } from "./shuffle-check.js";
export { Question, Table } from "./table.js";
export { webSocket } from "./web-socket.js";
export { GAMES } from "./words.js";

/**
 * A session on a server, `wss://HOST/` or `ws://HOST:PORT/`. Throws the error of the connection,
 * `Refused` or `Dismissed`.
 * @param {string} address
 * @param {import("./server.js").ServerOptions} options
 * @returns {Promise<Server>}
 */
export async function connect(address, options) {
  const server = new Server(address, webSocket, options);
  const forget = whenAwake(() => server.check());
  server.subscribe(() => server.ended && forget());
  await server.enter();
  return server;
}

/**
 * Calls a function when the page is seen again, or the device has a network again. Returns a
 * function that ends this.
 * @param {() => void} act
 */
export function whenAwake(act) {
  if (typeof document === "undefined") return () => {};
  const seen = () => document.visibilityState === "visible" && act();
  document.addEventListener("visibilitychange", seen);
  addEventListener("online", act);
  addEventListener("pageshow", act);
  return () => {
    document.removeEventListener("visibilitychange", seen);
    removeEventListener("online", act);
    removeEventListener("pageshow", act);
  };
}
