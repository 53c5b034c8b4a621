import { check, type Given, hintFor, type Reading } from "./given.js";
import { type Setting, type Table, variableOf } from "./setting.js";

/** The option that gives any setting, as `KEY=VALUE`. */
export const SET_FLAG = "--set";

/** The values of each option of the command line, in the order in which they came; one without a value has an empty one. */
export type FlagValues = Readonly<Partial<Record<string, readonly string[]>>>;

/** Reads the options of the command line. */
export function readFlags(values: FlagValues, table: Table): Reading {
  const given: Given[] = [];
  const faults: string[] = [];
  for (const [key, setting] of table) {
    const texts = setting.flag === undefined ? undefined : values[setting.flag];
    if (texts && setting.flag !== undefined)
      given.push({ key, value: valueOf(texts, setting), source: { from: "flag", at: setting.flag } });
  }
  for (const text of values[SET_FLAG] ?? []) {
    const one = readSet(text, table);
    if (typeof one === "string") faults.push(one);
    else if (given.some(({ key }) => key === one.key)) faults.push(`${one.key} is given twice`);
    else given.push(one);
  }
  const { given: right, faults: wrong } = check(given, table);
  return { given: right, faults: [...faults, ...wrong] };
}

function valueOf(texts: readonly string[], { kind }: Setting): Given["value"] {
  if (kind.isSplit) return texts.flatMap((text) => kind.parse(text));
  if (kind.isList) return [...texts];
  const [text = ""] = texts;
  return text === "" && (kind.isSwitch || kind.isBare) ? true : kind.parse(text);
}

function readSet(text: string, table: Table): Given | string {
  const at = text.indexOf("=");
  const key = text.slice(0, at === -1 ? undefined : at);
  const setting = table.get(key);
  // Only the name is shown: the rest may be a secret that was meant for elsewhere.
  if (setting === undefined) return `${SET_FLAG} ${key} ${hintFor(key, table.keys())}`;
  if (setting.isSecret)
    return `${SET_FLAG} ${key} could be read by others in the list of processes; use ${variableOf(key, setting)}`;
  if (at === -1) return `${SET_FLAG} ${key} needs a value: ${SET_FLAG} ${key}=VALUE`;
  return { key, value: setting.kind.parse(text.slice(at + 1)), source: { from: "flag", at: `${SET_FLAG} ${key}` } };
}
