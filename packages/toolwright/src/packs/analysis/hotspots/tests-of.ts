import path from "node:path";
import type { Language } from "../../../syntax/languages.js";
import type { ProjectFile } from "../project/project.js";
import type { TestOfFunction } from "./hotspots.js";

/** How many are told of one function. */
const MOST_TESTS = 10;
const MOST_UNSURE = 3;

const BY = ["imports and calls", "imports", "calls"] as const;

/**
 * The test files that touch a function: by importing its file, or by calling something of its name. The surest come first, and a
 * call alone counts only where no test imports the file, and the test has no function of that name itself.
 */
export function testsOf(
  { path: file, language, name }: { readonly path: string; readonly language: Language; readonly name: string },
  tests: readonly ProjectFile<"measures" | "calls" | "imports">[],
): readonly TestOfFunction[] {
  const called = lastName(name);
  const found = tests
    .filter((test) => familyOf(test.language) === familyOf(language))
    .flatMap(({ path: test, facts }): TestOfFunction[] => {
      const isImported = facts.imports.some(({ from }) => leadsTo(test, from, file));
      const isCalled =
        facts.calls.some((site) => site.called === called) &&
        !facts.measures.functions.some((own) => lastName(own.name) === called);
      if (!isImported && !isCalled) return [];
      return [{ path: test, by: isImported && isCalled ? BY[0] : isImported ? BY[1] : BY[2] }];
    })
    .toSorted((one, other) => BY.indexOf(one.by) - BY.indexOf(other.by));
  const isSure = found.some(({ by }) => by !== "calls");
  return found.filter(({ by }) => !isSure || by !== "calls").slice(0, isSure ? MOST_TESTS : MOST_UNSURE);
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

/** Whether an import, as it is written, may mean a file: a path from where it stands, or the end of the path of the file. */
function leadsTo(importer: string, from: string, file: string): boolean {
  const wanted = bare(file);
  if (/^\.{1,2}\//.test(from)) return bare(path.posix.join(path.posix.dirname(importer), from)) === wanted;
  const words = from.replaceAll(/["'<>]/g, "");
  const way = bare(/[/]/.test(words) ? words : words.replaceAll(/::|\\|\./g, "/")).replace(
    /^(?:crate|self|super|\/)+\/?/,
    "",
  );
  return way !== "" && (wanted === way || wanted.endsWith(`/${way}`));
}

/** A path without the end of its name, and without the name where that stands for the folder. */
const bare = (file: string): string =>
  file.replace(/\.(?:d\.)?[a-z+]{1,5}$/i, "").replace(/\/(?:index|mod|__init__)$/, "");
