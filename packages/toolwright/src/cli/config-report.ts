import type { Json, JsonObject } from "@toolwright/engine";
import { createRedaction } from "@toolwright/engine/observability";
import { showValue } from "@toolwright/kit/cli";
import type { Config, Entry } from "../config/config.js";
import { PROFILE_KEY } from "../config/settings.js";
import { readRedact } from "./live-log.js";

const PLACES = [
  ["profile", "profile"],
  ["file", "file"],
  ["environment", "environment"],
  ["flag", "flags"],
] as const;

/** What was read and from where, for people. */
export function describeCheck(config: Config): string {
  const rows = PLACES.flatMap(([from, label]): [string, string][] => {
    const given = [...config.entries].filter(([, { source }]) => source.from === from);
    if (from === "profile")
      return given.length === 0 ? [] : [[label, `${shownProfile(config)} (${countSettings(given.length)})`]];
    if (from === "file")
      return config.file === undefined ? [] : [[label, `${config.file} (${countSettings(given.length)})`]];
    return given.length === 0 ? [] : [[label, given.map(([, { source }]) => source.at).join(", ")]];
  });
  const width = Math.max(0, ...rows.map(([label]) => label.length));
  const lines = rows.map(([label, text]) => `  ${label.padEnd(width)}  ${text}`);
  return lines.length === 0
    ? "The configuration is right: all is as it is by default."
    : ["The configuration is right. It comes from", ...lines].join("\n");
}

/** All that is wrong, a line each. */
export function describeFaults(faults: readonly string[]): string {
  return faults.length === 1
    ? `The configuration is wrong: ${faults[0]}`
    : ["The configuration is wrong:", ...faults].join("\n  ");
}

const shownProfile = ({ entries }: Config): string => showValue(entries.get(PROFILE_KEY)?.value ?? "");

const countSettings = (count: number): string => (count === 1 ? "1 setting" : `${count} settings`);

/** What stands in place of a secret. */
const MASK = "****";
/** A longer value moves what follows it, and not what stands above and below. */
const WIDEST = 36;

/** The configuration for people: a line for each setting, with where its value comes from. */
export function showConfig(config: Config): string {
  const rows = maskedEntries(config).map(([key, { value, source }]) => [
    key,
    value === undefined ? shownUnset(config, key) : shownValue(value),
    source.from === "default" ? "default" : `${source.from} ${source.at}`,
  ]);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => Math.min(row[column]?.length ?? 0, WIDEST))));
  return [
    config.file === undefined ? "There is no configuration file." : `The configuration file is ${config.file}`,
    "",
    ...rows.map(([key = "", value = "", source = ""]) =>
      `${key.padEnd(widths[0] ?? 0)}  ${value.padEnd(widths[1] ?? 0)}  ${source}`.trimEnd(),
    ),
  ].join("\n");
}

/** The configuration for programs. */
export function writeConfig(config: Config): JsonObject {
  const settings = maskedEntries(config).map(([key, { value, source }]): [string, JsonObject] => [
    key,
    { value: value ?? null, source: source.from, ...(source.at !== "" && { at: source.at }) },
  ]);
  return { file: config.file ?? null, settings: Object.fromEntries(settings) };
}

/** Every setting, without secrets: also those in the settings of packs, and passwords in addresses. */
function maskedEntries(config: Config): [key: string, entry: Entry][] {
  const redaction = createRedaction(readRedact(config));
  const masked = (value: Json): Json =>
    typeof value === "string" ? redaction.text(value) : (JSON.parse(redaction.json(value)) as Json);
  return [...config.entries].map(([key, { value, source }]) => {
    if (value === undefined || source.from === "default") return [key, { value, source }];
    return [key, { value: config.table.get(key)?.isSecret ? MASK : masked(value), source }];
  });
}

function shownUnset({ table }: Config, key: string): string {
  const unset = table.get(key)?.unset;
  return unset === undefined ? "-" : `(${unset})`;
}

function shownValue(value: Json): string {
  if (!Array.isArray(value)) return showValue(value);
  return value.length === 0 ? "-" : value.map(showValue).join(", ");
}
