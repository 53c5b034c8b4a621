import type { CommandGroup, Command as Declaration } from "@toolwright/kit/cli";
import { COMMAND_GROUPS } from "@toolwright/kit/cli/command.js";

/** One command of the program: what people are told of it, and what it does. */
export interface Command {
  /** Under which heading of the help it stands. */
  readonly group: Group;
  /** What follows its name, as the help shows it. */
  readonly takes?: string;
  /** What it is for, in a line. */
  readonly about: string;
  /** The first words of its usage are deeds, such as `task add`. */
  readonly hasDeeds?: true;
  /** It answers --help itself: what it says depends on the other words. */
  readonly hasOwnHelp?: true;
  help(): Promise<string>;
  /** Gets all commands too: some tell of the others. */
  run(words: readonly string[], version: string, all: Commands): Promise<void> | undefined;
}

/** A command that declares its arguments and options, and the pack that it belongs to. */
export interface DeclaredCommand {
  readonly pack: string;
  readonly load: () => Promise<Declaration>;
}

/** Commands by their names, in the order of the help. */
export type Commands = Readonly<Record<string, Command>>;

/** The same of both kinds. */
export type CommandTable = Readonly<Record<string, Command | DeclaredCommand>>;

/** The headings of the help, in their order. */
export const GROUPS = COMMAND_GROUPS;

type Group = CommandGroup;

/** Loads all declarations, for what lists the commands. */
export async function resolveCommands(table: CommandTable): Promise<Commands> {
  const { renderHelp } = await import("@toolwright/kit/cli/command-help.js");
  const entries = Object.entries(table).map(async ([name, command]): Promise<[string, Command]> => {
    if (!("load" in command)) return [name, command];
    const declared = await command.load();
    const { group = "working", summary, subcommands } = declared;
    return [
      name,
      {
        group,
        takes: "…",
        about: summary,
        ...(subcommands.length > 0 && { hasDeeds: true }),
        help: async () => renderHelp(declared, [name]),
        run: () => undefined,
      },
    ];
  });
  return Object.fromEntries(await Promise.all(entries));
}
