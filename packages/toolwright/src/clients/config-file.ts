import { isDeepStrictEqual } from "node:util";
import type { Json } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";
import type { Entry } from "./client.js";
import { mergeEntry } from "./entries.js";
import { CannotEdit, type Format, type FormatName, valueAt } from "./formats/format.js";

/** Opens a format; nobody loads the others. */
export async function openFormat(name: FormatName): Promise<Format> {
  if (name === "json") return (await import("./formats/json.js")).JSON_FORMAT;
  if (name === "plain json" || name === "commented json")
    return (await import("./formats/json.js")).strictJson(name === "commented json");
  return name === "toml"
    ? (await import("./formats/toml.js")).TOML_FORMAT
    : (await import("./formats/yaml.js")).YAML_FORMAT;
}

/** The same for whoever only looks, or takes out: what the client itself would not read is no hindrance to that. */
export const openLeniently = (name: FormatName): Promise<Format> =>
  openFormat(name === "plain json" || name === "commented json" ? "json" : name);

/** Where in a file a server stands. */
interface Spot {
  readonly keys: readonly string[];
  readonly name: string;
}

/** The text with a server in it. The text itself comes back where the server is there already, just so. */
export function putServer(format: Format, text: string, { keys, name }: Spot, wanted: Entry): string {
  const root = format.parse(text);
  const path = [...keys, name];
  const old = valueAt(root, path);
  const entry: Json = isObject(old) ? mergeEntry(old, wanted) : { ...wanted };
  if (isDeepStrictEqual(plain(old), plain(entry))) return text;
  const changed = format.put(text, path, entry);
  return checked(format, changed, withAt(plain(root), path, entry));
}

/** The text without a server. The text itself comes back where there is none of that name. */
export function removeServer(format: Format, text: string, { keys, name }: Spot): string {
  const root = format.parse(text);
  const path = [...keys, name];
  if (valueAt(root, path) === undefined) return text;
  return checked(format, format.remove(text, path), withAt(plain(root), path, undefined));
}

/** An edit of text is trusted only where reading it again gives what was wanted and nothing else. */
function checked(format: Format, text: string, wanted: unknown): string {
  let read: unknown;
  try {
    read = plain(format.parse(text));
  } catch {
    read = undefined;
  }
  if (isDeepStrictEqual(withoutEmpty(read), withoutEmpty(wanted))) return text;
  throw new CannotEdit("it is written in a way that cannot be edited without changing something else");
}

/** Tables of TOML have no prototype, and dates have one: texts compare alike. */
const plain = (value: unknown): unknown =>
  value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);

function withAt(root: unknown, [key = "", ...rest]: readonly string[], value: unknown): unknown {
  const { [key]: old, ...others } = isObject(root) ? root : {};
  const inner = rest.length === 0 ? value : withAt(old, rest, value);
  return inner === undefined ? others : { ...others, [key]: plain(inner) };
}

/** In TOML a table goes with the last thing in it. */
function withoutEmpty(value: unknown): unknown {
  if (!isObject(value)) return value;
  const kept = Object.entries(value).map(([key, each]) => [key, withoutEmpty(each)] as const);
  return Object.fromEntries(kept.filter(([, each]) => !isObject(each) || Object.keys(each).length > 0));
}
