import path from "node:path";
import { isWithin } from "@toolwright/kit/files";
import { openRepository, type Repository, resolveCommit } from "@toolwright/kit/git";
import { type Language, languageOf } from "@toolwright/kit/syntax";
import type { Analysis } from "../analysis.js";
import type { FunctionMeasures } from "../metrics/measures.js";
import { type FactReader, openFactReader, readContentFacts } from "../project/file-facts.js";
import { createLanguageFilter } from "../project/find-sources.js";
import {
  type AnalysisCall,
  allowManyListeners,
  type Project,
  type ProjectFile,
  type SkippedFile,
  type SourceQuery,
} from "../project/project.js";
import { findMoved, findOldFiles, type OldFile, type OldFiles, readOldFiles } from "./old-files.js";
import type { Baseline, Regression } from "./report.js";
import { METRICS } from "./violations.js";

/** A project compared with a commit. */
export interface Comparison {
  readonly baseline: Baseline;
  /** The earlier state of a function; undefined = it is new. */
  readonly was: (measures: FunctionMeasures) => Comparable | undefined;
  /** Files whose earlier version could not be read. */
  readonly skipped: readonly SkippedFile[];
}

/** Finds the commit to compare with. Throws if it does not exist. */
export async function findBaseline(
  analysis: Analysis,
  call: AnalysisCall,
  { revision, path: inputPath }: { readonly revision: string; readonly path: string },
): Promise<{ readonly repository: Repository; readonly commit: string }> {
  const repository = await openRepository(await analysis.fileAccess(call), inputPath, call);
  return { repository, commit: await resolveCommit(repository, revision) };
}

/** Compares each function of a project with its state in a commit. */
export async function compareWith(
  analysis: Analysis,
  call: AnalysisCall,
  { revision, project, query }: { revision: string; project: Project<"measures">; query: SourceQuery },
): Promise<Comparison> {
  allowManyListeners(call);
  const { repository, commit } = await findBaseline(analysis, call, { revision, path: query.path });
  const old = await findOldFiles(repository, commit, project.root);
  const reader = await openFactReader(analysis);
  return new Comparer({ analysis, call, repository, project, query, old, reader }).compare(revision, commit);
}

interface CompareOptions {
  readonly analysis: Analysis;
  readonly call: AnalysisCall;
  readonly repository: Repository;
  readonly project: Project<"measures">;
  readonly query: SourceQuery;
  readonly old: OldFiles;
  readonly reader: FactReader;
}

type ChangedFile = OldFile & { readonly file: ProjectFile<"measures"> };

/** The state of one comparison. */
class Comparer {
  readonly #options: CompareOptions;
  readonly #was = new Map<FunctionMeasures, Comparable>();
  readonly #worse: Regression[] = [];
  #worseFunctions = 0;
  readonly #skipped: SkippedFile[] = [];
  #better = 0;
  #removed = 0;

  constructor(options: CompareOptions) {
    this.#options = options;
  }

  async compare(revision: string, commit: string): Promise<Comparison> {
    const { project, old, reader } = this.#options;
    const moved = await this.#findMoved();
    const changed: ChangedFile[] = [];
    for (const file of project.files) {
      const before = old.changed.get(file.realPath) ?? moved.get(file.realPath);
      if (before !== undefined) changed.push({ ...before, file });
      else if (old.existed(file.realPath)) this.#keep(file);
    }
    await this.#compareChanged(changed);
    await this.#countRemoved(new Set(moved.values()));
    reader.cache?.flush();
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

  /** The functions of a file are what they were. */
  #keep({ facts }: ProjectFile<"measures">): void {
    for (const each of facts.measures.functions) this.#was.set(each, each);
  }

