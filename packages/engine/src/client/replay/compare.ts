import { nestsDeeperThan } from "../../jsonrpc/depth.js";
import { isObject, type Json, type JsonObject } from "../../jsonrpc/json.js";

/** One thing that is not as it was. */
export interface Difference {
  /** Where it is, such as `content.0.text`; things in lists go by their names. */
  readonly path: string;
  /** Undefined = it was not there. */
  readonly recorded: Json | undefined;
  /** Undefined = it is not there. */
  readonly now: Json | undefined;
}

/** What nests deeper is compared as text. */
const DEEPEST = 300;
/** More than anybody reads. */
const MOST = 100;
/** What names a thing in a list. */
const NAMES = ["name", "uri", "uriTemplate"] as const;
/** What may be an id that is another each time; words and dates are none. */
const ID = /^(?!\d{4}-\d\d-\d\d)(?=\D*\d)[\w:/+=-]{8,}$/;

/** Finds what is not as it was, and learns which ids stand for which. */
export class Comparison {
  readonly #redacted: string;
  readonly #ignored: readonly RegExp[];
  readonly #ids = new Map<string, string>();
  #found: Difference[] = [];

  constructor(redacted: string, ignore: readonly string[]) {
    this.#redacted = redacted;
    this.#ignored = ignore.map(toPattern);
  }

  /** The differences between two values. */
  compare(recorded: Json | undefined, now: Json | undefined, path = ""): Difference[] {
    this.#found = [];
    this.#look(recorded, now, path);
    return this.#found;
  }

  /** A recorded value with the ids that stand now where others stood. */
  renew(value: Json): Json {
    if (typeof value === "string") return this.#ids.get(value) ?? value;
    if (Array.isArray(value)) return value.map((one) => this.renew(one));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.renew(one)]));
  }

  /** Something in it was taken out when it was recorded. */
  isRedacted(value: Json | undefined): boolean {
    if (typeof value === "string") return value.includes(this.#redacted);
    return (
      typeof value === "object" && value !== null && Object.values(value).some((one: Json) => this.isRedacted(one))
    );
  }

  isIgnored(path: string): boolean {
    return this.#ignored.some((pattern) => pattern.test(path));
  }

  #look(recorded: Json | undefined, now: Json | undefined, path: string): void {
    if (this.#found.length >= MOST || recorded === now) return;
    if (typeof recorded === "string" && typeof now === "string") this.#lookAtTexts(recorded, now, path);
    else if (recorded === this.#redacted || this.isIgnored(path)) this.#learn(recorded, now);
    else if (Array.isArray(recorded) && Array.isArray(now)) this.#lookAtLists(recorded, now, path);
    else if (isObject(recorded) && isObject(now)) this.#lookAtMembers(recorded, now, path);
    else this.#found.push({ path, recorded, now });
  }

  #lookAtTexts(recorded: string, now: string, path: string): void {
    if (this.#ids.get(recorded) === now || this.#fits(recorded, now)) return;
    const [before, after] = [structureOf(recorded), structureOf(now)];
    if (before !== undefined && after !== undefined && !this.isIgnored(path)) {
      this.#look(before, after, path);
      return;
    }
    this.#learn(recorded, now);
    if (!this.isIgnored(path)) this.#found.push({ path, recorded, now });
  }

  #lookAtLists(recorded: readonly Json[], now: readonly Json[], path: string): void {
    const [before, after] = [byName(recorded, this.#ids), byName(now)];
    if (before && after) {
      this.#lookAtMembers(before, after, path);
      return;
    }
    const length = Math.max(recorded.length, now.length);
    for (let at = 0; at < length; at += 1) this.#look(recorded[at], now[at], below(path, String(at)));
  }

  #lookAtMembers(recorded: JsonObject, now: JsonObject, path: string): void {
    for (const name of new Set([...Object.keys(recorded), ...Object.keys(now)])) {
      const before = Object.hasOwn(recorded, name) ? recorded[name] : undefined;
      this.#look(before, Object.hasOwn(now, name) ? now[name] : undefined, below(path, name));
    }
  }

  /** What was taken out when it was recorded may have been anything. */
  #fits(recorded: string, now: string): boolean {
    const pieces = recorded.split(this.#redacted);
    if (pieces.length === 1) return false;
    const [first = "", last = ""] = [pieces[0], pieces.at(-1)];
    if (!now.startsWith(first) || !now.endsWith(last)) return false;
    let at = first.length;
    for (const piece of pieces.slice(1, -1)) {
      const found = now.indexOf(piece, at);
      if (found === -1) return false;
      at = found + piece.length;
    }
    return at <= now.length - last.length;
  }

  /** What is ignored is looked through all the same, because what is sent later may name the ids in it. */
  #learn(recorded: Json | undefined, now: Json | undefined): void {
    if (typeof recorded === "string" && typeof now === "string") {
      const [before, after] = [structureOf(recorded), structureOf(now)];
      if (before !== undefined && after !== undefined) this.#learn(before, after);
      else if (ID.test(recorded) && ID.test(now)) this.#ids.set(recorded, now);
    } else if (typeof recorded === "object" && recorded !== null && typeof now === "object" && now !== null)
      for (const [name, one] of Object.entries(recorded)) this.#learn(one, (now as JsonObject)[name]);
  }
}

/** The structure that a text is the JSON of. */
function structureOf(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text) || nestsDeeperThan(text, DEEPEST)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The things of a list by their names, those that `ids` has for them, where each has one of its own. */
function byName(list: readonly Json[], ids?: ReadonlyMap<string, string>): JsonObject | undefined {
  const named = list.map((one): [string, Json] | undefined => {
    const name = isObject(one)
      ? NAMES.map((member) => one[member]).find((value) => typeof value === "string")
      : undefined;
    return name === undefined ? undefined : [ids?.get(name) ?? name, one];
  });
  if (!named.every((one) => one !== undefined)) return undefined;
  const things = Object.fromEntries(named);
  return Object.keys(things).length === list.length ? things : undefined;
}

const below = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);

/** `*` stands for one name, `**` for any number of them; what is below goes with it. */
function toPattern(path: string): RegExp {
  const pieces = path.split(/(\*\*\.|\.\*\*|\*\*|\*)/).map((piece) => {
    if (piece === "**.") return "(?:.*\\.)?";
    if (piece === ".**") return "(?:\\..*)?";
    if (piece === "**") return ".*";
    return piece === "*" ? "[^.]+" : piece.replaceAll(/[\\^$.|?+()[\]{}/-]/g, "\\$&");
  });
  return new RegExp(`^${pieces.join("")}(?:\\..*)?$`, "s");
}
