import path from "node:path";

/** A language whose sources can be read. */
export type Language = keyof typeof LANGUAGES;

/** Every language, the ends of its file names, and its name in sentences. */
export const LANGUAGES = {
  typescript: { title: "TypeScript", ends: [".ts", ".mts", ".cts"] },
  tsx: { title: "TSX", ends: [".tsx"] },
  javascript: { title: "JavaScript", ends: [".js", ".mjs", ".cjs", ".jsx"] },
  python: { title: "Python", ends: [".py", ".pyi"] },
  rust: { title: "Rust", ends: [".rs"] },
  go: { title: "Go", ends: [".go"] },
  java: { title: "Java", ends: [".java"] },
  c: { title: "C", ends: [".c", ".h"] },
  cpp: { title: "C++", ends: [".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx", ".h++", ".c++"] },
  csharp: { title: "C#", ends: [".cs"] },
  kotlin: { title: "Kotlin", ends: [".kt", ".kts"] },
  ruby: { title: "Ruby", ends: [".rb", ".rake", ".gemspec"] },
  php: { title: "PHP", ends: [".php"] },
  swift: { title: "Swift", ends: [".swift"] },
} as const satisfies Record<string, { title: string; ends: readonly string[] }>;

const BY_END = new Map<string, Language>(
  Object.entries(LANGUAGES).flatMap(([language, { ends }]) =>
    ends.map((end): [string, Language] => [end, language as Language]),
  ),
);

/** The language of a file by its name, which of a header is not the last word; undefined = none that can be read. */
export const languageOf = (name: string): Language | undefined => BY_END.get(path.extname(name).toLowerCase());

/** Lines that are not C: their ends distinguish them from prose in comments. */
const CPP_LINE =
  /^[ \t]*(?:(?:class|struct)\s+(?:\w+\s+)?\w+\s*(?:final\s*)?:[^:]|class\s+(?:\w+\s+)?\w+\s*(?:final\s*)?(?:[{;]|$)|(?:inline\s+)?namespace(?:\s+[\w:]+)?\s*(?:\{|$)|template\s*<|using\s+(?:namespace\s+)?[\w:]+\s*[=;]|(?:public|private|protected)\s*:)/mu;

/** Whether the language of a file depends on its text: `.h` is also the end of C++ headers. */
export const isHeader = (name: string): boolean => path.extname(name).toLowerCase() === ".h";

/** The language of a header by its text. */
export const languageOfHeader = (text: string): Language => (CPP_LINE.test(text) ? "cpp" : "c");

/** Spaces with the length and lines of a text, so that later offsets do not change. */
export const blankOut = (text: string): string => text.replaceAll(/[^\r\n]/gu, (letter) => " ".repeat(letter.length));
