import { type Body, slicesOf } from "./body.js";
import { type JsonKind, JsonScan, type JsonVisitor } from "./json-scan.js";

const MOST_KEYS = 24;
const LONGEST_NAME = 64;
const LONGEST_SHAPE = 2000;
/** So many objects deep; what a list holds is on the level of the list. */
const LEVELS = 2;
const DEEPEST = 8;

interface Part {
  readonly kind: JsonKind;
  readonly level: number;
  readonly at: number;
  readonly keys: (readonly [name: string, part: Part])[];
  /** What the first element of an array looks like. */
  first: Part | undefined;
  size: number;
}

/** What a JSON text holds, in a few words. */
export interface Shape {
  readonly words: string;
  /** A pointer to something inside, as an example. */
  readonly pointer: string;
}

/** The shape of a JSON text, two levels deep; undefined where the text is none. */
export async function shapeOf(body: Body): Promise<Shape | undefined> {
  const outline = new Outline();
  const scan = new JsonScan(outline);
  for await (const { bytes } of slicesOf(body)) {
    scan.push(bytes);
    if (!scan.isRight) return undefined;
  }
  scan.end();
  if (!scan.isWhole || outline.root === undefined) return undefined;
  const words = describe(outline.root);
  return {
    words: words.length <= LONGEST_SHAPE ? words : `${words.slice(0, LONGEST_SHAPE)}…`,
    pointer: pointerInto(outline.root),
  };
}

/** Notes the first keys of objects and the first element of arrays. */
class Outline implements JsonVisitor {
  root: Part | undefined;
  readonly #open: Part[] = [];

  enter(kind: JsonKind, at: number, name: string | number | undefined): boolean {
    const parent = this.#open.at(-1);
    const level = parent === undefined ? 0 : parent.level + (parent.kind === "object" ? 1 : 0);
    const part: Part = { kind, level, at, keys: [], first: undefined, size: 0 };
    let isNoted = true;
    if (parent === undefined) this.root = part;
    else if (typeof name === "string" && parent.keys.length < MOST_KEYS) parent.keys.push([name, part]);
    else if (name === 0) parent.first = part;
    else isNoted = false;
    this.#open.push(part);
    return isNoted && level < LEVELS && this.#open.length < DEEPEST;
  }

  leave(end: number, members: number): boolean {
    const part = this.#open.pop();
    if (part !== undefined) part.size = part.kind === "object" || part.kind === "array" ? members : end - part.at;
    return false;
  }
}

function describe({ kind, size, keys, first }: Part): string {
  if (kind === "string") return `string of ${size} bytes`;
  if (kind === "array") {
    if (size === 0) return "empty array";
    const each = first === undefined ? "" : `, the first: ${describe(first)}`;
    return `array of ${size}${each}`;
  }
  if (kind !== "object") return kind;
  if (size === 0) return "empty object";
  if (keys.length === 0) return `object with ${size} ${size === 1 ? "key" : "keys"}`;
  const named = keys.map(([name, value]) => `${shorten(name)}: ${describe(value)}`);
  const more = size > keys.length ? [`and ${size - keys.length} more keys`] : [];
  return `object {${[...named, ...more].join(", ")}}`;
}

const shorten = (name: string): string =>
  JSON.stringify(name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME)}…`);

/** A pointer that leads somewhere useful: to the first element of the largest part, where there is one. */
function pointerInto(root: Part): string {
  if (root.kind === "array") return "/0";
  const largest = root.keys
    .filter(([name]) => name.length <= LONGEST_NAME)
    .toSorted(([, left], [, right]) => right.size - left.size)
    .toSorted(([, left], [, right]) => Number(right.kind === "array") - Number(left.kind === "array"))[0];
  if (largest === undefined) return "";
  const [name, { kind, size }] = largest;
  return `/${escapeToken(name)}${kind === "array" && size > 0 ? "/0" : ""}`;
}

/** A key as a JSON pointer writes it (RFC 6901). */
export const escapeToken = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");
