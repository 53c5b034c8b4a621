import type { JsonObject } from "@toolwright/engine";
import type { CommandHost } from "../pack/define-pack.js";
import type { OnProgress } from "../progress/index.js";
import type { Screen } from "../terminal/screen.js";

/** A value that a shell can complete, with a short description. */
export interface Completion {
  readonly value: string;
  readonly description?: string;
}

/** What a completer knows about the command line so far. */
export interface CompletionQuery {
  /** The beginning of the word under the cursor. */
  readonly prefix: string;
  /** The options and arguments before the cursor. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** Lists the values that a word can be completed to. `file` and `folder` leave it to the shell. */
export type Completer =
  | "file"
  | "folder"
  | ((query: CompletionQuery, ctx: CommandContext) => Promise<readonly (string | Completion)[]>);

/** A positional argument. Its key is its name; help shows it in upper case. */
export interface ArgumentSpec {
  /** `string` by default. */
  readonly type?: "string" | "number" | "integer";
  readonly required?: boolean;
  /** Takes all remaining words; only the last argument can be `multiple`. */
  readonly multiple?: boolean;
  /** The name in the help, if it is not the key in upper case. */
  readonly placeholder?: string;
  readonly description: string;
  readonly choices?: readonly string[];
  /** Paths are completed by default. */
  readonly complete?: Completer;
}

/** An option. Its key is its name in camelCase: `doneFile` is `--done-file`. */
export interface OptionSpec {
  /** A duration is written as `90s`, `15m` or `2h`, and parsed to milliseconds; a plain number is in seconds. */
  readonly type: "boolean" | "string" | "number" | "integer" | "duration";
  /** One letter, without the dash. */
  readonly short?: string;
  readonly default?: string | number | boolean | readonly string[];
  /** The default in words, if `run` or the configuration decides on it. */
  readonly shownDefault?: string;
  /** Can be repeated; the value is an array. */
  readonly multiple?: boolean;
  readonly choices?: readonly string[];
  /** The name of the value in the help, such as `DIR`. */
  readonly placeholder?: string;
  /** The value when the option is given without one. */
  readonly implied?: string;
  /** The bounds of a number; those of a duration are in milliseconds. */
  readonly min?: number;
  readonly max?: number;
  readonly description: string;
  readonly complete?: Completer;
  /** Keys of options that cannot be given at the same time. */
  readonly conflictsWith?: readonly string[];
  /** Not listed in help and completion; `help` = completed all the same. */
  readonly hidden?: boolean | "help";
  /** The heading under which the help lists it; `Options` by default. */
  readonly group?: string;
}

type Arguments = Readonly<Record<string, ArgumentSpec>>;
type Options = Readonly<Record<string, OptionSpec>>;

/** The arguments or options of a command that has none. */
// oxlint-disable-next-line typescript/no-generated-empty-object-type
type None = Readonly<Record<never, never>>;

type ScalarOf<Spec> = Spec extends { readonly type: "boolean" }
  ? boolean
  : Spec extends { readonly type: "number" | "integer" | "duration" }
    ? number
    : Spec extends { readonly choices: readonly (infer Choice extends string)[] }
      ? Choice
      : string;

type ArgumentValue<Spec extends ArgumentSpec> = Spec extends { readonly multiple: true }
  ? readonly ScalarOf<Spec>[]
  : Spec extends { readonly required: true }
    ? ScalarOf<Spec>
    : ScalarOf<Spec> | undefined;

type OptionValue<Spec extends OptionSpec> = Spec extends { readonly multiple: true }
  ? readonly ScalarOf<Spec>[]
  : Spec extends { readonly type: "boolean" }
    ? boolean
    : Spec extends { readonly default: unknown }
      ? ScalarOf<Spec>
      : ScalarOf<Spec> | undefined;

/** The input of `run`: a value for each argument and option. Repeatable ones are arrays, empty if not given. */
type CommandInput<Args extends Arguments, Opts extends Options> = {
  readonly [Name in keyof Args]: ArgumentValue<Args[Name]>;
} & { readonly [Name in keyof Opts]: OptionValue<Opts[Name]> };

/** A further section of the help. */
interface HelpSection {
  readonly title: string;
  /** Printed as it is, indented; lines are at most 96 characters. */
  readonly text: string;
}

interface CommandText {
  /** One word, such as `add`. */
  readonly name: string;
  /** What it does, in one line: an imperative sentence without a full stop. */
  readonly summary: string;
  /** Other names under which it can be called. */
  readonly aliases?: readonly string[];
  /** The heading under which the program's help lists it. */
  readonly group?: CommandGroup;
  /** The tool that does the same job; errors that suggest this tool then suggest this command. */
  readonly tool?: string;
  /** Paragraphs between the usage and the options. */
  readonly description?: string;
  /** Lines of usage after the command's name, if those made from `args` do not say enough. */
  readonly usage?: readonly string[];
  readonly examples?: readonly string[];
  readonly sections?: readonly HelpSection[];
  /** What exit codes mean for this command, beyond the standard meaning. */
  readonly exitCodes?: Readonly<Record<number, string>>;
  /** Not listed in help and completion. */
  readonly hidden?: boolean;
  /** What follows `--` is the command line of another program: it is passed to `run` as `trailing`, unparsed. */
  readonly trailing?: { readonly name: string; readonly description: string };
}

/** The headings of the program's help, in order. */
export const COMMAND_GROUPS = {
  serving: "Serve tools to assistants",
  connecting: "Connect clients and diagnose problems",
  using: "Use any MCP server from the shell",
  writing: "Write servers and start projects",
  working: "Work with what the server knows",
  itself: "This program",
} as const;

/** A heading of the program's help. */
type CommandGroup = keyof typeof COMMAND_GROUPS;

/** What `defineCommand` takes. */
export interface CommandDefinition<Args extends Arguments, Opts extends Options> extends CommandText {
  readonly args?: Args;
  readonly options?: Opts;
  readonly subcommands?: readonly Command[];
  /** Does the work. It loads what it needs with `import()`, since the declaration is loaded for help and completion, too. */
  readonly run?: (
    input: CommandInput<Args, Opts> & { readonly trailing?: readonly string[] },
    ctx: CommandContext,
  ) => Promise<void> | void;
  /** Answers `--help` if arguments are given with it, such as for one tool of a server. Returns false for the usual help. */
  readonly helpFor?: (
    input: CommandInput<Args, Opts> & { readonly trailing?: readonly string[] },
    ctx: CommandContext,
  ) => Promise<boolean>;
}

/** A command of the program: parser, help, manual page, completion and reference are made from it. */
export interface Command extends CommandText {
  readonly args: Arguments;
  readonly options: Options;
  readonly subcommands: readonly Command[];
  readonly run?: (input: Readonly<Record<string, unknown>>, ctx: CommandContext) => Promise<void> | void;
  readonly helpFor?: (input: Readonly<Record<string, unknown>>, ctx: CommandContext) => Promise<boolean>;
}

/** What a command gets from the program. */
export interface CommandContext {
  /** The version of the program. */
  readonly version: string;
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** The terminal behind stdout: its width and colours. */
  readonly screen: Screen;
  /** Draws the progress bar on stderr. */
  readonly onProgress: OnProgress;
  /** Writes a line to stderr. `--quiet` suppresses it. */
  readonly notice: (text: string) => void;
  /** The validated settings of the command's pack with their defaults, and its host. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the command knows the settings of its pack
  readonly openPack: <Settings = JsonObject>() => Promise<{ readonly settings: Settings; readonly host: CommandHost }>;
  /** All commands of the program: for help, the manual page and completion. */
  readonly loadCommands: () => Promise<readonly Command[]>;
}

/**
 * Defines a command.
 *
 * @example
 * export const greet = defineCommand({
 *   name: "greet",
 *   summary: "Print a greeting",
 *   args: { name: { required: true, description: "Who is greeted." } },
 *   options: { times: { type: "integer", short: "n", min: 1, default: 1, description: "How often." } },
 *   examples: ["toolwright greet Ada -n 2"],
 *   async run({ name, times }) {
 *     await print(`Hello, ${name}!\n`.repeat(times));
 *   },
 * });
 */
export function defineCommand<const Args extends Arguments = None, const Opts extends Options = None>(
  definition: CommandDefinition<Args, Opts>,
): Command {
  const command: object = { args: {}, options: {}, subcommands: [], ...definition };
  return command as Command;
}

/** The name of an option on the command line, such as `--done-file`. */
export const flagOf = (key: string): string => `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** The name of an argument or a value in the help, such as `TASK_ID`. */
export const placeholderOf = (key: string): string => key.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toUpperCase();

/** The subcommand of this name or alias. */
export const findCommand = (commands: readonly Command[], name: string): Command | undefined =>
  commands.find((command) => command.name === name || command.aliases?.includes(name));

/** Prints JSON for programs. */
export const JSON_OPTION = {
  type: "boolean",
  description: "Print JSON.",
} as const satisfies OptionSpec;

/** Limits the number of results; a command adds its `default` and `max`. */
export const LIMIT_OPTION = {
  type: "integer",
  short: "n",
  min: 1,
  max: 1000,
  placeholder: "NUMBER",
  description: "The maximum number of results.",
} as const satisfies OptionSpec;

/** Continues a list. */
export const CURSOR_OPTION = {
  type: "string",
  placeholder: "CURSOR",
  description: "Continue a list: the cursor that the previous page ended with.",
} as const satisfies OptionSpec;

/** Suppresses progress and notices. */
export const QUIET_OPTION = {
  type: "boolean",
  short: "q",
  description: "Print no progress and no notices.",
} as const satisfies OptionSpec;

/** Answers questions with yes. */
export const YES_OPTION = {
  type: "boolean",
  short: "y",
  description: "Do not ask for confirmation.",
} as const satisfies OptionSpec;
