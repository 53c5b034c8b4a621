import type { Config } from "../config/config.js";

const PLACES = [
  ["file", "file"],
  ["environment", "environment"],
  ["flag", "flags"],
] as const;

/** What was read and from where, for people. */
export function describeCheck(config: Config): string {
  const rows = PLACES.flatMap(([from, label]): [string, string][] => {
    const given = [...config.entries].filter(([, { source }]) => source.from === from);
    if (from === "file")
      return config.file === undefined ? [] : [[label, `${config.file} (${settings(given.length)})`]];
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

const settings = (count: number): string => (count === 1 ? "1 setting" : `${count} settings`);
