import type { Language } from "@toolwright/kit/syntax";
import type { CallSite } from "../facts/facts.js";
import type { FunctionMeasures } from "../metrics/measures.js";
import type { ProjectFile } from "../project/project.js";
import type { FunctionBrief, TestOfFunction } from "./hotspots.js";

type NamedRange = Pick<FunctionMeasures, "name" | "line" | "end_line">;

/** A file that is searched for callers. */
interface CallingFile {
  readonly language: Language;
  readonly facts: {
    readonly calls: readonly CallSite[];
    readonly measures: { readonly functions: readonly NamedRange[] };
  };
}

const MAX_CALLERS = 15;

/** Languages in which a method is called by its name alone inside its class. */
const IMPLICIT_RECEIVER: ReadonlySet<Language> = new Set(["java", "kotlin", "csharp", "cpp", "swift", "ruby"]);

/** The calls of a function in its own file. */
export function callersOf(file: CallingFile, { name, line, end_line }: NamedRange): FunctionBrief["callers"] {
  const called = lastName(name);
  const names = new Set(file.facts.measures.functions.map((each) => each.name));
  const callers = new Map<string, FunctionBrief["callers"][number]>();
  for (const site of file.facts.calls) {
    const isOutside = site.line < line || site.line > end_line;
    if (site.called !== called || !isOutside || !mayCall(site, name, names, file.language)) continue;
    const caller = site.caller ?? "(top level)";
    callers.set(`${caller}:${site.line}`, { caller, line: site.line });
  }
  return [...callers.values()].slice(0, MAX_CALLERS);
}

/** Whether a call may be of the function `name`, as far as that can be told without types. */
function mayCall(site: CallSite, name: string, names: ReadonlySet<string>, language: Language): boolean {
  // A function in another function, or at the top level, is called without a receiver.
  const isMethod = name.includes(".") && !names.has(name.slice(0, name.lastIndexOf(".")));
  if (site.receiver === "other") return isMethod;
  const isSelf = site.receiver === "self";
  for (const scope of scopesOf(site.caller)) {
    const candidate = scope === "" ? site.called : `${scope}.${site.called}`;
    const isVisible = isSelf ? scope !== "" : scope === "" || names.has(scope) || IMPLICIT_RECEIVER.has(language);
    if (isVisible && names.has(candidate)) return candidate === name;
  }
  // An inherited method is not in the class of the caller, and members of a namespace may be called without its name.
  return isMethod && (isSelf || IMPLICIT_RECEIVER.has(language));
}

/** The scopes around a call, innermost first: `A.f`, `A` and "". */
function scopesOf(caller = ""): readonly string[] {
  const parts = caller === "" ? [] : caller.split(".");
  return [...parts.map((_, index) => parts.slice(0, parts.length - index).join(".")), ""];
}

/** How many tests are listed, and how many of each uncertain kind. */
const MAX_TESTS = 10;
const MAX_UNCERTAIN = 3;

const BY = ["imports and calls", "imports", "calls"] as const;

/** A function, and the files that import its file. */
interface TestedFunction {
  /** Qualified with the names of its containers. */
  readonly name: string;
  readonly language: Language;
  readonly importers: ReadonlySet<string>;
}

/**
 * The test files that cover a function, by importing its file or by calling its name. Tests that do both come first. A call alone may
 * be of another function, so only a few of these are listed, and none that declares a function of that name itself.
 */
export function testsOf(
  { name, language, importers }: TestedFunction,
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
  return [...by(BY[0]), ...by(BY[1]).slice(0, MAX_UNCERTAIN), ...by(BY[2]).slice(0, MAX_UNCERTAIN)].slice(0, MAX_TESTS);
}

/** Languages whose files import each other. */
const FAMILIES: Readonly<Partial<Record<Language, string>>> = {
  tsx: "typescript",
  javascript: "typescript",
  c: "cpp",
  kotlin: "java",
};

const familyOf = (language: Language): string => FAMILIES[language] ?? language;

/** The name by which a function is called: `push` of `Stack.push`. */
const lastName = (name: string): string => name.slice(name.lastIndexOf(".") + 1);
