import { type Draft, draft, modernMeta, type Value } from "./corpus.js";
import type { Random } from "./random.js";

const oddNumbers = [0, -0, -1, 1.5, 1e21, 2 ** 53, -(2 ** 53) - 2, 1e308, 5e-324, 2 ** 31, 0.1];
const oddTexts = [
  "",
  " ",
  "null",
  "__proto__",
  "constructor",
  "toString",
  "\u{0}",
  "\u{2028}\u{2029}",
  "\u{d800}",
  "\u{dfff}\u{d800}",
  "\u{feff}",
  "👩‍👩‍👧‍👦",
  "e\u{301}",
  "\u{202e}abc",
  "tools/call",
  "2026-07-28",
  "1999-01-01",
  "a".repeat(300),
  "🀄".repeat(40),
];
const oddKeys = [
  ...oddTexts,
  "id",
  "ID",
  "Id",
  "method",
  "params",
  "result",
  "error",
  "_meta",
  "arguments",
  "name",
  "requestState",
  "inputResponses",
  "progressToken",
  "protocol_version",
  "io.modelcontextprotocol/protocolVersion",
  "io.modelcontextprotocol/clientCapabilities",
  "io.modelcontextprotocol/logLevel",
  "then",
  "toJSON",
  "length",
];
const oddIds: readonly Value[] = [
  "",
  "0",
  "null",
  " ",
  "\u{d800}",
  "ключ",
  "id".repeat(100),
  -1,
  0,
  9007199254740991,
  null,
  1.5,
  true,
  {},
  [],
];

/** A value that is invalid everywhere. */
function oddValue(random: Random): Value {
  switch (random.below(9)) {
    case 0:
      return null;
    case 1:
      return random.oneIn(2);
    case 2:
      return [];
    case 3:
      return {};
    case 4:
      return nested(random.pick([3, 60, 300, 2000]), random.oneIn(2));
    case 5:
      return [random.pick(oddTexts), random.pick(oddNumbers), null];
    case 6:
      return { [random.pick(oddKeys)]: random.pick(oddTexts), more: 1 };
    case 7:
      return random.pick(oddNumbers);
    default:
      return random.pick(oddTexts);
  }
}

function nested(depth: number, isList: boolean): Value {
  let value: Value = 1;
  for (let level = 0; level < depth; level += 1) value = isList ? [value] : { a: value };
  return value;
}

type Place = { owner: Draft | Value[]; key: string };

/** Every member of every object and array inside a value. */
function placesIn(value: Value, found: Place[] = []): Place[] {
  if (typeof value !== "object" || value === null || found.length > 60) return found;
  for (const [key, inside] of Object.entries(value)) {
    found.push({ owner: value, key });
    placesIn(inside, found);
  }
  return found;
}

/** Mutates one member of a message in place. */
export function spoil(random: Random, message: Draft): void {
  const places = placesIn(message);
  const { owner, key } = places.length > 0 ? random.pick(places) : { owner: message, key: "new" };
  if (Array.isArray(owner)) {
    owner.splice(random.below(owner.length + 1), random.below(2), oddValue(random));
    return;
  }
  const value = owner[key] ?? null;
  switch (random.below(7)) {
    case 0:
      delete owner[key];
      return;
    case 1:
      delete owner[key];
      put(owner, random.pick(oddKeys), value);
      return;
    case 2:
    case 3:
      owner[key] = oddValue(random);
      return;
    case 4:
      owner[key] = JSON.stringify(value);
      return;
    case 5:
      owner[key] = [value];
      return;
    default:
      put(owner, random.pick(oddKeys), oddValue(random));
  }
}

/** Sets a member, also one named `__proto__`. */
function put(owner: Draft, key: string, value: Value): void {
  Object.defineProperty(owner, key, { value, enumerable: true, configurable: true, writable: true });
}

const scraps = [
  "{",
  "}",
  "[",
  "]",
  '"',
  ",",
  ":",
  "\\",
  "\\u",
  "\\ud800",
  "1e999",
  "-",
  "0",
  "nul",
  "\u{0}",
  "\t",
  "é",
  "\u{feff}",
  "//",
  " ",
];
const rawNumbers = [
  "12345678901234567890",
  "-12345678901234567890123",
  "1e400",
  "1.0",
  "-0",
  "1E2",
  "9007199254740993",
  "0.5",
];

/** Mutates the text itself. */
export function spoilText(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  switch (random.below(7)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(at);
    case 2:
      return text.slice(0, at) + random.pick(scraps) + text.slice(at);
    case 3:
      return text.slice(0, at) + text.slice(at + 1 + random.below(5));
    case 4: {
      const from = random.below(at + 1);
      return text.slice(0, at) + text.slice(from, at) + text.slice(at);
    }
    case 5:
      return text.replace(/"id":(?:\d+|"[^"]*")/, `"id":${random.pick(rawNumbers)}`);
    default:
      return text.replace(/\d+/, random.pick(rawNumbers));
  }
}

/** Text of any kind, rarely JSON. */
function garbage(random: Random): string {
  const parts = Array.from({ length: 1 + random.below(12) }, () => {
    return random.oneIn(2)
      ? random.pick(scraps)
      : String.fromCharCode(32 + random.below(random.oneIn(5) ? 60_000 : 90));
  });
  return parts.join("").replaceAll("\n", " ");
}

/** One message as text, valid or mutated; `number` makes its id unique. */
export function messageText(random: Random, number: number, isModern: boolean): string {
  if (random.oneIn(25)) return garbage(random);
  if (random.oneIn(25)) {
    const size = random.oneIn(10) ? 0 : random.oneIn(30) ? 101 : 1 + random.below(4);
    const texts = Array.from({ length: size }, (_, at) => single(random, `${number}/${at}`, isModern));
    return `[${texts.join(",")}]`;
  }
  return single(random, random.oneIn(3) ? `s${number}` : number, isModern);
}

function single(random: Random, id: Value, isModern: boolean): string {
  return spoilMessage(random, draft(random, random.oneIn(20) ? random.pick(oddIds) : id, isModern), isModern);
}

/** A message as text, unchanged or mutated anywhere. */
export function spoilMessage(random: Random, message: Draft, isModern: boolean): string {
  const level = random.below(10);
  // A third stays valid, and a third is mutated below the params, so that code after the first checks is reached too.
  const target = level < 3 ? undefined : level < 7 ? below(message) : message;
  const times = target === undefined ? 0 : 1 + random.below(3);
  for (let at = 0; at < times; at += 1) spoil(random, target as Draft);
  if (isModern && random.oneIn(30)) message["params"] = { ...modernMeta(), _meta: oddValue(random) };
  const text = JSON.stringify(message);
  return random.oneIn(12) ? spoilText(random, text).replaceAll("\n", " ") : text;
}

/** The arguments of a call, otherwise the params; the whole message if there is neither. */
function below(message: Draft): Draft {
  const { params } = message;
  if (typeof params !== "object" || params === null || Array.isArray(params)) return message;
  const given = params["arguments"];
  return typeof given === "object" && given !== null && !Array.isArray(given) ? given : params;
}
