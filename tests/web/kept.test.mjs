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
    addEventListener(/** @type {string} */ kind, /** @type {() => void} */ handler) { handlers[kind] = handler; },
  };
  const caches = {
    keys: async () => [...stores.keys()],
    delete: async (/** @type {string} */ name) => stores.delete(name),
    async open(/** @type {string} */ name) {
      const store = stores.get(name) ?? new Map();
      stores.set(name, store);
      return {
        put: async (/** @type {any} */ request, /** @type {any} */ answer) => store.set(request.url, answer),
        match: async (/** @type {any} */ request) => store.get(request.url),
      };
    },
  };
  let online = true;
  const fetch = async (/** @type {any} */ request) => {
    if (!online) throw new TypeError("offline");
    return { ok: true, of: request.url, clone() { return this; } };
  };
  return {
    /** @param {string} version */
    async start(version) {
      vm.runInNewContext(code.replace('VERSION = ""', `VERSION = "${version}"`), { self, caches, fetch, URL });
      await new Promise((done) => {
        handlers.activate?.({ waitUntil: (/** @type {Promise<void>} */ promise) => promise.then(done) });
      });
    },
    cut() { online = false; },
    /** @param {string} url @returns {Promise<string>} */
    async asks(url) {
      /** @type {any} */
      let answer = null;
      const respondWith = (/** @type {any} */ promise) => { answer = promise; };
      handlers.fetch?.({ request: { method: "GET", url }, respondWith });
      return (await answer)?.of ?? "left to the browser";
    },
  };
}

test("a service worker keeps the files of its own page, and leaves those of others alone", async () => {
  const stores = new Map([["mail", new Map()]]);
  const ours = await worker("https://host/cards/", stores);
  const others = await worker("https://host/more/", stores);
  await others.start("9");
  await others.asks("https://host/more/app.js");
  await ours.start("1");
  assert.equal(await ours.asks("https://host/cards/app.js"), "https://host/cards/app.js");
  await ours.start("2");
  assert.deepEqual([...stores.keys()], ["mail", "twentytwo https://host/more/ 9"]);
  assert.equal(await ours.asks("https://host/mail/inbox"), "left to the browser");
  await ours.asks("https://host/cards/app.js");
  ours.cut();
  assert.equal(await ours.asks("https://host/cards/app.js"), "https://host/cards/app.js");
});
