import { ANALYZE_HELP } from "../analyze/analyze-help.js";
import { CALL_HELP, TOOLS_HELP } from "../client-help.js";
import { DASHBOARD_HELP } from "../dashboard/dashboard-help.js";
import { CONFIG_HELP, HELP, SERVE_HELP } from "../help.js";
import { DEEDS as KB_DEEDS } from "../kb/deeds.js";
import { KB_HELP } from "../kb/kb-help.js";
import * as kb from "../kb/options.js";
import { REPLAY_HELP } from "../replay/replay-help.js";
import { DEEDS } from "../task/deeds.js";
import { COMMON, OPTIONS, SHORT } from "../task/options.js";
import { TASK_HELP } from "../task/task-help.js";
import { NEW_HELP, TEMPLATE_HELP } from "../templates/template-help.js";
import { THREATS_HELP } from "../threats/threats-help.js";
import type { OptionKind } from "../words.js";
import { COMPLETION_HELP } from "./completion-help.js";

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

const HELPS: Readonly<Record<string, string>> = {
  serve: SERVE_HELP,
  config: CONFIG_HELP + SERVE_HELP,
  tools: TOOLS_HELP,
  call: CALL_HELP,
  replay: REPLAY_HELP,
  template: TEMPLATE_HELP,
  new: NEW_HELP,
  analyze: ANALYZE_HELP,
  dashboard: DASHBOARD_HELP,
  task: TASK_HELP,
  kb: KB_HELP,
  threats: THREATS_HELP,
  completion: COMPLETION_HELP,
};

/** The commands that have deeds, which are the first words of their usage. */
const WITH_DEEDS = new Set(["config", "template", "analyze", "task", "kb", "threats", "completion"]);

/** Every command, as the help has it: what people are told is what is completed. */
export const commands = (): readonly Offer[] => offersIn(HELP, "");

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

/** All places in which something can be completed. */
export function places(): readonly Place[] {
  const found = commands().map(({ word }): Place => {
    const help = HELPS[word] ?? "";
    const deeds = WITH_DEEDS.has(word) ? offersIn(help, `${word} `) : [];
    return { path: word, deeds, options: hasGrammar(word) ? ["--help"] : optionsIn(help) };
  });
  return [...found, ...Object.entries(GRAMMARS).flatMap(([command, grammar]) => deedPlaces(command, grammar))];
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
function offersIn(help: string, command: string): readonly Offer[] {
  const found = new Map<string, Offer>();
  const lines = new RegExp(`^  toolwright ${command}([a-z]+)\\b.*?  +(\\S.*)$`, "gm");
  for (const [, word = "", about = ""] of help.matchAll(lines)) if (!found.has(word)) found.set(word, { word, about });
  return [...found.values()];
}

const optionsIn = (help: string): readonly string[] => [
  ...new Set([...(help.match(/(?<![\w-])--[a-z][a-z-]*/g) ?? []), "--help"]),
];
