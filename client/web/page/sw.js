/**
 * Keeps the files of the page, so that it opens without a network after the first visit. It keeps
 * nothing else. The server writes the version and the paths of the files here. A new version is
 * loaded at the next visit: its files are kept all together, and those of the old one until then.
 */
const VERSION = "";
/** @type {string[]} */
const FILES = [];
/** Other pages of the same origin have caches, too. */
const OURS = `twentytwo ${self.registration.scope} `;
const CACHE = OURS + VERSION;

self.addEventListener("install", (event) =>
  event.waitUntil((async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll(["./", ...FILES].map((path) => new Request(path, { cache: "no-cache" })));
    await self.skipWaiting();
  })()));
self.addEventListener("activate", (event) =>
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith(OURS) && name !== CACHE) await caches.delete(name);
    }
    await self.clients.claim();
  })()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(self.registration.scope)) return;
  event.respondWith((async () => {
    try {
      return await fetch(request);
    } catch (error) {
      const cache = await caches.open(CACHE);
      const kept = await cache.match(request, { ignoreSearch: true });
      if (kept) return kept;
      throw error;
    }
  })());
});
