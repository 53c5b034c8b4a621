import { OTHER_VARIABLES, PREFIX } from "./config.js";
import { keysByVariable, type Table } from "./setting.js";
import { checkValues, hintFor, type SettingValue, type SettingValues } from "./setting-values.js";

/** Reads the environment variables that are meant for us, by their prefix. */
export function readEnvironment(env: NodeJS.ProcessEnv, table: Table): SettingValues {
  const names = Object.keys(env).filter((name) => name.startsWith(PREFIX) && !OTHER_VARIABLES.includes(name));
  if (names.length === 0) return { values: [], faults: [] };
  const keys = keysByVariable(table);
  const values: SettingValue[] = [];
  const unknown: string[] = [];
  for (const name of names) {
    const key = keys.get(name);
    const setting = key === undefined ? undefined : table.get(key);
    if (key === undefined || setting === undefined) unknown.push(`${name} ${hint(name, keys)}`);
    else values.push({ key, value: setting.kind.parse(env[name] ?? ""), source: { from: "environment", at: name } });
  }
  const { values: right, faults } = checkValues(values, table);
  return { values: right, faults: [...unknown, ...faults] };
}

/** Without the prefix, which all of them share and which would make them all alike. */
function hint(name: string, keys: ReadonlyMap<string, string>): string {
  const known = [...keys.keys(), ...OTHER_VARIABLES].map((variable) => variable.slice(PREFIX.length));
  return hintFor(name.slice(PREFIX.length), known).replace("did you mean ", `did you mean ${PREFIX}`);
}