  async #compareChanged(changed: readonly ChangedFile[]): Promise<void> {
    for await (const batch of this.#read(changed)) {
      const earlier = await Promise.all(batch.map(({ file, bytes }) => this.#measure(bytes, file.file.language)));
      for (const [at, before] of earlier.entries()) {
        const file = batch[at]?.file.file;
        if (file === undefined) continue;
        if (before !== undefined) this.#compareFile(file, before);
        else {
          this.#keep(file);
          this.#skipped.push({ path: file.path, reason: "its version in the baseline cannot be read" });
        }
      }
    }
  }

  #compareFile({ displayPath, facts }: ProjectFile<"measures">, before: readonly Comparable[]): void {
    const { pairs, removed } = matchFunctions(before, facts.measures.functions);
    this.#removed += removed;
    for (const [was, is] of pairs) {
      this.#was.set(is, was);
      const worse = METRICS.filter((metric) => is[metric] > was[metric]);
      for (const metric of worse)
        this.#worse.push({
          file: displayPath,
          function: is.name,
          line: is.line,
          metric,
          was: was[metric],
          is: is[metric],
        });
      if (worse.length > 0) this.#worseFunctions += 1;
      else if (METRICS.some((metric) => is[metric] < was[metric])) this.#better += 1;
    }
  }

  /** A file may have been moved here from anywhere, also from outside of what is analyzed. */
  async #findMoved(): Promise<ReadonlyMap<string, OldFile>> {
    const { analysis, call, repository, project, old } = this.#options;
    const removed = old.removed.filter(({ realPath }) => languageOf(realPath) !== undefined);
    const added = project.files.filter(({ realPath }) => !old.existed(realPath));
    return findMoved({ repository, call, removed, added, maxBytes: analysis.settings.maxFileBytes });
  }

  /** The functions of removed files are removed, too, unless the file was moved. */
  async #countRemoved(moved: ReadonlySet<OldFile>): Promise<void> {
    const { analysis, project, query, old } = this.#options;
    const exclude = [...(query.exclude ?? []), ...analysis.settings.exclude];
    const languageIfSelected = createLanguageFilter({ ...query, exclude });
    const removed = old.removed.flatMap((file) => {
      if (moved.has(file) || !isWithin(project.root, file.realPath)) return [];
      const language = languageIfSelected(path.relative(project.root, file.realPath).split(path.sep).join("/"));
      return language === undefined ? [] : [{ ...file, language }];
    });
    for await (const batch of this.#read(removed)) {
      const measured = batch.map(({ file: { language }, bytes }) => this.#measure(bytes, language));
      for (const functions of await Promise.all(measured)) this.#removed += functions?.length ?? 0;
    }
  }

  #read<File extends OldFile>(files: readonly File[]): ReturnType<typeof readOldFiles<File>> {
    const { repository, analysis, call } = this.#options;
    return readOldFiles(repository, files, analysis.settings.maxFileBytes, call);
  }

  async #measure(bytes: Uint8Array | undefined, language: Language): Promise<readonly Comparable[] | undefined> {
    if (bytes === undefined) return undefined;
    const { reader, call } = this.#options;
    const { facts } = await readContentFacts(reader, bytes, { language, wanted: ["measures"], signal: call.signal });
    // The increments take most of the memory, and are not compared.
    return facts?.measures.functions.map(({ increments: _increments, ...measures }) => measures);
  }
}

/** What is compared of two states of a function. */
export type Comparable = Pick<
  FunctionMeasures,
  "name" | "cyclomatic" | "cognitive" | "nesting" | "parameters" | "lines" | "code_lines" | "halstead"
>;

/** The functions of a file before and after a change. */
export interface MatchedFunctions<Before extends Comparable, After extends Comparable> {
  readonly pairs: readonly (readonly [before: Before, after: After])[];
  readonly added: readonly After[];
  readonly removed: number;
}

/**
 * Matches functions by name. Among functions of one name, such as anonymous ones, those with the same numbers match first, then the
 * others in their order. Of the rest, functions with equal measurements match: they were renamed.
 */
export function matchFunctions<Before extends Comparable, After extends Comparable>(
  before: readonly Before[],
  after: readonly After[],
): MatchedFunctions<Before, After> {
  const left = { before, after };
  const pairs = [
    ...pairUp(left, ({ name, cyclomatic, cognitive }) => `${cyclomatic} ${cognitive} ${name}`),
    ...pairUp(left, ({ name }) => name),
    ...pairUp(left, measurementsOf),
  ];
  return { pairs, added: left.after, removed: left.before.length };
}

/** Removes the pairs with equal keys from what is left, in their order. */
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

const measurementsOf = (each: Comparable): string =>
  JSON.stringify([
    each.cyclomatic,
    each.cognitive,
    each.nesting,
    each.parameters,
    each.lines,
    each.code_lines,
    each.halstead.operators,
    each.halstead.operands,
    each.halstead.distinct_operators,
    each.halstead.distinct_operands,
  ]);
