// The requests the bench sends, and how to tell a right answer from a wrong one. Texts are ready before the clock starts.
import { longResource } from "./long-resource.mjs";

/** @typedef {"legacy" | "modern"} Era */
/**
 * @typedef {object} MessageForm
 * @property {Buffer} bytes one line
 * @property {number} idAt where its id is; -1 for a notification
 * @property {string} method
 * @property {string | undefined} name the tool or resource it is about
 */
/** @typedef {MessageForm & { isRight: (result: any) => boolean }} RequestForm */

/** The revision each era is measured in. */
export const revisionOf = { legacy: "2025-11-25", modern: "2026-07-28" };

/** Ids all have seven digits, so that a request can be made by overwriting them in a copy. */
export const firstId = 1_000_000;
const idDigits = 7;

const clientInfo = { name: "bench-client", version: "1.0.0" };
const modernMeta = {
  "io.modelcontextprotocol/protocolVersion": revisionOf.modern,
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": clientInfo,
};

const sentence = 'She said "over there",\n\tand pointed at C:\\shelf\\7. ';
const mixedScript = "Größe 寸法 размер 🙂, same again; ";

const repeat = (text, length) => text.repeat(Math.ceil(length / text.length)).slice(0, length);

const form = { name: "Ada Lovelace", age: 36, email: "ada@example.org", active: true, level: "high", tags: ["a", "b"] };
const formAnswer = "Ada Lovelace 36 ada@example.org true high a,b";

const answersText = (text) => (result) => result.content?.length === 1 && result.content[0].text === text;
const echo = (text) => ({
  method: "tools/call",
  params: { name: "echo", arguments: { text } },
  isRight: answersText(text),
});

/** What can be asked for, by the name the cells use. `list` is asked of servers with different numbers of tools. */
const subjects = {
  ping: () => ({ method: "ping", params: {}, isRight: (result) => typeof result === "object" }),
  list: (tools) => ({ method: "tools/list", params: {}, isRight: (result) => result.tools?.length === tools }),
  "echo-100": () => echo(repeat("The quick brown fox jumps over it. ", 100)),
  "echo-10k": () => echo(repeat(sentence, 10_000)),
  "echo-10k-utf8": () => echo(repeat(mixedScript, 6_700)),
  "echo-900k": () => echo(repeat(sentence, 900_000)),
  fill6: () => ({
    method: "tools/call",
    params: { name: "fill6", arguments: form },
    isRight: answersText(formAnswer),
  }),
  "read-1m": () => ({
    method: "resources/read",
    params: { uri: longResource.uri },
    isRight: (result) => result.contents?.length === 1 && result.contents[0].text === longResource.text,
  }),
  wrong: () => ({
    method: "tools/call",
    params: { name: "fill6", arguments: { age: "old", email: 5, active: "perhaps", level: "none", tags: { a: 1 } } },
    isRight: () => true,
  }),
};

/**
 * A message as bytes with a place for its id.
 * @returns {MessageForm}
 */
export function messageForm(/** @type {{ method: string, params?: any }} */ { method, params }, isRequest = true) {
  const id = isRequest ? firstId : undefined;
  const bytes = Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  return { bytes, idAt: isRequest ? bytes.indexOf(String(firstId)) : -1, method, name: params?.name ?? params?.uri };
}

/**
 * A request as bytes with a place for its id, and the check of its answer.
 * @returns {RequestForm}
 */
export function requestForm(/** @type {string} */ subject, /** @type {Era} */ era, /** @type {number} */ tools) {
  const { method, params, isRight } = subjects[subject](tools);
  const full = era === "modern" ? { ...params, _meta: modernMeta } : params;
  return { ...messageForm({ method, params: full }), isRight };
}

/** Puts an id in its place in a copy of a request, each byte changed by `mask` where the wire asks for that. */
export function writeId(
  /** @type {Buffer} */ target,
  /** @type {number} */ at,
  /** @type {number} */ id,
  /** @type {(place: number) => number} */ mask = unmasked,
) {
  let rest = id;
  for (let digit = idDigits - 1; digit >= 0; digit--) {
    target[at + digit] = (48 + (rest % 10)) ^ mask(digit);
    rest = Math.floor(rest / 10);
  }
}

const unmasked = () => 0;

/** What opens a conversation in an era: the handshake, or the modern question for what the server can do. */
export function openingOf(/** @type {Era} */ era) {
  if (era === "modern") return { method: "server/discover", params: { _meta: modernMeta } };
  return { method: "initialize", params: { protocolVersion: revisionOf.legacy, capabilities: {}, clientInfo } };
}

/** What a client says once the handshake is done. */
export const initialized = messageForm({ method: "notifications/initialized" }, false);
