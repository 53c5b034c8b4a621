import { nearest } from "../text/index.js";
import { type ArgumentSpec, type Command, findCommand, flagOf, type OptionSpec, placeholderOf } from "./command.js";
import { UsageError } from "./errors.js";

/** A parsed command line. */
export interface ParsedCommandLine {
  /** The command or subcommand that it names. */
  readonly command: Command;
  /** Its names, such as `["task", "add"]`. */
  readonly path: readonly string[];
  /** The values of its arguments and options. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly wantsHelp: boolean;
  /** Whether anything but `--help` follows the name. */
  readonly hasInput: boolean;
  /** What is wrong with it; empty if it is valid. */
  readonly problems: readonly string[];
}

/** Parses the words after a command's name. Throws `UsageError` for a subcommand that does not exist. */
export function parseCommandLine(root: Command, argv: readonly string[]): ParsedCommandLine {
  let command = root;
  const path = [root.name];
  let rest = argv;
  while (command.subcommands.length > 0) {
    const [word, ...after] = rest;
    if (word === "--help" || word === "-h") return { ...NOTHING, command, path, wantsHelp: true };
    const found = word === undefined ? undefined : findCommand(command.subcommands, word);
    if (found === undefined) {
      if (command.run !== undefined) break;
      throw new UsageError(describeMissing(command, path, word), path.join(" "));
    }
    command = found;
    path.push(found.name);
    rest = after;
  }
  return { command, path, ...parseInput(command, rest) };
}

const NOTHING = { input: {}, hasInput: false, problems: [] };

function describeMissing({ subcommands }: Command, path: readonly string[], word: string | undefined): string {
  const names = subcommands.filter(({ hidden }) => !hidden).map(({ name }) => name);
  if (word === undefined) return `${path.join(" ")} needs a subcommand: ${orList(names)}`;
  const all = subcommands.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  return `Unknown command "${[...path, word].join(" ")}"${suggestion(word, all)}`;
}

/** Parses the words after the last subcommand. */
function parseInput(command: Command, argv: readonly string[]): Omit<ParsedCommandLine, "command" | "path"> {
  const problems: string[] = [];
  const end = argv.indexOf("--");
  const words = end === -1 ? [...argv] : argv.slice(0, end);
  const trailing = end === -1 ? undefined : argv.slice(end + 1);
  const positional: string[] = [];
  const values = new Map<string, unknown>();
  let wantsHelp = false;

  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === "--help" || word === "-h") wantsHelp = true;
    else if (!/^-./.test(word) || isNegativeNumber(word)) positional.push(word);
    else if (word.startsWith("--")) readLong(word);
    else readShort(word);
  }
  if (trailing !== undefined && command.trailing === undefined) positional.push(...trailing);
  problems.push(...findConflicts(command, values));
  const input = {
    ...readPositional(command, positional, problems),
    ...optionValues(command, values),
    ...(command.trailing !== undefined && { trailing }),
  };
  const hasInput = positional.length > 0 || values.size > 0 || trailing !== undefined;
  return { input, wantsHelp, hasInput, problems };

  function readLong(word: string): void {
    const [, flag = "", inline] = /^(--[^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    const found = Object.entries(command.options).find(([key]) => flagOf(key) === flag);
    if (found !== undefined) return readValue(found[0], found[1], flag, inline);
    // Only the name is shown: the rest may be a secret.
    const known = Object.entries(command.options).flatMap(([key, { hidden }]) =>
      hidden === true ? [] : [flagOf(key)],
    );
    problems.push(`Unknown option ${flag}${suggestion(flag, [...known, "--help"])}`);
    // The next word is most likely its value.
    if (inline === undefined && words[0] !== undefined && !words[0].startsWith("-")) words.shift();
  }

  /** `-q`, `-n 5`, `-n5`, or several such as `-qy`. */
  function readShort(word: string): void {
    for (let at = 1; at < word.length; at++) {
      const letter = word[at];
      const found = Object.entries(command.options).find(([, { short }]) => short === letter);
      if (found === undefined) {
        problems.push(`Unknown option -${letter}`);
        return;
      }
      const inline = found[1].type === "boolean" ? undefined : word.slice(at + 1) || undefined;
      readValue(found[0], found[1], `-${letter}`, inline);
      if (inline !== undefined) return;
    }
  }

  function readValue(key: string, spec: OptionSpec, flag: string, inline: string | undefined): void {
    if (!spec.multiple && values.has(key)) problems.push(`${flag} is given twice`);
    if (spec.type === "boolean") {
      if (inline === undefined) values.set(key, true);
      else problems.push(`${flag} takes no value`);
      return;
    }
    const text = inline ?? takeNext() ?? spec.implied;
    if (text === undefined || text === "") {
      values.set(key, undefined);
      problems.push(`${flag} needs a value: ${flag} ${valueName(key, spec)}`);
      return;
    }
    const parsed = parseValue(text, spec);
    if ("problem" in parsed) problems.push(`${flag} must be ${parsed.problem}`);
    const before = spec.multiple ? ((values.get(key) as unknown[] | undefined) ?? []) : [];
    const value = "value" in parsed ? parsed.value : undefined;
    values.set(key, spec.multiple ? [...before, value] : value);
  }

  function takeNext(): string | undefined {
    const next = words[0];
    return next === undefined || next === "" || next.startsWith("--") ? undefined : words.shift();
  }
}

const isNegativeNumber = (word: string): boolean => /^-\.?\d/.test(word);

/** The name of an option's value in the help, such as `NUMBER`. */
export function valueName(key: string, { type, placeholder, choices }: OptionSpec): string {
  if (placeholder !== undefined) return placeholder;
  if (type === "duration") return "TIME";
  if (type === "integer" || type === "number") return "NUMBER";
  return choices === undefined || choices.join("|").length > 20 ? placeholderOf(key) : choices.join("|");
}

function findConflicts({ options }: Command, values: ReadonlyMap<string, unknown>): string[] {
  return Object.entries(options).flatMap(([key, { conflictsWith = [] }]) =>
    values.has(key)
      ? conflictsWith
          .filter((other) => values.has(other))
          .map((other) => `${flagOf(key)} cannot be used together with ${flagOf(other)}`)
      : [],
  );
}

function optionValues({ options }: Command, values: ReadonlyMap<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).map(([key, spec]) => {
      const absent = spec.type === "boolean" ? false : spec.multiple ? [] : undefined;
      return [key, values.get(key) ?? spec.default ?? absent];
    }),
  );
}

