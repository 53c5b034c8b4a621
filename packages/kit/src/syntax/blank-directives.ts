import { blankOut } from "./blank-out.js";

const DIRECTIVE = /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|elseif|else|endif)\b/u;
const NEVER = /#[ \t]*if[ \t]+0\b/u;

/** What holds brackets that open nothing: comments, texts and letters. */
const NO_CODE = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|'(?:\\[^'\n]{1,10}|[^'\\\n])'/gu;

/** Which branches of conditional compilation are kept: of `what fits`, all but those whose brackets would not close. */
type Kept = "every branch" | "what fits" | "the first branch";

/** One `#if` with its branches. */
interface Conditional {
  /** The branch that is kept where not all are. */
  readonly taken: number;
  branch: number;
  fits: boolean;
  /** How deep brackets are open in the branch, and how far it closes those from before it. */
  depth: number;
  low: number;
  /** The same of the branch that is taken, once it is passed. */
  takenDepth: number;
  takenLow: number;
}

/** Leaves out the lines of conditional compilation and, where the branches do not fit together, all but the first of them. */
export function blankDirectives(
  text: string,
  keep: Kept,
): { readonly text: string; readonly leftOutLine: number | undefined } {
  const lines = text.split("\n");
  const fitting = keep === "what fits" ? fittingIn(text) : undefined;
  const open: { isWhole: boolean; taken: number; branch: number }[] = [];
  let leftOutLine: number | undefined;
  const kept = lines.map((line, at) => {
    const word = DIRECTIVE.exec(line)?.[1];
    if (word === undefined) {
      if (open.every(({ isWhole, taken, branch }) => isWhole || taken === branch)) return line;
      if (line.trim() !== "") leftOutLine ??= at + 1;
    } else if (word.startsWith("if")) {
      const isWhole = keep === "every branch" || fitting?.has(at) === true;
      open.push({ isWhole, taken: NEVER.test(line) ? 1 : 0, branch: 0 });
    } else if (word === "endif") open.pop();
    else {
      const last = open.at(-1);
      if (last !== undefined) last.branch += 1;
    }
    return blankOut(line);
  });
  return { text: kept.join("\n"), leftOutLine };
}

/** The lines of those `#if` of which each branch closes what it opens, and nothing else. */
function fittingIn(text: string): ReadonlySet<number> {
  const fitting = new Set<number>();
  const open: (Conditional & { readonly at: number })[] = [];
  for (const [at, line] of text.replaceAll(NO_CODE, blankOut).split("\n").entries()) {
    const word = DIRECTIVE.exec(line)?.[1];
    const last = open.at(-1);
    if (word?.startsWith("if") === true) {
      const taken = NEVER.test(line) ? 1 : 0;
      open.push({ at, taken, branch: 0, fits: true, depth: 0, low: 0, takenDepth: 0, takenLow: 0 });
    } else if (last === undefined) continue;
    else if (word === undefined) addBrackets(last, line);
    else {
      endBranch(last);
      if (word !== "endif") continue;
      open.pop();
      if (last.fits) fitting.add(last.at);
      const around = open.at(-1);
      if (around === undefined) continue;
      around.low = Math.min(around.low, around.depth + last.takenLow);
      around.depth += last.takenDepth;
    }
  }
  return fitting;
}

function addBrackets(conditional: Conditional, line: string): void {
  for (const letter of line) {
    if (letter === "{" || letter === "(") conditional.depth += 1;
    else if (letter === "}" || letter === ")") conditional.depth -= 1;
    conditional.low = Math.min(conditional.low, conditional.depth);
  }
}

function endBranch(conditional: Conditional): void {
  if (conditional.depth !== 0 || conditional.low < 0) conditional.fits = false;
  if (conditional.branch === conditional.taken) {
    conditional.takenDepth = conditional.depth;
    conditional.takenLow = conditional.low;
  }
  conditional.branch += 1;
  conditional.depth = 0;
  conditional.low = 0;
}
