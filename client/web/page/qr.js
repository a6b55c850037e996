/**
 * QR codes of short texts (ISO/IEC 18004): bytes, versions 1 to 6, error correction L.
 * @module
 */

import { el } from "./dom.js";

/** Of each version: the data bytes, the correction bytes of a block, the number of blocks. */
const VERSIONS = [[19, 7, 1], [34, 10, 1], [55, 15, 1], [80, 20, 1], [108, 26, 1], [136, 18, 2]];
/** The formats of error correction L, with the masks 0 to 7. */
const FORMATS = Array.from({ length: 8 }, (_, mask) => {
  let rest = (8 | mask) << 10;
  for (let bit = 14; bit >= 10; bit--) if (rest & (1 << bit)) rest ^= 0x537 << (bit - 10);
  return (((8 | mask) << 10) | rest) ^ 0x5412;
});
/** @type {((row: number, column: number) => boolean)[]} */
const MASKS = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

/** Products in the field of 256 elements. @param {number} a @param {number} b */
function times(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    if ((b >> bit) & 1) product ^= a;
  }
  return product;
}

/** The correction bytes of a block. @param {number[]} data @param {number} count */
function correction(data, count) {
  let divisor = [1];
  for (let n = 0, root = 1; n < count; n++, root = times(root, 2)) {
    const next = [...divisor, 0];
    divisor.forEach((each, at) => (next[at + 1] ^= times(each, root)));
    divisor = next;
  }
  const rest = [...data, ...Array(count).fill(0)];
  for (let at = 0; at < data.length; at++) {
    const lead = rest[at];
    divisor.forEach((each, n) => (rest[at + n] ^= times(each, lead)));
  }
  return rest.slice(data.length);
}

/**
 * The modules of the code, row by row; null if the text is too long.
 * @param {string} text
 * @returns {boolean[][] | null}
 */
export function qrCode(text) {
  const bytes = [...new TextEncoder().encode(text)];
  const at = VERSIONS.findIndex(([size]) => bytes.length + 2 <= size);
  if (at < 0) return null;
  const [size, count, blocks] = VERSIONS[at];
  const bits = [0b0100, bytes.length, ...bytes].flatMap((byte, n) => bitsOf(byte, n ? 8 : 4));
  bits.push(...Array(Math.min(4, size * 8 - bits.length)).fill(0));
  while (bits.length % 8) bits.push(0);
  const data = Array.from({ length: bits.length / 8 }, (_, n) => parseInt(bits.slice(n * 8, n * 8 + 8).join(""), 2));
  for (let pad = 0xec; data.length < size; pad ^= 0xec ^ 0x11) data.push(pad);
  const parts = Array.from({ length: blocks }, (_, n) => data.slice((n * size) / blocks, ((n + 1) * size) / blocks));
  const checks = parts.map((part) => correction(part, count));
  const sent = [...interleaved(parts), ...interleaved(checks)].flatMap((byte) => bitsOf(byte, 8));
  const made = MASKS.map((_, mask) => drawn(at + 1, sent, mask));
  return made.reduce((best, each) => (penalty(each) < penalty(best) ? each : best));
}

/** @param {number} byte @param {number} count */
const bitsOf = (byte, count) => Array.from({ length: count }, (_, n) => (byte >> (count - 1 - n)) & 1);

/** @param {number[][]} parts */
const interleaved = (parts) => parts[0].flatMap((_, n) => parts.map((part) => part[n]));

/** @param {number} version @param {number[]} bits @param {number} mask */
function drawn(version, bits, mask) {
  const size = 17 + 4 * version;
  /** @type {(boolean | undefined)[][]} */
  const grid = Array.from({ length: size }, () => Array(size).fill(undefined));
  /** @param {number} r @param {number} c @param {boolean} dark */
  const set = (r, c, dark) => r >= 0 && c >= 0 && r < size && c < size && (grid[r][c] = dark);
  /** @param {number} r @param {number} c @param {number} reach */
  const square = (r, c, reach) => {
    for (let y = -reach; y <= reach; y++) {
      for (let x = -reach; x <= reach; x++) {
        const ring = Math.max(Math.abs(x), Math.abs(y));
        set(r + y, c + x, ring !== 4 && (reach === 4 ? ring !== 2 : ring !== 1));
      }
    }
  };
  for (const [r, c] of [[3, 3], [3, size - 4], [size - 4, 3]]) square(r, c, 4);
  if (version > 1) square(size - 7, size - 7, 2);
  for (let n = 8; n < size - 8; n++) grid[6][n] = grid[n][6] = n % 2 === 0;
  const format = FORMATS[mask];
  for (let n = 0; n < 15; n++) {
    const dark = ((format >> n) & 1) === 1;
    set(n < 6 ? n : n < 8 ? n + 1 : size - 15 + n, 8, dark);
    set(8, n < 8 ? size - 1 - n : n < 9 ? 7 : 14 - n, dark);
  }
  set(size - 8, 8, true);
  let next = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let n = 0; n < size; n++) {
      const row = ((right + 1) & 2) === 0 ? size - 1 - n : n;
      for (const column of [right, right - 1]) {
        if (grid[row][column] === undefined) grid[row][column] = (bits[next++] === 1) !== MASKS[mask](row, column);
      }
    }
  }
  return /** @type {boolean[][]} */ (grid);
}

/** Fewer equal neighbours are easier to read. @param {boolean[][]} grid */
function penalty(grid) {
  let found = 0;
  grid.forEach((row, r) => row.forEach((dark, c) => {
    if (dark === row[c + 1] && dark === grid[r + 1]?.[c] && dark === grid[r + 1]?.[c + 1]) found += 3;
    if ([1, 2, 3, 4].every((n) => row[c + n] === dark)) found += 1;
    if ([1, 2, 3, 4].every((n) => grid[r + n]?.[c] === dark)) found += 1;
  }));
  return found;
}

/** The picture of a QR code; nothing for a text that is too long. @param {string} text */
export function qrPicture(text) {
  const grid = qrCode(text);
  if (!grid) return null;
  const path = grid.flatMap((row, r) => row.flatMap((dark, c) => (dark ? [`M${c + 4} ${r + 4}h1v1h-1z`] : []))).join("");
  const size = grid.length + 8;
  return el("svg", { class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": "The link as a QR code", "shape-rendering": "crispEdges" },
    el("rect", { width: size, height: size, class: "paper" }), el("path", { d: path }));
}