function readPositional({ args }: Command, words: readonly string[], problems: string[]): Record<string, unknown> {
  const left = [...words];
  const read = (name: string, word: string, spec: ArgumentSpec): unknown => {
    const parsed = parseValue(word, { type: "string", ...spec });
    if ("value" in parsed) return parsed.value;
    problems.push(`${spec.placeholder ?? placeholderOf(name)} must be ${parsed.problem}`);
    return undefined;
  };
  const entries = Object.entries(args).map(([name, spec]): [string, unknown] => {
    const taken = left.splice(0, spec.multiple ? left.length : 1);
    if (spec.required && taken.length === 0)
      problems.push(`Missing argument ${spec.placeholder ?? placeholderOf(name)}`);
    const values = taken.map((word) => read(name, word, spec));
    return [name, spec.multiple ? values : values[0]];
  });
  const [extra] = left;
  if (extra !== undefined) problems.push(`Unexpected argument "${extra}"`);
  return Object.fromEntries(entries);
}

type Value = { readonly value: string | number } | { readonly problem: string };

/** Parses one value; the problem continues the sentence "--name must be …". */
function parseValue(text: string, spec: Pick<OptionSpec, "type" | "choices" | "min" | "max">): Value {
  const { type, choices, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = spec;
  if (choices !== undefined) {
    if (choices.includes(text)) return { value: text };
    return { problem: `${orList(choices)}, not "${text}"${suggestion(text, choices)}` };
  }
  if (type === "string") return { value: text };
  const value = type === "duration" ? parseDuration(text) : parseNumber(text, type);
  return value >= min && value <= max ? { value } : { problem: `${describeRange(spec)}, not "${text}"` };
}

function parseNumber(text: string, type: string): number {
  const pattern = type === "integer" ? /^-?\d{1,15}$/ : /^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i;
  return pattern.test(text) ? Number(text) : Number.NaN;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses `90s`, `15m`, `2h`, or a number of seconds, to milliseconds; NaN if it is none of these. */
export function parseDuration(text: string): number {
  const [, count = "", unit = "s"] = /^(\d{1,9}(?:\.\d+)?)(ms|[smhd])?$/.exec(text) ?? [];
  return count === "" ? Number.NaN : Number(count) * (UNITS[unit] ?? Number.NaN);
}

/** Writes milliseconds the way that durations are given: `90s`, `15m`. */
export function formatDuration(ms: number): string {
  const unit = ["d", "h", "m", "s"].find((each) => ms % (UNITS[each] ?? 1) === 0 && ms !== 0) ?? "ms";
  return `${ms / (UNITS[unit] ?? 1)}${unit}`;
}

function describeRange({ type, min, max }: Pick<OptionSpec, "type" | "min" | "max">): string {
  const write = (value: number): string => (type === "duration" ? formatDuration(value) : String(value));
  const kind =
    type === "duration" ? "a time such as 90s, 15m or 2h" : type === "integer" ? "a whole number" : "a number";
  if (min !== undefined && max !== undefined) return `${kind} from ${write(min)} to ${write(max)}`;
  if (min !== undefined) return `${kind}, at least ${write(min)}`;
  return max === undefined ? kind : `${kind}, at most ${write(max)}`;
}

/** `a, b or c`. */
export const orList = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

/** `; did you mean …?`, if a known word is near. */
export function suggestion(word: string, known: Iterable<string>): string {
  const meant = nearest(word, known);
  return meant === undefined ? "" : `; did you mean ${meant}?`;
}
