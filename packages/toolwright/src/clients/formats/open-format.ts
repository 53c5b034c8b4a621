import type { Format, FormatName } from "./format.js";

/** Opens a format; nobody loads the others. */
export async function openFormat(name: FormatName): Promise<Format> {
  if (name === "json") return (await import("./json.js")).JSON_FORMAT;
  if (name === "plain json" || name === "commented json")
    return (await import("./strict-json.js")).strictJson(name === "commented json");
  return name === "toml" ? (await import("./toml.js")).TOML_FORMAT : (await import("./yaml.js")).YAML_FORMAT;
}

/** The same for whoever only looks, or takes out: what the client itself would not read is no hindrance to that. */
export const openLeniently = (name: FormatName): Promise<Format> =>
  openFormat(name === "plain json" || name === "commented json" ? "json" : name);
