import path from "node:path";
import { isWithin } from "@toolwright/kit/files";
import { openRepository, type Repository, resolveCommit } from "@toolwright/kit/git";
import { type Language, languageOf } from "@toolwright/kit/syntax";
import type { Analysis } from "../analysis.js";
import type { FunctionMeasures } from "../metrics/measures.js";
import { openTellers, type Tellers, tellFacts } from "../project/file-facts.js";
import { type SourceWish, wantedLanguage } from "../project/find-sources.js";
import { type Project, type ProjectCall, type ProjectFile, type SkippedFile, widen } from "../project/project.js";
import { findMoved, findOldFiles, type OldFile, type OldFiles, readOldFiles } from "./old-files.js";
import type { Baseline, Worse } from "./report.js";
import { METRICS } from "./violations.js";

/** A project held against a commit. */
export interface Comparison {
  readonly baseline: Baseline;
  /** What a function was; undefined = it is new. */
  readonly was: (measures: FunctionMeasures) => Comparable | undefined;
  /** Files whose state in the commit could not be read. */
  readonly skipped: readonly SkippedFile[];
}

/** Finds the commit to compare with. Throws where there is none. */
export async function findBaseline(
  analysis: Analysis,
  call: ProjectCall,
  { revision, path: given }: { readonly revision: string; readonly path: string },
): Promise<{ readonly repository: Repository; readonly commit: string }> {
  const repository = await openRepository(await analysis.reach(call), given, call);
  return { repository, commit: await resolveCommit(repository, revision) };
}

/** Holds each function of a project against what it was in a commit. */
export async function compareWith(
  analysis: Analysis,
  call: ProjectCall,
  { revision, project, wish }: { revision: string; project: Project<"measures">; wish: SourceWish },
): Promise<Comparison> {
  widen(call);
  const { repository, commit } = await findBaseline(analysis, call, { revision, path: wish.path });
  const old = await findOldFiles(repository, commit, project.root);
  return new Comparing({ analysis, call, repository, project, wish, old }).compare(revision, commit);
}

interface Given {
  readonly analysis: Analysis;
  readonly call: ProjectCall;
  readonly repository: Repository;
  readonly project: Project<"measures">;
  readonly wish: SourceWish;
  readonly old: OldFiles;
}

/** A comparison, as far as it has come. */
class Comparing {
  readonly #given: Given;
  readonly #was = new Map<FunctionMeasures, Comparable>();
  readonly #worse: Worse[] = [];
  #worseFunctions = 0;
  readonly #skipped: SkippedFile[] = [];
  #better = 0;
  #removed = 0;

  constructor(given: Given) {
    this.#given = given;
  }

  async compare(revision: string, commit: string): Promise<Comparison> {
    const { project, old } = this.#given;
    const moved = await this.#findMoved();
    const changed: (OldFile & { readonly file: ProjectFile<"measures"> })[] = [];
    for (const file of project.files) {
      const before = old.changed.get(file.place) ?? moved.get(file.place);
      if (before !== undefined) changed.push({ ...before, file });
      else if (old.isThere(file.place)) for (const each of file.facts.measures.functions) this.#was.set(each, each);
    }
    const tellers = await openTellers(this.#given.analysis);
    await this.#compareChanged(tellers, changed);
    await this.#countRemoved(tellers, new Set(moved.values()));
    tellers.cache?.flush();
    return {
      baseline: {
        revision,
        commit,
        worse: this.#worse,
        worse_functions: this.#worseFunctions,
        better: this.#better,
        removed: this.#removed,
      },
      was: (measures) => this.#was.get(measures),
      skipped: this.#skipped,
    };
  }

  async #compareChanged(
    tellers: Tellers,
    changed: readonly (OldFile & { readonly file: ProjectFile<"measures"> })[],
  ): Promise<void> {
    for await (const some of this.#read(changed)) {
      const told = some.map(({ file: { file }, bytes }) => this.#measure(tellers, bytes, file.language));
      for (const [at, before] of (await Promise.all(told)).entries()) {
        const file = some[at]?.file.file;
        if (file !== undefined && before !== undefined) this.#compareFile(file, before);
        else if (file !== undefined) this.#passOver(file);
      }
    }
  }

  /** Nothing can be said against functions of which nothing is known. */
  #passOver({ path: name, facts }: ProjectFile<"measures">): void {
    for (const each of facts.measures.functions) this.#was.set(each, each);
    this.#skipped.push({ path: name, reason: "what it was in the baseline cannot be read" });
  }

