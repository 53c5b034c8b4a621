import { ToolError } from "../../protocol/outcome.js";
import { nearest } from "../../schema/nearest.js";
import { type Body, slicesOf } from "./body.js";
import { type JsonKind, JsonScan, type JsonVisitor } from "./json-scan.js";
import { escapeToken } from "./shape.js";

const MOST_KEYS = 1000;
const SHOWN_KEYS = 20;

/** Where a value lies in a JSON text. */
export interface Found {
  readonly kind: JsonKind;
  readonly from: number;
  readonly to: number;
  /** Members of an object or an array. */
  readonly members: number;
}

/** Finds the value to which a JSON pointer (RFC 6901) leads. Throws `ToolError` that says how far it leads and what is there. */
export async function findPointer(body: Body, pointer: string): Promise<Found> {
  const walk = new Walk(readPointer(pointer));
  const scan = new JsonScan(walk);
  for await (const { bytes } of slicesOf(body)) {
    scan.push(bytes);
    if (scan.isDone || !scan.isRight) break;
  }
  scan.end();
  if (walk.found !== undefined) return walk.found;
  throw walk.lost === undefined ? notJson() : new ToolError(walk.lost, { code: "INVALID_ARGUMENTS" });
}

/** A pointer leads nowhere in a text that is not JSON. */
export const notJson = (): ToolError =>
  new ToolError("The result is not JSON: read it by lines or bytes, or search in it.", { code: "INVALID_ARGUMENTS" });

function readPointer(pointer: string): string[] {
  if (pointer === "") return [];
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) {
    const meant = `/${pointer
      .replace(/^[$#]?[./]?/, "")
      .replaceAll(/[.[\]]+/g, "/")
      .replace(/\/$/, "")}`;
    const form = 'A pointer is "" or begins with "/"; in a key, "~" is written "~0" and "/" is written "~1".';
    throw new ToolError(
      `The pointer ${JSON.stringify(pointer)} is not right. ${form} Did you mean ${JSON.stringify(meant)}?`,
      {
        code: "INVALID_ARGUMENTS",
      },
    );
  }
  return pointer
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Follows the one path that a pointer names. */
class Walk implements JsonVisitor {
  found: Found | undefined;
  /** Why nothing was found. */
  lost: string | undefined;
  readonly #tokens: readonly string[];
  /** How many tokens have led to a value. */
  #matched = 0;
  readonly #open: {
    readonly kind: JsonKind;
    readonly at: number;
    readonly isOnPath: boolean;
    readonly keys: string[];
  }[] = [];

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  enter(kind: JsonKind, at: number, name: string | number | undefined): boolean {
    const parent = this.#open.at(-1);
    // Only members of what lies on the path are told.
    const isOnPath = parent === undefined || String(name) === this.#wanted;
    if (parent !== undefined && isOnPath) this.#matched += 1;
    if (typeof name === "string" && parent !== undefined && parent.keys.length < MOST_KEYS) parent.keys.push(name);
    this.#open.push({ kind, at, isOnPath, keys: [] });
    return isOnPath && this.#matched < this.#tokens.length;
  }

  leave(end: number, members: number): boolean {
    const part = this.#open.pop();
    if (part === undefined || !part.isOnPath) return false;
    const { kind, at: from, keys } = part;
    // The path goes no further than this value: it is the one, or the rest of the pointer leads nowhere.
    if (this.#matched === this.#tokens.length) this.found = { kind, from, to: end, members };
    else this.lost = this.#explain(kind, members, keys);
    return true;
  }

  get #wanted(): string {
    return this.#tokens[this.#matched] as string;
  }

  #explain(kind: JsonKind, members: number, keys: readonly string[]): string {
    const before = this.#tokens.slice(0, this.#matched).map((token) => `/${escapeToken(token)}`);
    const path = before.join("");
    const where = path === "" ? "The whole" : `What is at ${JSON.stringify(path)}`;
    const wanted = JSON.stringify(this.#wanted);
    if (kind === "array") {
      const range = members === 0 ? "is empty" : `has elements 0 to ${members - 1}`;
      return `${where} is an array and ${range}; there is no ${wanted} in it.`;
    }
    if (kind !== "object")
      return `${where} is a ${kind}: the pointer cannot lead into it. Use ${JSON.stringify(path)}.`;
    const near = nearest(this.#wanted, keys);
    if (near !== undefined)
      return `${where} has no key ${wanted}. Did you mean ${JSON.stringify(`${path}/${escapeToken(near)}`)}?`;
    const shown = keys.slice(0, SHOWN_KEYS).map((key) => JSON.stringify(key.slice(0, 64)));
    const more = members > shown.length ? `, and ${members - shown.length} more` : "";
    return `${where} has no key ${wanted}. ${members === 0 ? "It is an empty object." : `It has ${shown.join(", ")}${more}.`}`;
  }
}
