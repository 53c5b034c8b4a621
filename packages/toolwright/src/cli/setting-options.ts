import type { OptionSpec, ParsedCommandLine } from "@toolwright/kit/cli";
import { FILE_FLAGS } from "../config/load.js";
import { type FlagValues, SET_FLAG } from "../config/read-flags.js";
import type { Setting } from "../config/setting.js";
import { createTable } from "../config/settings.js";

/** The headings of the help, by the first words of a setting's key. */
const GROUPS: readonly (readonly [title: string, keys: RegExp])[] = [
  ["Transports", /^(?:stdio|http\.listen|http\.sse|ws|socket)$/],
  ["Access over HTTP and WebSocket", /^(?:auth|http\.allowed)/],
  ["HTTP and WebSocket", /^http\./],
  ["Files that tools can use", /^files\./],
  ["Tools that are listed", /^tools\./],
  ["Logs and metrics", /^(?:log|metrics|audit|record)/],
];

const camelCase = (flag: string): string =>
  flag.replace(/^--/, "").replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

const FILE_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  [camelCase(FILE_FLAGS.file)]: {
    type: "string",
    placeholder: "FILE",
    complete: "file",
    description: "The configuration file. By default toolwright.config.json or .jsonc in the current folder.",
  },
  [camelCase(FILE_FLAGS.none)]: {
    type: "boolean",
    description: "Ignore configuration files.",
    conflictsWith: [camelCase(FILE_FLAGS.file)],
  },
  [camelCase(SET_FLAG)]: {
    type: "string",
    placeholder: "KEY=VALUE",
    multiple: true,
    description: 'Any setting by its key, such as limits.callTimeoutMs=60000. "toolwright config show" lists them.',
  },
};

/** The options of `serve`: one for each setting that has a flag. Values stay text; the configuration parses them. */
export const SETTING_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  ...Object.fromEntries(
    [...createTable([])].flatMap(([key, setting]) =>
      setting.flag === undefined ? [] : [[camelCase(setting.flag), optionOf(key, setting)]],
    ),
  ),
  ...FILE_OPTIONS,
};

function optionOf(key: string, setting: Setting): OptionSpec {
  const { kind, about } = setting;
  const group = GROUPS.find(([, keys]) => keys.test(key))?.[0];
  const choices = kind.schema["enum"] as readonly string[] | undefined;
  return {
    type: kind.isSwitch ? "boolean" : "string",
    description: toSentence(about),
    ...(group !== undefined && { group }),
    ...(!kind.isSwitch && { placeholder: placeholderFor(kind.name, choices) + (kind.isSplit ? ",..." : "") }),
    ...(choices !== undefined && { choices }),
    ...(kind.isBare && { implied: "true" }),
    ...(kind.isList && { multiple: true }),
    ...(kind.isPath && { complete: kind.name === "a folder" ? "folder" : "file" }),
    ...(typeof setting.default === "string" && { shownDefault: setting.default }),
    ...(setting.unset !== undefined && setting.unset !== "default" && { shownDefault: setting.unset }),
  };
}

/** Code with a space is quoted, as other commands are in help. */
function toSentence(about: string): string {
  return `${about.charAt(0).toUpperCase()}${about.slice(1)}.`
    .replaceAll(/`([^`]* [^`]*)`/g, '"$1"')
    .replaceAll("`", "");
}

/** `a folder` → `FOLDER`, `HOST:PORT` → `HOST:PORT`. */
function placeholderFor(name: string, choices: readonly string[] | undefined): string {
  if (choices !== undefined) return choices.length > 2 ? "LEVEL" : choices.join("|");
  return (/^an? (\w+)/.exec(name)?.[1] ?? name).toUpperCase();
}

/** Some of these options, under another heading. */
export const pickSettingOptions = (keys: readonly string[], group = "Options"): Readonly<Record<string, OptionSpec>> =>
  Object.fromEntries(
    keys.flatMap((key) => (SETTING_OPTIONS[key] === undefined ? [] : [[key, { ...SETTING_OPTIONS[key], group }]])),
  );

/** The values of these options as the configuration reads them. */
export function toFlagValues(input: ParsedCommandLine["input"]): FlagValues {
  const flags = Object.keys(SETTING_OPTIONS).flatMap((key): [string, readonly string[]][] => {
    const value = input[key];
    const flag = `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === true) return [[flag, [""]]];
    if (Array.isArray(value)) return value.length > 0 ? [[flag, value as string[]]] : [];
    return typeof value === "string" ? [[flag, [value]]] : [];
  });
  return Object.fromEntries(flags);
}
