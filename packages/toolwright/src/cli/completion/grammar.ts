import type { OptionKind } from "@toolwright/kit/cli";
import { DEEDS as KB_DEEDS } from "@toolwright/knowledge/commands/deeds.js";
import * as kb from "@toolwright/knowledge/commands/options.js";
import { DEEDS } from "@toolwright/todo/commands/deeds.js";
import { COMMON, OPTIONS, SHORT } from "@toolwright/todo/commands/options.js";
import type { Commands } from "../command.js";

/** A word that can be completed, and what it does. */
export interface Offer {
  readonly word: string;
  readonly about: string;
}

/** A command, or one of the deeds of a command. */
export interface Place {
  /** The words that lead to it, such as `task add`. */
  readonly path: string;
  readonly deeds: readonly Offer[];
  readonly options: readonly string[];
  /** The words of our own command line that offer what it takes, such as `task complete-ids`; undefined = none do. */
  readonly offered?: string | undefined;
}

/** Every command. */
export const commands = (all: Commands): readonly Offer[] =>
  Object.entries(all).map(([word, { about }]) => ({ word, about }));

/** What a command is that says of each of its deeds what it takes. */
interface Grammar {
  readonly deeds: Readonly<Record<string, { readonly takes: readonly string[] } & Taking>>;
  readonly common: readonly string[];
  readonly options: Readonly<Record<string, Taking & OptionKind>>;
  readonly short: Readonly<Record<string, string>>;
}

/** What words can stand somewhere: some, ids of tasks, or names of collections. */
interface Taking {
  readonly among?: readonly string[];
  readonly hasIds?: true;
  readonly isId?: true;
  readonly hasNames?: true;
  readonly isName?: true;
}

/** The commands whose deeds take options of their own. */
const GRAMMARS: Readonly<Record<string, Grammar>> = {
  task: { deeds: DEEDS, common: COMMON, options: OPTIONS, short: SHORT },
  kb: { deeds: KB_DEEDS, common: kb.COMMON, options: kb.OPTIONS, short: kb.SHORT },
};

/** Whether each deed of a command has options of its own. */
export const hasGrammar = (command: string): boolean => Object.hasOwn(GRAMMARS, command);

/** What offers the words that can stand somewhere. */
function offeredFor({ hasIds, isId, hasNames, isName }: Taking): string | undefined {
  if (hasIds || isId) return "task complete-ids";
  return hasNames || isName ? "kb complete-names" : undefined;
}

/** All places in which something can be completed, as the helps have them: what people are told is what is completed. */
export async function places(all: Commands): Promise<readonly Place[]> {
  const found = Object.entries(all).map(async ([name, command]): Promise<Place> => {
    const help = await command.help();
    const deeds = command.hasDeeds ? deedsIn(help, name) : [];
    // A configuration is what a server would be told.
    const more = name === "config" ? await all["serve"]?.help() : "";
    return { path: name, deeds, options: hasGrammar(name) ? ["--help"] : optionsIn(`${help}${more}`) };
  });
  const deeds = Object.entries(GRAMMARS).flatMap(([command, grammar]) => deedPlaces(command, grammar));
  return [...(await Promise.all(found)), ...deeds];
}

const deedPlaces = (command: string, { deeds, common, short }: Grammar): readonly Place[] =>
  Object.entries(deeds).map(([name, deed]) => {
    const options = [...common, ...deed.takes];
    const letters = Object.entries(short).flatMap(([letter, option]) => (options.includes(option) ? [letter] : []));
    return {
      path: `${command} ${name}`,
      deeds: [],
      options: [...options, ...letters, "--help"],
      offered: offeredFor(deed),
    };
  });

/** What can stand behind an option of a command: one of some words, or what our own command line offers. */
export interface OptionValue {
  readonly option: string;
  readonly among?: readonly string[] | undefined;
  readonly offered?: string | undefined;
}

/** What can stand behind the options of each command that has deeds with options of their own. */
export const optionValues = (): readonly (readonly [command: string, values: readonly OptionValue[]])[] =>
  Object.entries(GRAMMARS).map(([command, { options, short }]) => {
    const found = Object.entries(options).flatMap(([option, kind]): OptionValue[] => {
      const [among, offered] = [kind.among, offeredFor(kind)];
      return among === undefined && offered === undefined ? [] : [{ option, among, offered }];
    });
    const letters = Object.entries(short).flatMap(([letter, option]) =>
      found.filter((each) => each.option === option).map((each) => ({ ...each, option: letter })),
    );
    return [command, [...found, ...letters]];
  });

/** The first words of the usage; examples have nothing behind them. */
function deedsIn(help: string, command: string): readonly Offer[] {
  const found = new Map<string, Offer>();
  const lines = new RegExp(`^  toolwright ${command} ([a-z]+)\\b.*?  +(\\S.*)$`, "gm");
  for (const [, word = "", about = ""] of help.matchAll(lines)) if (!found.has(word)) found.set(word, { word, about });
  return [...found.values()];
}

const optionsIn = (help: string): readonly string[] => [
  ...new Set([...(help.match(/(?<![\w-])--[a-z][a-z-]*/g) ?? []), "--help"]),
];
