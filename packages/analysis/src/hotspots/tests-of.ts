import type { Language } from "@toolwright/kit/syntax";
import type { ProjectFile } from "../project/project.js";
import type { TestOfFunction } from "./hotspots.js";

/** How many are told of one function. */
const MOST_TESTS = 10;
const MOST_UNSURE = 3;

const BY = ["imports and calls", "imports", "calls"] as const;

/** A function, and the files that import its file. */
interface Tested {
  /** With the names of what it lies in. */
  readonly name: string;
  readonly language: Language;
  readonly importers: ReadonlySet<string>;
}

/**
 * The test files that touch a function: by importing its file, or by calling something of its name. The surest come first; of
 * those that only call, which may mean another function, there are few, and none that has a function of that name itself.
 */
export function testsOf(
  { name, language, importers }: Tested,
  tests: readonly ProjectFile<"measures" | "calls">[],
): readonly TestOfFunction[] {
  const called = lastName(name);
  const found = tests
    .filter((test) => familyOf(test.language) === familyOf(language))
    .flatMap(({ path, facts }): TestOfFunction[] => {
      const isImported = importers.has(path);
      const isCalled =
        facts.calls.some((site) => site.called === called) &&
        !facts.measures.functions.some((own) => lastName(own.name) === called);
      if (!isImported && !isCalled) return [];
      return [{ path, by: isImported && isCalled ? BY[0] : isImported ? BY[1] : BY[2] }];
    });
  const by = (kind: TestOfFunction["by"]): TestOfFunction[] => found.filter((test) => test.by === kind);
  return [...by(BY[0]), ...by(BY[1]).slice(0, MOST_UNSURE), ...by(BY[2]).slice(0, MOST_UNSURE)].slice(0, MOST_TESTS);
}

/** Languages whose files import each other. */
const familyOf = (language: Language): string => FAMILIES[language] ?? language;

const FAMILIES: Readonly<Partial<Record<Language, string>>> = {
  tsx: "typescript",
  javascript: "typescript",
  c: "cpp",
  kotlin: "java",
};

/** The name by which a function is called: `push` of `Stack.push`. */
export const lastName = (name: string): string => name.slice(name.lastIndexOf(".") + 1);
