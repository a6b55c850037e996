import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import vm from "node:vm";

import { keep, kept } from "../../client/web/page/memory.js";

/** @param {string} href The page is there. */
function at(href) {
  Object.assign(globalThis, { location: new URL(href) });
}

test("a token is kept for the server that gave it, and no link shows it to another one", () => {
  /** @type {Map<string, string>} */
  const values = new Map();
  /** @param {string} key */
  const getItem = (key) => values.get(key) ?? null;
  /** @param {string} key @param {string} value */
  const setItem = (key, value) => values.set(key, value);
  Object.assign(globalThis, { localStorage: { getItem, setItem } });
  at("https://pages.example.org/cards/#join=kiwi-fox");
  keep({ token: "secret", name: "ann" });
  assert.equal(kept().token, "secret");
  for (const other of ["https://pages.example.org/cards/?server=wss://evil.example", "https://pages.example.org/"]) {
    at(other);
    assert.equal(kept().token, "");
    keep({ token: "another" });
  }
  at("https://pages.example.org/cards/index.html");
  assert.equal(kept().token, "secret");
});

/** @typedef {Map<string, Map<string, any>>} Stores The caches of an origin, by their names. */

/** The service worker of a page at a path of an origin. @param {string} scope @param {Stores} stores */
async function worker(scope, stores) {
  const code = await readFile(new URL("../../client/web/page/sw.js", import.meta.url), "utf8");
  /** @type {Record<string, (event: any) => void>} */
  const handlers = {};
  const self = {
    registration: { scope },
    clients: { async claim() {} },
    async skipWaiting() {},
    addEventListener(/** @type {string} */ kind, /** @type {() => void} */ handler) { handlers[kind] = handler; },
  };
  let network = "";
  const fetch = async (/** @type {string} */ url) => {
    if (network === "") throw new TypeError("offline");
    return `${network} ${url}`;
  };
  const caches = {
    keys: async () => [...stores.keys()],
    delete: async (/** @type {string} */ name) => stores.delete(name),
    async open(/** @type {string} */ name) {
      const store = stores.get(name) ?? new Map();
      stores.set(name, store);
      return {
        async addAll(/** @type {{ url: string }[]} */ requests) {
          for (const { url } of requests) store.set(url, await fetch(url));
        },
        match: async (/** @type {{ url: string }} */ request) => store.get(request.url),
      };
    },
  };
  class Request {
    constructor(/** @type {string} */ path) { this.url = new URL(path, scope).href; }
  }
  const globals = { self, caches, Request, fetch: (/** @type {{ url: string }} */ { url }) => fetch(url) };
  return {
    /** The server has this version, and the worker of it begins. @param {string} version */
    async starts(version) {
      network = version;
      const stamped = code.replace('VERSION = ""', `VERSION = "${version}"`).replace("FILES = []", 'FILES = ["app.js"]');
      vm.runInNewContext(stamped, { ...globals });
      for (const kind of ["install", "activate"]) {
        await new Promise((done) => {
          handlers[kind]?.({ waitUntil: (/** @type {Promise<void>} */ promise) => promise.then(done) });
        });
      }
    },
    /** @param {string} version The server has it now; empty: there is no network. */
    has(version) { network = version; },
    /** @param {string} path @returns {Promise<string>} */
    async asks(path) {
      let answer = Promise.resolve("left to the browser");
      const respondWith = (/** @type {Promise<string>} */ promise) => { answer = promise; };
      handlers.fetch?.({ request: { method: "GET", url: new URL(path, scope).href }, respondWith });
      return answer;
    },
  };
}

test("after the first visit a page opens without a network, with all files of one version", async () => {
  const page = await worker("https://host/cards/", new Map());
  await page.starts("1");
  page.has("");
  assert.equal(await page.asks("app.js"), "1 https://host/cards/app.js");
  page.has("2");
  assert.equal(await page.asks("app.js"), "2 https://host/cards/app.js");
  page.has("");
  assert.equal(await page.asks("./"), "1 https://host/cards/");
  assert.equal(await page.asks("app.js"), "1 https://host/cards/app.js");
  await page.starts("2");
  page.has("");
  assert.equal(await page.asks("app.js"), "2 https://host/cards/app.js");
});

test("a service worker leaves the caches and the addresses of other pages alone", async () => {
  const stores = new Map([["mail", new Map()]]);
  const ours = await worker("https://host/cards/", stores);
  await (await worker("https://host/more/", stores)).starts("9");
  await ours.starts("1");
  await ours.starts("2");
  const left = ["mail", "twentytwo https://host/more/ 9", "twentytwo https://host/cards/ 2"];
  assert.deepEqual([...stores.keys()], left);
  assert.equal(await ours.asks("../mail/inbox"), "left to the browser");
});
