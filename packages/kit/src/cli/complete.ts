import {
  type Command,
  type CommandContext,
  type Completer,
  type Completion,
  findCommand,
  flagOf,
  type OptionSpec,
} from "./command.js";
import { parseCommandLine } from "./parse-command-line.js";

/** What a word can be completed to. */
export interface Completions {
  readonly values: readonly Completion[];
  /** The shell completes paths, too. */
  readonly paths?: "file" | "folder";
}

/** Completes the last of the words after the program's name; it may be empty. */
export async function completeCommandLine(
  commands: readonly Command[],
  words: readonly string[],
  createContext: (command: Command) => Promise<CommandContext>,
): Promise<Completions> {
  // bash passes `--name=value` as three words.
  const given = words.filter((word, at) => word !== "=" || at === words.length - 1);
  const prefix = given.at(-1) === "=" ? "" : (given.at(-1) ?? "");
  const [name, ...before] = given.slice(0, -1);
  if (name === undefined) return listCommands(commands, prefix, ["--help", "--version"]);
  if (name === "help") return completeHelp(commands, before, prefix);
  const root = findCommand(commands, name);
  if (root === undefined || before.includes("--")) return root === undefined ? NONE : { ...NONE, paths: "file" };
  const { command, rest } = descend(root, before);
  if (command.subcommands.length > 0 && command.run === undefined)
    return listCommands(command.subcommands, prefix, ["--help"]);
  const { input } = parseCommandLine(command, rest);
  const complete = (completer: Completer | undefined, choices: readonly string[] | undefined, text: string) =>
    completeValue(completer, choices, text, async (list) => list({ prefix: text, input }, await createContext(root)));

  const inline = /^(--[^=]+)=(.*)$/s.exec(prefix);
  const option = optionOf(command, inline?.[1] ?? rest.at(-1) ?? "");
  if (option !== undefined && option.type !== "boolean" && (inline !== null || !prefix.startsWith("-"))) {
    const found = await complete(option.complete, option.choices, inline?.[2] ?? prefix);
    if (inline === null) return option.implied === undefined ? found : { paths: "file", ...found };
    return {
      ...found,
      values: found.values.map(({ value, ...more }) => ({ value: `${inline[1]}=${value}`, ...more })),
    };
  }
  if (prefix.startsWith("-")) return { values: startingWith(listFlags(command), prefix) };
  const { args } = command;
  const spec =
    Object.values(args)[countPositional(command, rest)] ?? Object.values(args).findLast((each) => each.multiple);
  return spec === undefined ? NONE : complete(spec.complete, spec.choices, prefix);
}

const NONE: Completions = { values: [] };

function listCommands(commands: readonly Command[], prefix: string, flags: readonly string[]): Completions {
  const rows = commands
    .filter(({ hidden }) => !hidden)
    .map(({ name, summary }): Completion => ({ value: name, description: summary }));
  const options = prefix.startsWith("-") ? flags.map((value) => ({ value })) : [];
  return { values: startingWith([...rows, ...options], prefix) };
}

function completeHelp(commands: readonly Command[], before: readonly string[], prefix: string): Completions {
  const [name, ...rest] = before;
  const root = name === undefined ? undefined : findCommand(commands, name);
  if (name === undefined) return listCommands(commands, prefix, []);
  return root === undefined ? NONE : listCommands(descend(root, rest).command.subcommands, prefix, []);
}

/** The command that the words name, and the words after its name. */
function descend(
  root: Command,
  words: readonly string[],
): { readonly command: Command; readonly rest: readonly string[] } {
  let command = root;
  let rest = words;
  for (;;) {
    const found = rest[0] === undefined ? undefined : findCommand(command.subcommands, rest[0]);
    if (found === undefined) return { command, rest };
    command = found;
    rest = rest.slice(1);
  }
}

function optionOf({ options }: Command, word: string): OptionSpec | undefined {
  const letter = /^-([a-zA-Z])$/.exec(word)?.[1];
  return Object.entries(options).find(
    ([key, { short }]) => flagOf(key) === word || (letter !== undefined && short === letter),
  )?.[1];
}

const listFlags = ({ options }: Command): Completion[] => [
  ...Object.entries(options)
    .filter(([, { hidden }]) => hidden !== true)
    .map(([key, { description }]) => ({ value: flagOf(key), description })),
  { value: "--help", description: "Print help." },
];

/** How many arguments come before the cursor. */
function countPositional({ options, args }: Command, words: readonly string[]): number {
  const list = {
    name: "",
    summary: "",
    subcommands: [],
    options,
    args: { words: { multiple: true, description: "" } },
  };
  const { input } = parseCommandLine(list, words);
  const count = (input["words"] as readonly unknown[]).length;
  const isLastMultiple = Object.values(args).at(-1)?.multiple === true;
  return isLastMultiple ? Math.min(count, Object.keys(args).length - 1) : count;
}

async function completeValue(
  completer: Completer | undefined,
  choices: readonly string[] | undefined,
  prefix: string,
  call: (list: Exclude<Completer, string>) => Promise<readonly (string | Completion)[]>,
): Promise<Completions> {
  if (choices !== undefined)
    return {
      values: startingWith(
        choices.map((value) => ({ value })),
        prefix,
      ),
    };
  if (completer === undefined) return { ...NONE, paths: "file" };
  if (typeof completer === "string") return { ...NONE, paths: completer };
  const found = await call(completer);
  return { values: found.map((each) => (typeof each === "string" ? { value: each } : each)) };
}

const startingWith = (values: readonly Completion[], prefix: string): Completion[] =>
  values.filter(({ value }) => value.startsWith(prefix));
