import type { Script } from "node:vm";

/** A place in a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** How long all expressions may take with one text, and how long a single one. */
const MOST_MS = { all: 1000, one: 250 } as const;
/** How many places of one expression are looked at. */
const MOST_SPANS = 200;

/** What expressions are tried in: made once, for it takes a millisecond. */
interface Bench {
  readonly script: Script;
  readonly given: { sources: string; text: string };
}

let bench: Bench | undefined;

/** It keeps the compiled expressions; an array of ours would be one of another realm there. */
const SEARCH = `
globalThis.known ??= new Map();
JSON.stringify(JSON.parse(sources).map((source) => {
  if (!known.has(source)) known.set(source, new RegExp(source, "gm"));
  const expression = known.get(source);
  expression.lastIndex = 0;
  const found = [];
  for (let match = expression.exec(text); match !== null && found.length < ${MOST_SPANS}; match = expression.exec(text)) {
    if (match[0] === "") expression.lastIndex += 1;
    else found.push({ start: match.index, end: match.index + match[0].length });
  }
  return found;
}))`;

/**
 * Finds where each of some expressions fits. One that takes too long has no answer: people write their own patterns, and one such as
 * (a|a)*b can take years, while nothing else would run.
 */
export function searchInTime(sources: readonly string[], text: string): readonly (readonly Span[] | undefined)[] {
  if (sources.length === 0) return [];
  const together = attempt(sources, text, MOST_MS.all);
  return together ?? sources.map((source) => attempt([source], text, MOST_MS.one)?.[0]);
}

function attempt(sources: readonly string[], text: string, timeout: number): (readonly Span[])[] | undefined {
  bench ??= openBench();
  Object.assign(bench.given, { sources: JSON.stringify(sources), text });
  try {
    return JSON.parse(bench.script.runInContext(bench.given, { timeout }) as string) as (readonly Span[])[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined;
    throw error;
  }
}

function openBench(): Bench {
  // Whoever reviews nothing should not wait for it to load.
  const { createContext, Script: Compiled } = process.getBuiltinModule("node:vm");
  const given = { sources: "[]", text: "" };
  createContext(given);
  return { script: new Compiled(SEARCH), given };
}
