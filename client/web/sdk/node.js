/**
 * The SDK for Node: all of `index.js`, and connections over TCP and TLS, without WebSocket.
 * @module
 */

import { webcrypto } from "node:crypto";
import net from "node:net";
import tls from "node:tls";

import { Flaw, LineBuffer } from "./framing.js";
import { Server } from "./server.js";
import { webSocket } from "./web-socket.js";

export * from "./index.js";

// Node 18 has it only as a module.
globalThis.crypto ??= /** @type {Crypto} */ (webcrypto);

const PORT = 2222;
const TLS_PORT = 2223;
/** A name for each form of address: what comes before, the host, the port. */
const ADDRESS = /^(tcp:\/\/|tls:\/\/)?(?:\[([^\]\s/]+)\]|([^:\s/[\]]+))(?::([0-9]+))?\/?$/;

/**
 * A session on a server: `HOST`, `HOST:PORT`, `tls://HOST`, `unix:PATH`, or `ws://` and `wss://`
 * where Node has WebSocket. `ca` is a certificate of an authority, as text, instead of those that
 * Node trusts. Throws the error of the connection, `Refused` or `Dismissed`.
 * @param {string} address
 * @param {import("./server.js").ServerOptions & { ca?: string }} options
 * @returns {Promise<Server>}
 */
export async function connect(address, options) {
  const server = new Server(address, connector(options.ca), options);
  await server.enter();
  return server;
}

/**
 * Makes connections of every kind.
 * @param {string} [ca]
 * @returns {import("./link.js").Connector}
 */
export const connector = (ca) => (address, ear) =>
  /^wss?:/.test(address) ? webSocket(address, ear) : overSocket(dial(address, ca), ear);

/**
 * @param {string} address
 * @param {string} [ca]
 * @returns {net.Socket}
 */
function dial(address, ca) {
  if (address.startsWith("unix:")) return net.connect(address.slice(5));
  const [, scheme, six, name, said] = ADDRESS.exec(address) ?? [];
  const host = six ?? name;
  if (host === undefined) throw new Error(`${address} is not HOST or HOST:PORT`);
  if (scheme !== "tls://") return net.connect({ host, port: Number(said ?? PORT) });
  const servername = net.isIP(host) ? undefined : host;
  return tls.connect({ host, port: Number(said ?? TLS_PORT), servername, ca });
}

/**
 * @param {net.Socket} socket
 * @param {import("./link.js").Ear} ear
 * @returns {import("./link.js").Wire}
 */
function overSocket(socket, ear) {
  const buffer = new LineBuffer();
  socket.setNoDelay();
  socket.once(socket instanceof tls.TLSSocket ? "secureConnect" : "connect", ear.opened);
  socket.on("data", (data) => {
    const lines = buffer.feed(data).filter((line) => !(line instanceof Flaw));
    ear.heard(/** @type {string[]} */ (lines));
  });
  socket.on("error", ear.closed);
  socket.on("end", () => ear.closed());
  socket.on("close", () => ear.closed());
  return {
    send: (lines) => socket.write(lines.map((line) => `${line}\r\n`).join("")),
    close: () => socket.destroy(),
  };
}
