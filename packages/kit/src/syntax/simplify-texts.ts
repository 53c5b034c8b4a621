import { blankDirectives } from "./blank-directives.js";
import { blankOut } from "./blank-out.js";
import type { Language } from "./languages.js";

/** Macros of C and C++ that stand where the grammars know only words of the language. */
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
/** Where the grammar of Kotlin needs the end of a statement that people leave out: in `class Full : Stack() { fun size() = 1 }`. What a text puts in is left alone. */
const OPEN_END = /(?<=[^\s{;,(][ \t]*)(?<!\$\{[^"\n]{0,200})[ \t](?=\})/gu;
const CONDITIONAL: ReadonlySet<Language> = new Set(["c", "cpp", "csharp", "swift"] as const);

/** A text without some of its words. */
interface PlainerText {
  readonly text: string;
  /** How many letters of conditional code, and of what is said about it, are not there. */
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