  #compareFile({ shown, facts }: ProjectFile<"measures">, before: readonly Comparable[]): void {
    const { pairs, removed } = matchFunctions(before, facts.measures.functions);
    this.#removed += removed;
    for (const [was, is] of pairs) {
      this.#was.set(is, was);
      const worse = METRICS.filter((metric) => is[metric] > was[metric]);
      for (const metric of worse)
        this.#worse.push({ file: shown, function: is.name, line: is.line, metric, was: was[metric], is: is[metric] });
      if (worse.length > 0) this.#worseFunctions += 1;
      else if (METRICS.some((metric) => is[metric] < was[metric])) this.#better += 1;
    }
  }

  /** What has come here may have been anywhere, and nobody need have wanted to look at it there. */
  async #findMoved(): Promise<ReadonlyMap<string, OldFile>> {
    const { analysis, call, repository, project, old } = this.#given;
    const removed = old.removed.filter(({ place }) => languageOf(place) !== undefined);
    const added = project.files.filter(({ place }) => !old.isThere(place));
    return findMoved({ repository, call, removed, added, most: analysis.settings.file_bytes });
  }

  /** The functions of files that are gone are gone too, unless the file was moved. */
  async #countRemoved(tellers: Tellers, moved: ReadonlySet<OldFile>): Promise<void> {
    const { analysis, project, wish, old } = this.#given;
    const wanted = wantedLanguage({ ...wish, exclude: [...(wish.exclude ?? []), ...analysis.settings.exclude] });
    const removed = old.removed.flatMap((file) => {
      if (moved.has(file) || !isWithin(project.root, file.place)) return [];
      const language = wanted(path.relative(project.root, file.place).split(path.sep).join("/"));
      return language === undefined ? [] : [{ ...file, language }];
    });
    for await (const some of this.#read(removed)) {
      const told = some.map(({ file: { language }, bytes }) => this.#measure(tellers, bytes, language));
      for (const functions of await Promise.all(told)) this.#removed += functions?.length ?? 0;
    }
  }

  #read<Wanted extends OldFile>(files: readonly Wanted[]): ReturnType<typeof readOldFiles<Wanted>> {
    const { repository, analysis, call } = this.#given;
    return readOldFiles(repository, files, analysis.settings.file_bytes, call);
  }

  async #measure(
    tellers: Tellers,
    bytes: Uint8Array | undefined,
    language: Language,
  ): Promise<readonly Comparable[] | undefined> {
    if (bytes === undefined) return undefined;
    const wish = { language, wanted: ["measures"] as const, signal: this.#given.call.signal };
    const { facts } = await tellFacts(tellers, bytes, wish);
    // The increments are the most of what is measured, and nothing is compared by them.
    return facts?.measures.functions.map(({ increments: _increments, ...measures }) => measures);
  }
}

/** What two states of a function are compared by. */
export type Comparable = Pick<
  FunctionMeasures,
  "name" | "cyclomatic" | "cognitive" | "nesting" | "parameters" | "lines" | "code_lines" | "halstead"
>;

/** The functions of a file before and after: those that are the same, the new ones, and how many are gone. */
export interface Matched<Before extends Comparable, After extends Comparable> {
  readonly pairs: readonly (readonly [before: Before, after: After])[];
  readonly added: readonly After[];
  readonly removed: number;
}

/**
 * Finds out which function was which. They are the same by their names; of several with one name, such as those without any, first
 * the ones that have the same numbers, then the others in their order. What is left was renamed if all that was measured is equal.
 */
export function matchFunctions<Before extends Comparable, After extends Comparable>(
  before: readonly Before[],
  after: readonly After[],
): Matched<Before, After> {
  const left = { before, after };
  const pairs = [
    ...pairUp(left, ({ name, cyclomatic, cognitive }) => `${cyclomatic} ${cognitive} ${name}`),
    ...pairUp(left, ({ name }) => name),
    ...pairUp(left, shapeOf),
  ];
  return { pairs, added: left.after, removed: left.before.length };
}

/** Takes out of what is left those that are alike, in their order. */
function pairUp<Before, After>(
  left: { before: readonly Before[]; after: readonly After[] },
  keyOf: (each: Before | After) => string,
): readonly (readonly [Before, After])[] {
  const waiting = new Map<string, Before[]>();
  for (const each of left.before) {
    const alike = waiting.get(keyOf(each));
    if (alike === undefined) waiting.set(keyOf(each), [each]);
    else alike.push(each);
  }
  const pairs: (readonly [Before, After])[] = [];
  const added: After[] = [];
  for (const each of left.after) {
    const was = waiting.get(keyOf(each))?.shift();
    if (was === undefined) added.push(each);
    else pairs.push([was, each]);
  }
  left.before = [...waiting.values()].flat();
  left.after = added;
  return pairs;
}

/** All that was measured but the name. */
const shapeOf = ({ cyclomatic, cognitive, nesting, parameters, lines, code_lines, halstead }: Comparable): string =>
  JSON.stringify([
    cyclomatic,
    cognitive,
    nesting,
    parameters,
    lines,
    code_lines,
    halstead.operators,
    halstead.operands,
    halstead.distinct_operators,
    halstead.distinct_operands,
  ]);
