import { JsonSyntaxError, type Located, readJsonc } from "./jsonc.js";
import { fromFolder } from "./kind.js";
import type { Table } from "./setting.js";
import { hintFor, problemOf, type SettingValue, type SettingValues } from "./setting-values.js";

/** What a text is, and what people call the file that it was read from. */
interface TextOrigin {
  readonly from: "file" | "profile";
  readonly name: string;
}

/** Reads the text of a configuration file or a profile; `folder` is where it lies. */
export function readConfigText(text: string, origin: TextOrigin, folder: string, table: Table): SettingValues {
  const name = origin.from === "profile" ? `profile ${origin.name}` : origin.name;
  const values: SettingValue[] = [];
  const faults: string[] = [];
  try {
    const root = readJsonc(text);
    if (root.members) walk(root.members, "", { name, origin, table, values, faults });
    else faults.push(`${name}:${root.line} must be an object, such as { "http": { "listen": true } }`);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { values, faults: [`${name}:${error.line}:${error.column}: ${error.message}`] };
  }
  return { values: values.map((one) => inFolder(one, folder, table)), faults };
}

interface Walk {
  readonly name: string;
  readonly origin: TextOrigin;
  readonly table: Table;
  readonly values: SettingValue[];
  readonly faults: string[];
}

function walk(members: NonNullable<Located["members"]>, group: string, into: Walk): void {
  const seen = new Set<string>();
  for (const { name, ...located } of members) {
    const fault = seen.has(name) ? "is there twice" : read(name, located, group, into);
    if (fault !== undefined) into.faults.push(`${group}${name} in ${into.name}:${located.line} ${fault}`);
    seen.add(name);
  }
}

/** Reads one member; gives what is wrong with its name. */
function read(name: string, { value, line, members }: Located, group: string, into: Walk): string | undefined {
  const { table, origin } = into;
  const key = group + name;
  if (key === "$schema") return undefined;
  const setting = table.get(key);
  if (setting && name.includes(".")) return `must be an object in an object: ${nested(name)}`;
  if (setting) {
    const entry: SettingValue = { key, value, source: { from: origin.from, at: `${origin.name}:${line}` } };
    const fault = problemOf(entry, setting);
    if (fault === undefined) into.values.push(entry);
    else into.faults.push(fault);
    return undefined;
  }
  if (![...table.keys()].some((other) => other.startsWith(`${key}.`))) return hintInFile(name, group, table);
  if (members === undefined) return "must be an object";
  walk(members, `${key}.`, into);
  return undefined;
}

const nested = (name: string): string =>
  name.split(".").reduceRight((inside, part) => `{ ${JSON.stringify(part)}: ${inside} }`, "…");

/** The nearest name of the same object; else the first thing that has this name elsewhere. */
function hintInFile(name: string, group: string, table: Table): string {
  const inGroup = [...table.keys()].filter((key) => key.startsWith(group));
  const hint = hintFor(name, new Set(inGroup.map((key) => key.slice(group.length).split(".")[0] ?? "")));
  if (hint.endsWith("?")) return hint;
  const elsewhere = [...table.keys()].find((key) => `.${key}.`.includes(`.${name}.`));
  if (elsewhere === undefined) return hint;
  return `${hint}; did you mean ${`${elsewhere}.`.slice(0, `.${elsewhere}.`.indexOf(`.${name}.`) + name.length)}?`;
}

/** Paths in a file are relative to the folder of the file. */
const inFolder = (entry: SettingValue, folder: string, table: Table): SettingValue => ({
  ...entry,
  value: fromFolder(entry.value, folder, table.get(entry.key)?.kind ?? {}),
});
