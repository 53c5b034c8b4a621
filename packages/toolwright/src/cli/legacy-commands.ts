import { execFileSync } from "node:child_process";
import { type Command, defineCommand, type OptionSpec } from "@toolwright/kit/cli";
import { createPackContext } from "./pack-context.js";

// Commands that are not declared yet. This file goes when all are.

/** A command that parses its own words and writes its own help. */
export interface LegacyCommand {
  readonly group: NonNullable<Command["group"]>;
  readonly takes?: string;
  readonly about: string;
  readonly hasDeeds?: true;
  readonly hasOwnHelp?: true;
  help(): Promise<string>;
  run(words: readonly string[], version: string): Promise<void>;
}

/** Not declared yet, by name. */
export const LEGACY_COMMANDS: Readonly<Record<string, LegacyCommand>> = {
  kb: {
    group: "working",
    takes: "…",
    about: "search documents, cite them, and get answers from them",
    hasDeeds: true,
    help: async () => (await import("@toolwright/knowledge/commands/kb-help.js")).KB_HELP,
    run: async (words, version) =>
      (await import("@toolwright/knowledge/commands/run-kb.js")).runKb(words, createPackContext("knowledge", version)),
  },
};

/** The completion of a legacy command, as far as its help and tables tell. */
export async function declareLegacy(name: string, legacy: LegacyCommand): Promise<Command> {
  const help = await legacy.help();
  const deeds = legacy.hasDeeds ? deedsIn(help, name) : [];
  const { group, about } = legacy;
  const options = optionsIn(help);
  const tables = name === "kb" ? await tablesOf(name) : undefined;
  return defineCommand({
    name,
    summary: about,
    group,
    options,
    subcommands: tables ?? deeds.map(([deed, summary]) => defineCommand({ name: deed, summary, options })),
  });
}

function deedsIn(help: string, command: string): readonly (readonly [name: string, about: string])[] {
  const found = new Map<string, string>();
  const lines = new RegExp(`^  toolwright ${command} ([a-z]+)\\b.*?  +(\\S.*)$`, "gm");
  for (const [, word = "", about = ""] of help.matchAll(lines)) if (!found.has(word)) found.set(word, about);
  return [...found];
}

const camel = (flag: string): string =>
  flag.slice(2).replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

const optionsIn = (help: string): Readonly<Record<string, OptionSpec>> =>
  Object.fromEntries(
    [...new Set(help.match(/(?<![\w-])--[a-z][a-z-]*/g) ?? [])]
      .filter((flag) => flag !== "--help")
      .map((flag) => [camel(flag), { type: "boolean", description: "" }]),
  );

async function tablesOf(name: "kb"): Promise<readonly Command[]> {
  const [deeds, options] = await Promise.all([
    import("@toolwright/knowledge/commands/deeds.js"),
    import("@toolwright/knowledge/commands/options.js"),
  ]);
  interface Kind {
    readonly among?: readonly string[];
    readonly value?: string;
    readonly isId?: true;
    readonly isName?: true;
  }
  const all: Readonly<Record<string, Kind>> = options.OPTIONS;
  const short: Readonly<Record<string, string>> = options.SHORT;
  const complete = async ({ prefix, input }: { prefix: string; input: Readonly<Record<string, unknown>> }) => {
    const words = [name, "complete-names", prefix];
    const [database] = input["database"] as readonly string[];
    if (database !== undefined) words.push(database);
    return execFileSync(process.execPath, [process.argv[1] ?? "", ...words], { encoding: "utf8" })
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const [value = "", description = ""] = line.split("\t");
        return { value, description };
      });
  };
  const specOf = (flag: string): OptionSpec => {
    const { among, value, isId, isName } = all[flag] ?? {};
    const letter = Object.entries(short)
      .find(([, full]) => full === flag)?.[0]
      .slice(1);
    return {
      type: value === undefined ? "boolean" : "string",
      description: "",
      multiple: true,
      ...(letter !== undefined && { short: letter }),
      ...(among !== undefined && { choices: among }),
      ...((isId || isName) && { complete }),
    };
  };
  const table: Readonly<
    Record<string, { readonly takes: readonly string[]; readonly hasIds?: true; readonly hasNames?: true }>
  > = deeds.DEEDS;
  return Object.entries(table).map(([deed, { takes, hasIds, hasNames }]) =>
    defineCommand({
      name: deed,
      summary: deed,
      ...((hasIds || hasNames) && { args: { ids: { multiple: true, description: "", complete } } }),
      options: Object.fromEntries([...options.COMMON, ...takes].map((flag) => [camel(flag), specOf(flag)])),
    }),
  );
}
