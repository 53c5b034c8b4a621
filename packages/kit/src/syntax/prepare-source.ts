import { blankOut, type Language } from "./languages.js";

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
function blankDirectives(
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

/** Macros of C and C++ in positions where the grammars expect keywords. */
const MACROS = [
  // class EXPORT Stack {
  /(?<=\b(?:class|struct|union)\s+)[A-Z][A-Z0-9_]{2,}(?:\([^()\n]{0,200}\))?(?=\s+[A-Za-z_]\w*\s*(?:final\s*)?[:{])/gu,
  // EXPORT static int count(void)
  /(?<=^[ \t]*)[A-Z][A-Z0-9_]{3,}(?:\([^()\n]{0,200}\))?(?=[ \t]+(?:static|inline|extern|const|unsigned|signed|void|int|char|long|short|bool|float|double|struct|enum|virtual|explicit|template)\b)/gmu,
  // BOOL WINAPI main(…)
  /(?<=\w[ \t*]+)(?:WINAPI|CALLBACK|APIENTRY|STDCALL|CDECL)(?=[ \t]+\w)/gu,
  // void push() REQUIRES(lock) {
  /(?<=\)\s*(?:const\s+)?)[A-Z][A-Z0-9_]{3,}(?:\([^()\n]{0,200}\))?(?=\s*\{)/gu,
];
/** Words that are newer than the grammars, or that they do not know in these places. */
const UNKNOWN: Partial<Record<Language, readonly RegExp[]>> = {
  c: MACROS,
  cpp: MACROS,
  kotlin: [
    // is Int if it > 3 -> …
    /(?<=^[ \t]*[^\s{}][^{}\n]{0,200}[ \t])if[ \t(][^{}\n]{0,200}?(?=[ \t]*->)/gmu,
    // internal actual constructor(…)
    /(?<=\b(?:internal|public|private|protected)\s+)(?:actual|expect)(?=\s+constructor\b)/gu,
  ],
  // case failed(any Error), and func run(_ work: sending Work)
  swift: [/\b(?:any|sending|borrowing|consuming)(?=\s+[A-Z@])/gu],
};
/** Where the grammar of Kotlin needs a semicolon that people omit: in `class Full : Stack() { fun size() = 1 }`. What a text puts in is left alone. */
const OPEN_END = /(?<=[^\s{;,(][ \t]*)(?<!\$\{[^"\n]{0,200})[ \t](?=\})/gu;
const CONDITIONAL: ReadonlySet<Language> = new Set(["c", "cpp", "csharp", "swift"] as const);

/** A text without some of its words. */
interface PlainerText {
  readonly text: string;
  /** The number of letters of conditional code and directives that were removed. */
  readonly leftOut: number;
  /** The first line of code that is not there. */
  readonly leftOutLine?: number;
}

/**
 * Texts to read instead of one that its grammar has lost its way in, each plainer than the one before. What is left out is blank, so
 * that every offset and line stays where it was.
 */
export function* simplifyTexts(language: Language, text: string): Generator<PlainerText> {
  const bare = (UNKNOWN[language] ?? []).reduce((plain, unknown) => plain.replaceAll(unknown, blankOut), text);
  if (bare !== text) yield { text: bare, leftOut: 0 };
  if (language === "kotlin") {
    const ended = bare.replaceAll(OPEN_END, ";");
    if (ended !== bare) yield { text: ended, leftOut: 0 };
  }
  if (!CONDITIONAL.has(language) || !/^[ \t]*#[ \t]*if/mu.test(text)) return;
  for (const keep of ["every branch", "what fits", "the first branch"] as const) {
    const { text: plainer, leftOutLine } = blankDirectives(bare, keep);
    const leftOut = lettersIn(bare) - lettersIn(plainer);
    yield { text: plainer, leftOut, ...(leftOutLine !== undefined && { leftOutLine }) };
  }
}

const lettersIn = (text: string): number => text.replaceAll(/\s+/gu, "").length;
