import { type Draft, draft, modernMeta, type Value } from "./corpus.js";
import type { Dice } from "./dice.js";

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

/** A value that belongs nowhere. */
function oddValue(dice: Dice): Value {
  switch (dice.roll(9)) {
    case 0:
      return null;
    case 1:
      return dice.oneIn(2);
    case 2:
      return [];
    case 3:
      return {};
    case 4:
      return nested(dice.pick([3, 60, 300, 2000]), dice.oneIn(2));
    case 5:
      return [dice.pick(oddTexts), dice.pick(oddNumbers), null];
    case 6:
      return { [dice.pick(oddKeys)]: dice.pick(oddTexts), more: 1 };
    case 7:
      return dice.pick(oddNumbers);
    default:
      return dice.pick(oddTexts);
  }
}

function nested(depth: number, isList: boolean): Value {
  let value: Value = 1;
  for (let level = 0; level < depth; level += 1) value = isList ? [value] : { a: value };
  return value;
}

type Place = { owner: Draft | Value[]; key: string };

/** Every member of every object and list inside a value. */
function placesIn(value: Value, found: Place[] = []): Place[] {
  if (typeof value !== "object" || value === null || found.length > 60) return found;
  for (const [key, inside] of Object.entries(value)) {
    found.push({ owner: value, key });
    placesIn(inside, found);
  }
  return found;
}

/** Spoils one member of a message, in place. */
export function spoil(dice: Dice, message: Draft): void {
  const places = placesIn(message);
  const { owner, key } = places.length > 0 ? dice.pick(places) : { owner: message, key: "new" };
  if (Array.isArray(owner)) {
    owner.splice(dice.roll(owner.length + 1), dice.roll(2), oddValue(dice));
    return;
  }
  const value = owner[key] ?? null;
  switch (dice.roll(7)) {
    case 0:
      delete owner[key];
      return;
    case 1:
      delete owner[key];
      put(owner, dice.pick(oddKeys), value);
      return;
    case 2:
    case 3:
      owner[key] = oddValue(dice);
      return;
    case 4:
      owner[key] = JSON.stringify(value);
      return;
    case 5:
      owner[key] = [value];
      return;
    default:
      put(owner, dice.pick(oddKeys), oddValue(dice));
  }
}

/** Puts a member in place, also one that is called `__proto__`. */
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

/** Spoils the text itself. */
export function spoilText(dice: Dice, text: string): string {
  const at = dice.roll(text.length + 1);
  switch (dice.roll(7)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(at);
    case 2:
      return text.slice(0, at) + dice.pick(scraps) + text.slice(at);
    case 3:
      return text.slice(0, at) + text.slice(at + 1 + dice.roll(5));
    case 4: {
      const from = dice.roll(at + 1);
      return text.slice(0, at) + text.slice(from, at) + text.slice(at);
    }
    case 5:
      return text.replace(/"id":(?:\d+|"[^"]*")/, `"id":${dice.pick(rawNumbers)}`);
    default:
      return text.replace(/\d+/, dice.pick(rawNumbers));
  }
}

/** Text of any kind, hardly ever JSON. */
function garbage(dice: Dice): string {
  const parts = Array.from({ length: 1 + dice.roll(12) }, () => {
    return dice.oneIn(2) ? dice.pick(scraps) : String.fromCharCode(32 + dice.roll(dice.oneIn(5) ? 60_000 : 90));
  });
  return parts.join("").replaceAll("\n", " ");
}

/** One message as text, valid or spoilt; `number` makes its id its own. */
export function messageText(dice: Dice, number: number, isModern: boolean): string {
  if (dice.oneIn(25)) return garbage(dice);
  if (dice.oneIn(25)) {
    const size = dice.oneIn(10) ? 0 : dice.oneIn(30) ? 101 : 1 + dice.roll(4);
    const texts = Array.from({ length: size }, (_, at) => single(dice, `${number}/${at}`, isModern));
    return `[${texts.join(",")}]`;
  }
  return single(dice, dice.oneIn(3) ? `s${number}` : number, isModern);
}

function single(dice: Dice, id: Value, isModern: boolean): string {
  return spoilMessage(dice, draft(dice, dice.oneIn(20) ? dice.pick(oddIds) : id, isModern), isModern);
}

/** A message as text, left whole or spoilt in any part of it. */
export function spoilMessage(dice: Dice, message: Draft, isModern: boolean): string {
  const level = dice.roll(10);
  // A third is left whole, a third is spoilt below the params, so that what lies behind the first checks is reached too.
  const target = level < 3 ? undefined : level < 7 ? below(message) : message;
  const times = target === undefined ? 0 : 1 + dice.roll(3);
  for (let at = 0; at < times; at += 1) spoil(dice, target as Draft);
  if (isModern && dice.oneIn(30)) message["params"] = { ...modernMeta(), _meta: oddValue(dice) };
  const text = JSON.stringify(message);
  return dice.oneIn(12) ? spoilText(dice, text).replaceAll("\n", " ") : text;
}

/** The arguments of a call, else the params; the whole message where there is neither. */
function below(message: Draft): Draft {
  const { params } = message;
  if (typeof params !== "object" || params === null || Array.isArray(params)) return message;
  const given = params["arguments"];
  return typeof given === "object" && given !== null && !Array.isArray(given) ? given : params;
}
