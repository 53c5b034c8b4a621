import { type Setting, type Table, variableOf } from "./setting.js";
import { checkValues, hintFor, type SettingValue, type SettingValues } from "./setting-values.js";

/** The option that gives any setting, as `KEY=VALUE`. */
export const SET_FLAG = "--set";

/** The values of each option of the command line, in the order in which they came; one without a value has an empty one. */
export type FlagValues = Readonly<Partial<Record<string, readonly string[]>>>;

/** Reads the options of the command line. */
export function readFlags(flags: FlagValues, table: Table): SettingValues {
  const values: SettingValue[] = [];
  const faults: string[] = [];
  for (const [key, setting] of table) {
    const texts = setting.flag === undefined ? undefined : flags[setting.flag];
    if (texts && setting.flag !== undefined)
      values.push({ key, value: valueOf(texts, setting), source: { from: "flag", at: setting.flag } });
  }
  for (const text of flags[SET_FLAG] ?? []) {
    const one = readSet(text, table);
    if (typeof one === "string") faults.push(one);
    else if (values.some(({ key }) => key === one.key)) faults.push(`${one.key} is given twice`);
    else values.push(one);
  }
  const { values: right, faults: wrong } = checkValues(values, table);
  return { values: right, faults: [...faults, ...wrong] };
}

function valueOf(texts: readonly string[], { kind }: Setting): SettingValue["value"] {
  if (kind.isSplit) return texts.flatMap((text) => kind.parse(text));
  if (kind.isList) return [...texts];
  const [text = ""] = texts;
  return text === "" && (kind.isSwitch || kind.isBare) ? true : kind.parse(text);
}

function readSet(text: string, table: Table): SettingValue | string {
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
