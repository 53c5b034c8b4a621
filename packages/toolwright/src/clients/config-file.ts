import { isDeepStrictEqual } from "node:util";
import type { Json } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";
import type { Entry } from "./client.js";
import { mergeEntry } from "./entries.js";
import { CannotEdit, type Format, type FormatName, valueAt } from "./formats/format.js";

/** Loads a format. */
export async function openFormat(name: FormatName): Promise<Format> {
  if (name === "json") return (await import("./formats/json.js")).JSON_FORMAT;
  if (name === "plain json" || name === "commented json")
    return (await import("./formats/json.js")).strictJson(name === "commented json");
  return name === "toml"
    ? (await import("./formats/toml.js")).TOML_FORMAT
    : (await import("./formats/yaml.js")).YAML_FORMAT;
}

/** Loads a format for reading or removing: it accepts comments and commas that the client rejects. */
export const openLeniently = (name: FormatName): Promise<Format> =>
  openFormat(name === "plain json" || name === "commented json" ? "json" : name);

/** Where a server is in a file. */
interface ServerLocation {
  readonly keys: readonly string[];
  readonly name: string;
}

/** Adds or updates a server in a text. Returns the same text if nothing changes. */
export function putServer(format: Format, text: string, { keys, name }: ServerLocation, wanted: Entry): string {
  const root = format.parse(text);
  const path = [...keys, name];
  const old = valueAt(root, path);
  const entry: Json = isObject(old) ? mergeEntry(old, wanted) : { ...wanted };
  if (isDeepStrictEqual(plain(old), plain(entry))) return text;
  const changed = format.put(text, path, entry);
  return checked(format, changed, withAt(plain(root), path, entry));
}

/** Removes a server from a text. Returns the same text if there is none with this name. */
export function removeServer(format: Format, text: string, { keys, name }: ServerLocation): string {
  const root = format.parse(text);
  const path = [...keys, name];
  if (valueAt(root, path) === undefined) return text;
  return checked(format, format.remove(text, path), withAt(plain(root), path, undefined));
}

/** Verifies an edit: parsing the new text must give the expected value. */
function checked(format: Format, text: string, wanted: unknown): string {
  let read: unknown;
  try {
    read = plain(format.parse(text));
  } catch {
    read = undefined;
  }
  if (isDeepStrictEqual(withoutEmpty(read), withoutEmpty(wanted))) return text;
  throw new CannotEdit("it cannot be edited without changing something else");
}

/** Converts to plain JSON, so that TOML tables and dates compare equal. */
const plain = (value: unknown): unknown =>
  value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);

function withAt(root: unknown, [key = "", ...rest]: readonly string[], value: unknown): unknown {
  const { [key]: old, ...others } = isObject(root) ? root : {};
  const inner = rest.length === 0 ? value : withAt(old, rest, value);
  return inner === undefined ? others : { ...others, [key]: plain(inner) };
}

/** Removes empty objects: in TOML a table disappears with its last member. */
function withoutEmpty(value: unknown): unknown {
  if (!isObject(value)) return value;
  const kept = Object.entries(value).map(([key, each]) => [key, withoutEmpty(each)] as const);
  return Object.fromEntries(kept.filter(([, each]) => !isObject(each) || Object.keys(each).length > 0));
}
