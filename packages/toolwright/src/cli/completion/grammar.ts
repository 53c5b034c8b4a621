import { ANALYZE_HELP } from "../analyze/analyze-help.js";
import { CALL_HELP, TOOLS_HELP } from "../client-help.js";
import { DASHBOARD_HELP } from "../dashboard/dashboard-help.js";
import { CONFIG_HELP, HELP, SERVE_HELP } from "../help.js";
import { REPLAY_HELP } from "../replay/replay-help.js";
import { DEEDS } from "../task/deeds.js";
import { COMMON, OPTIONS, SHORT } from "../task/options.js";
import { TASK_HELP } from "../task/task-help.js";
import { NEW_HELP, TEMPLATE_HELP } from "../templates/template-help.js";
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
  /** Its words are ids of tasks. */
  readonly hasIds: boolean;
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
  completion: COMPLETION_HELP,
};

/** The commands that have deeds, which are the first words of their usage. */
const WITH_DEEDS = new Set(["config", "template", "analyze", "task", "completion"]);

/** Every command, as the help has it: what people are told is what is completed. */
export const commands = (): readonly Offer[] => offersIn(HELP, "");

/** All places in which something can be completed. */
export function places(): readonly Place[] {
  const found = commands().map(({ word }): Place => {
    const help = HELPS[word] ?? "";
    const deeds = WITH_DEEDS.has(word) ? offersIn(help, `${word} `) : [];
    return { path: word, deeds, options: word === "task" ? ["--help"] : optionsIn(help), hasIds: false };
  });
  return [...found, ...Object.entries(DEEDS).map(([name, deed]) => placeOf(name, deed.takes, "hasIds" in deed))];
}

function placeOf(name: string, takes: readonly (keyof typeof OPTIONS)[], hasIds: boolean): Place {
  const options = [...COMMON, ...takes];
  const short = Object.entries(SHORT).flatMap(([letter, option]) => (options.includes(option) ? [letter] : []));
  return { path: `task ${name}`, deeds: [], options: [...options, ...short, "--help"], hasIds };
}

/** What can stand behind an option of `task`: one of some words, or the id of a task. */
export function optionValues(): readonly { readonly option: string; readonly among?: readonly string[] }[] {
  const found = Object.entries(OPTIONS).flatMap(([option, kind]) => {
    if ("among" in kind) return [{ option, among: kind.among }];
    return "isId" in kind ? [{ option }] : [];
  });
  const short = Object.entries(SHORT).flatMap(([letter, option]) =>
    found.filter((each) => each.option === option).map((each) => ({ ...each, option: letter })),
  );
  return [...found, ...short];
}

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
