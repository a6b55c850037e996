/**
 * The client's side of SASL SCRAM-SHA-256 (RFC 7677), with WebCrypto: proves a password without
 * sending it.
 * @module
 */

const MECHANISM = "SCRAM-SHA-256";
/** `n,,` in base64: no channel binding. */
const NO_BINDING = "biws";

const encoder = new TextEncoder();

/** @param {Uint8Array} bytes */
const toBase64 = (bytes) => btoa(String.fromCharCode(...bytes));
/** @param {string} text */
const fromBase64 = (text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
/** @param {string} text */
const message = (text) => `${MECHANISM} ${toBase64(encoder.encode(text))}`;

/** One proof: send `first`, then `answer` to what comes, and trust the server if it `proves` itself. */
export class ScramProof {
  /**
   * @param {string} name
   * @param {string} password
   * @param {string} [nonce] nobody can guess it, and it is used once
   */
  constructor(name, password, nonce = toBase64(crypto.getRandomValues(new Uint8Array(18)))) {
    this.#password = prepared(password);
    this.#nonce = nonce;
    this.#bare = `n=${name.replaceAll("=", "=3D").replaceAll(",", "=2C")},r=${nonce}`;
    /** The words behind `auth`, at first. */
    this.first = message(`n,,${this.#bare}`);
  }

  #password;
  #nonce;
  #bare;
  /** The proof of a server that knows the password. */
  #expected = "";

  /**
   * The words behind `auth`, in answer to the server's first message.
   * @param {string} data
   */
  async answer(data) {
    const challenge = new TextDecoder().decode(fromBase64(data));
    const [, nonce, salt, rounds] = /^r=([^,]*),s=([^,]*),i=([0-9]+)/.exec(challenge) ?? [];
    if (!nonce?.startsWith(this.#nonce) || nonce === this.#nonce) throw new Error("no challenge");
    const salted = await stretched(this.#password, fromBase64(salt), Number(rounds));
    const rest = `c=${NO_BINDING},r=${nonce}`;
    const all = `${this.#bare},${challenge},${rest}`;
    const key = await hmac(salted, "Client Key");
    const stored = new Uint8Array(await crypto.subtle.digest("SHA-256", key));
    const signature = await hmac(stored, all);
    const proof = key.map((byte, index) => byte ^ signature[index]);
    this.#expected = `v=${toBase64(await hmac(await hmac(salted, "Server Key"), all))}`;
    return message(`${rest},p=${toBase64(proof)}`);
  }

  /**
   * True if the server's last message proves that it knows the password.
   * @param {string} data
   */
  proves(data) {
    return this.#expected !== "" && data === toBase64(encoder.encode(this.#expected));
  }
}

/** @param {Uint8Array<ArrayBuffer>} key @param {string} text */
async function hmac(key, text) {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, encoder.encode(text)));
}

/** @param {string} password @param {Uint8Array<ArrayBuffer>} salt @param {number} iterations */
async function stretched(password, salt, iterations) {
  const raw = await crypto.subtle.importKey("raw", encoder.encode(password), "PBKDF2", false, [
    "deriveBits",
  ]);
  const algorithm = { name: "PBKDF2", hash: "SHA-256", salt, iterations };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, raw, 256));
}

/** The password by SASLprep (RFC 4013), as far as it changes one that a server has accepted. */
const prepared = (/** @type {string} */ password) =>
  password
    .replace(/[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/g, " ")
    .replace(/[\u00ad\u034f\u1806\u180b-\u180d\u200c\u200d\u2060\ufe00-\ufe0f\ufeff]/g, "")
    .normalize("NFKC");
