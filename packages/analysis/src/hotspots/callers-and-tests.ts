import type { Language } from "@toolwright/kit/syntax";
import type { CallSite } from "../facts/facts.js";
import type { FunctionMeasures } from "../metrics/measures.js";
import type { ProjectFile } from "../project/project.js";
import type { FunctionBrief, TestOfFunction } from "./hotspots.js";

type Named = Pick<FunctionMeasures, "name" | "line" | "end_line">;

/** What is looked through for callers. */
interface CallingFile {
  readonly language: Language;
  readonly facts: {
    readonly calls: readonly CallSite[];
    readonly measures: { readonly functions: readonly Named[] };
  };
}

const MOST_CALLERS = 15;

/** Where a method is called by its name alone from inside its class. */
const IMPLICIT: ReadonlySet<Language> = new Set(["java", "kotlin", "csharp", "cpp", "swift", "ruby"]);

/** Who calls a function in its own file, each caller and line once. */
export function callersOf(file: CallingFile, { name, line, end_line }: Named): FunctionBrief["callers"] {
  const called = lastName(name);
  const names = new Set(file.facts.measures.functions.map((each) => each.name));
  const callers = new Map<string, FunctionBrief["callers"][number]>();
  for (const site of file.facts.calls) {
    const isOutside = site.line < line || site.line > end_line;
    if (site.called !== called || !isOutside || !mayMean(site, name, names, file.language)) continue;
    const caller = site.caller ?? "(top level)";
    callers.set(`${caller}:${site.line}`, { caller, line: site.line });
  }
  return [...callers.values()].slice(0, MOST_CALLERS);
}

/** Whether a call may mean the function `name`, as far as it can be told without types. */
function mayMean(site: CallSite, name: string, names: ReadonlySet<string>, language: Language): boolean {
  // What lies in a function, or in nothing, is called on nothing.
  const isMethod = name.includes(".") && !names.has(name.slice(0, name.lastIndexOf(".")));
  if (site.receiver === "other") return isMethod;
  const isSelf = site.receiver === "self";
  for (const scope of scopesOf(site.caller)) {
    const meant = scope === "" ? site.called : `${scope}.${site.called}`;
    const canSee = isSelf ? scope !== "" : scope === "" || names.has(scope) || IMPLICIT.has(language);
    if (canSee && names.has(meant)) return meant === name;
  }
  // What is inherited is not in the class of the caller; what a namespace has may be called without its name.
  return isMethod && (isSelf || IMPLICIT.has(language));
}

/** The names of what a call lies in, from the inside out: `A.f`, `A` and "". */
function scopesOf(caller = ""): readonly string[] {
  const parts = caller === "" ? [] : caller.split(".");
  return [...parts.map((_, index) => parts.slice(0, parts.length - index).join(".")), ""];
}

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
