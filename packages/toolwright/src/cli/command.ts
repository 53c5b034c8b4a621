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
  run(words: readonly string[], version: string, all: Commands): Promise<void>;
}

/** Commands by their names, in the order of the help. */
export type Commands = Readonly<Record<string, Command>>;

/** The headings of the help, in their order. */
export const GROUPS = {
  serving: "Serve tools to assistants",
  connecting: "Connect clients, and see what is wrong",
  using: "Use any MCP server from the shell",
  writing: "Write servers and start projects",
  working: "Work with what the server knows",
  itself: "This program",
} as const;

type Group = keyof typeof GROUPS;
