import type { Format, FormatName } from "./format.js";

/** Opens a format; nobody loads the others. */
export async function openFormat(name: FormatName): Promise<Format> {
  if (name === "json") return (await import("./json.js")).JSON_FORMAT;
  return name === "toml" ? (await import("./toml.js")).TOML_FORMAT : (await import("./yaml.js")).YAML_FORMAT;
}

/** What stands where a path leads in a value; undefined = nothing. */
export function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, key)
        ? (value as Readonly<Record<string, unknown>>)[key]
        : undefined,
    root,
  );
}
