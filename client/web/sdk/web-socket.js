/**
 * Connections by WebSocket: `ws://HOST:PORT/`, `wss://HOST/`. Each line is one message.
 * @module
 */

import { clean } from "./lines.js";

/** @type {import("./link.js").Connector} */
export function webSocket(address, ear) {
  if (typeof WebSocket === "undefined") {
    throw new Error(`${address} needs WebSocket, which this program does not have`);
  }
  const socket = new WebSocket(address);
  socket.onopen = () => ear.opened();
  socket.onmessage = ({ data }) => ear.heard([clean(String(data))]);
  socket.onerror = () => ear.closed(new Error(`no connection to ${address}`));
  socket.onclose = () => ear.closed();
  return {
    send: (lines) => lines.forEach((line) => socket.send(line)),
    close() {
      socket.onopen = socket.onmessage = socket.onerror = socket.onclose = null;
      socket.close();
    },
  };
}
