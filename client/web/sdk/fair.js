/**
 * The fair shuffle fd1 (SPEC.md, X13), with WebCrypto: a deal that is fixed before the first card
 * and can be computed again.
 * @module
 */

/** The word of a seat that gave none. */
export const NO_WORD = "-";

const WORD = /^(?!-$)[A-Za-z0-9_-]{1,64}$/;
const BLOCK = 64;

/** False in a page that was not loaded over https: browsers compute no hashes there. */
export const canHash = () => globalThis.crypto?.subtle !== undefined;

/** @param {string} text */
const bytes = (text) => new TextEncoder().encode(text);

/** @param {Uint8Array} bytes */
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * So many bytes that nobody can guess, in hex.
 * @param {number} count
 */
export const randomHex = (count) => hex(crypto.getRandomValues(new Uint8Array(count)));

/**
 * What is published before the game: the SHA-256 of a seed or of a word, in hex.
 * @param {string} seed
 */
export const commitment = async (seed) =>
  hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes(seed))));

/** @param {string} key @param {string} text */
async function hmac(key, text) {
  const algorithm = { name: "HMAC", hash: "SHA-512" };
  const imported = await crypto.subtle.importKey("raw", bytes(key), algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, bytes(text)));
}

/**
 * The words by seat as they enter the shuffle: `1=kitten,2=-`; null if one of them cannot be.
 * @param {string[]} words
 */
export function entropy(words) {
  if (words.some((word) => word !== NO_WORD && !WORD.test(word))) return null;
  return words.map((word, index) => `${index + 1}=${word}`).join(",");
}

/**
 * The pack after a shuffle, the top card first.
 * @param {string[]} pack at most 256 cards
 * @param {{ seed: string, game: string, no: number, words?: string }} shuffle `words` is a result of
 *   `entropy`, or empty
 */
export async function shuffled(pack, { seed, game, no, words = "" }) {
  const key = hex(await hmac(seed, `fd1|${game}|${no}|${words}`));
  let block = new Uint8Array(0);
  let used = 0;
  const nextByte = async () => {
    if (used % BLOCK === 0) block = await hmac(key, `${used / BLOCK}`);
    return block[used++ % BLOCK];
  };
  const cards = [...pack];
  for (let i = cards.length - 1; i > 0; i--) {
    let byte = await nextByte();
    while (byte >= 256 - (256 % (i + 1))) byte = await nextByte();
    const j = byte % (i + 1);
    [cards[i], cards[j]] = [cards[j], cards[i]];
  }
  return cards;
}
