import { ToolError } from "../../protocol/outcome.js";
import { builtin } from "../builtin.js";

const LONGEST_PATTERN = 1000;
/** How long a pattern may take on one piece of text. Nobody else is served meanwhile. */
const PATTERN_MS = 200;

/** What is looked for, as the caller gave it. */
export interface Sought {
  readonly search: string;
  readonly regex?: boolean;
  readonly ignore_case?: boolean;
}

/** Where something was found in a piece of text. */
export interface Match {
  readonly at: number;
  readonly length: number;
}

/** Finds where a piece of text has what is sought. */
export type Finder = (text: string) => readonly Match[];

/** A finder for plain text, or for a regular expression that is stopped when it takes too long. */
export function createFinder({ search, regex = false, ignore_case: ignoresCase = false }: Sought): Finder {
  if (search === "") throw wrong("search is empty: give the text to look for.");
  if (search.length > LONGEST_PATTERN)
    throw wrong(`search has ${search.length} characters, at most ${LONGEST_PATTERN} are allowed.`);
  const source = regex ? search : search.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const pattern = compile(source, `gm${ignoresCase ? "i" : ""}`);
  const find: Finder = (text) => findAll(pattern, text);
  // Plain text takes time in proportion to the text alone.
  return regex ? guarded(find, search) : find;
}

function compile(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    const reason = (error as Error).message.replace(/^Invalid regular expression: /, "");
    throw wrong(`search is not a regular expression: ${reason}. Leave out "regex" to look for the text as it is.`);
  }
}

function findAll(pattern: RegExp, text: string): Match[] {
  const matches: Match[] = [];
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    matches.push({ at: found.index, length: found[0].length });
    if (found[0] === "") pattern.lastIndex += 1;
  }
  return matches;
}

/** The same finder under a clock that can stop it in the middle of a match. */
function guarded(find: Finder, search: string): Finder {
  const vm = builtin("node:vm");
  const stage: { run: () => void } = { run: () => undefined };
  const context = vm.createContext(stage);
  const script = new vm.Script("run()");
  return (text) => {
    let matches: readonly Match[] = [];
    stage.run = () => {
      matches = find(text);
    };
    try {
      script.runInContext(context, { timeout: PATTERN_MS });
    } catch (error) {
      if ((error as { code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      throw wrong(
        `The regular expression ${JSON.stringify(search)} takes too long and was stopped. ` +
          "Repeat nothing inside a repetition, or look for plain text.",
      );
    }
    return matches;
  };
}

const wrong = (message: string): ToolError => new ToolError(message, { code: "INVALID_ARGUMENTS" });
