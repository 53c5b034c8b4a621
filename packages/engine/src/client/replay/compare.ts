import { isObject, type Json, type JsonObject } from "../../jsonrpc/messages.js";
import { objectOrEmpty } from "../errors.js";
import { parseJsonText } from "./recording.js";
import type { Difference } from "./replay.js";

const MAX_DIFFERENCES = 100;
/** The members that identify an item of a list. */
const NAME_MEMBERS = ["name", "uri", "uriTemplate"] as const;
/** Matches generated ids, and neither words nor dates. */
const GENERATED_ID = /^(?!\d{4}-\d\d-\d\d)(?=\D*\d)[\w:/+=-]{8,}$/;

/** Compares values with a recording, and learns which generated ids correspond. */
export class Comparison {
  readonly #redacted: string;
  readonly #ignorePatterns: readonly RegExp[];
  /** Actual ids by recorded id. */
  readonly #idMapping = new Map<string, string>();
  #differences: Difference[] = [];

  constructor(redacted: string, ignore: readonly string[]) {
    this.#redacted = redacted;
    this.#ignorePatterns = ignore.map(pathPattern);
  }

  /** Returns the differences between two values. */
  compare(recorded: Json | undefined, actual: Json | undefined, path = ""): Difference[] {
    this.#differences = [];
    this.#compareValues(recorded, actual, path);
    return this.#differences;
  }

  /** Notes that a recorded id or cursor corresponds to an actual one. */
  mapId(recorded: Json | undefined, actual: Json | undefined): void {
    if (typeof recorded === "string" && typeof actual === "string") this.#idMapping.set(recorded, actual);
  }

  /** Replaces recorded ids by the actual ones. */
  replaceIds(value: Json): Json {
    if (typeof value === "string") return this.#idMapping.get(value) ?? value;
    if (Array.isArray(value)) return value.map((item) => this.replaceIds(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.replaceIds(item)]));
  }

  /** Whether the recording redacted a part of the value. */
  isRedacted(value: Json | undefined): boolean {
    if (typeof value === "string") return value.includes(this.#redacted);
    return (
      typeof value === "object" && value !== null && Object.values(value).some((item: Json) => this.isRedacted(item))
    );
  }

  /** Whether the path matches a pattern of the option `ignore`. */
  isIgnored(path: string): boolean {
    return this.#ignorePatterns.some((pattern) => pattern.test(path));
  }

  #compareValues(recorded: Json | undefined, actual: Json | undefined, path: string): void {
    if (this.#differences.length >= MAX_DIFFERENCES || recorded === actual) return;
    if (typeof recorded === "string" && typeof actual === "string") this.#compareStrings(recorded, actual, path);
    else if (recorded === this.#redacted || this.isIgnored(path)) this.#learnIds(recorded, actual);
    else if (Array.isArray(recorded) && Array.isArray(actual)) this.#compareArrays(recorded, actual, path);
    else if (isObject(recorded) && isObject(actual)) this.#compareObjects(recorded, actual, path);
    else this.#differences.push({ path, recorded, actual });
  }

  #compareStrings(recorded: string, actual: string, path: string): void {
    if (this.#idMapping.get(recorded) === actual || this.#matchesRedacted(recorded, actual)) return;
    if (this.isIgnored(path)) return this.#learnIds(recorded, actual);
    const pair = parseBoth(recorded, actual);
    if (pair) return this.#compareValues(...pair, path);
    this.#learnIds(recorded, actual);
    this.#differences.push({ path, recorded, actual });
  }

  #compareArrays(recorded: readonly Json[], actual: readonly Json[], path: string): void {
    const [before, after] = [indexByName(recorded, this.#idMapping), indexByName(actual)];
    if (before && after) return this.#compareObjects(before, after, path);
    const length = Math.max(recorded.length, actual.length);
    for (let index = 0; index < length; index += 1)
      this.#compareValues(recorded[index], actual[index], joinPath(path, String(index)));
  }

  #compareObjects(recorded: JsonObject, actual: JsonObject, path: string): void {
    for (const name of new Set([...Object.keys(recorded), ...Object.keys(actual)])) {
      const before = Object.hasOwn(recorded, name) ? recorded[name] : undefined;
      this.#compareValues(before, Object.hasOwn(actual, name) ? actual[name] : undefined, joinPath(path, name));
    }
  }

  /** Whether the strings are equal if each placeholder stands for any text. */
  #matchesRedacted(recorded: string, actual: string): boolean {
    const [first = "", ...pieces] = recorded.split(this.#redacted);
    const last = pieces.pop();
    if (last === undefined || !actual.startsWith(first) || !actual.endsWith(last)) return false;
    let at = first.length;
    for (const piece of pieces) {
      const found = actual.indexOf(piece, at);
      if (found === -1) return false;
      at = found + piece.length;
    }
    return at <= actual.length - last.length;
  }

  /** Learns from ignored values too, because later requests may contain the ids in them. */
  #learnIds(recorded: Json | undefined, actual: Json | undefined): void {
    if (typeof recorded === "string" && typeof actual === "string") {
      const pair = parseBoth(recorded, actual);
      if (pair) this.#learnIds(...pair);
      else if (GENERATED_ID.test(recorded) && GENERATED_ID.test(actual)) this.mapId(recorded, actual);
    } else if (typeof recorded === "object" && recorded !== null && typeof actual === "object" && actual !== null)
      for (const [name, item] of Object.entries(recorded)) this.#learnIds(item, (actual as JsonObject)[name]);
  }
}

/** Parses two strings that both contain a JSON object or array. */
function parseBoth(...texts: [recorded: string, actual: string]): [Json, Json] | undefined {
  const [recorded, actual] = texts.map((text) => (/^\s*[[{]/.test(text) ? parseJsonText(text) : undefined));
  return recorded === undefined || actual === undefined ? undefined : [recorded, actual];
}

/** Returns the items of a list by name, if each has its own. `ids` maps recorded names to actual ones. */
function indexByName(list: readonly Json[], ids?: ReadonlyMap<string, string>): JsonObject | undefined {
  const named = list.flatMap((item): [string, Json][] => {
    const members = NAME_MEMBERS.map((member) => objectOrEmpty(item)[member]);
    const name = members.find((value) => typeof value === "string");
    return name === undefined ? [] : [[ids?.get(name) ?? name, item]];
  });
  const indexed = Object.fromEntries(named);
  return Object.keys(indexed).length === list.length ? indexed : undefined;
}

const joinPath = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);

/** Converts a path to a pattern: `*` matches one name, `**` any number. Everything below a path matches too. */
function pathPattern(path: string): RegExp {
  const pieces = path.split(/(\*\*\.|\.\*\*|\*\*|\*)/).map((piece) => {
    if (piece === "**.") return "(?:.*\\.)?";
    if (piece === ".**") return "(?:\\..*)?";
    if (piece === "**") return ".*";
    return piece === "*" ? "[^.]+" : piece.replaceAll(/[\\^$.|?+()[\]{}/-]/g, "\\$&");
  });
  return new RegExp(`^${pieces.join("")}(?:\\..*)?$`, "s");
}
