import { posix } from "node:path";
import type { Call } from "@toolwright/engine";
import type { Analysis } from "../analysis.js";
import type { Declaration } from "../facts/facts.js";
import { counted } from "../format.js";
import type { ImportGraph } from "../imports/graph.js";
import type { Manifest } from "../imports/manifests.js";
import { linkFiles } from "../imports/read-graph.js";
import { nothingFound, type ProjectFile } from "../project/project.js";
import { readProject } from "../project/read-project.js";
import { estimateTokens } from "./estimate-tokens.js";
import { kindsOf, type Said, sayManifests } from "./project-kind.js";

/** A file on the map. */
export interface ContextFile {
  readonly path: string;
  readonly lines: number;
  readonly used_by: number;
  /** Each with its line in front. */
  readonly declares: readonly string[];
  /** How many more it declares. */
  readonly more?: number;
}

/** A map of a project that a model can take in at once. */
export interface Context {
  readonly project: string;
  readonly kinds: readonly string[];
  readonly languages: Readonly<Record<string, number>>;
  readonly manifests: readonly Said[];
  readonly folders: readonly FolderSize[];
  readonly files: readonly ContextFile[];
  readonly left_out: { readonly files: number; readonly declarations: number };
  /** What to ask for next, where something is left out. */
  readonly hint?: string;
}

/** Which map is wanted. */
export interface ContextWish {
  readonly path: string;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly maxTokens: number;
}

/** Reads a project, and makes a map of it. */
export async function readContext(
  analysis: Analysis,
  call: Pick<Call, "signal" | "supports" | "roots" | "progress">,
  { path: given, include, exclude, maxTokens }: ContextWish,
): Promise<Context> {
  const { files, root } = await readProject(analysis, call, {
    path: given,
    include,
    exclude,
    wanted: ["imports", "outline", "measures"],
    // Of the measures only the lines are needed.
    trim: (facts) => ({ ...facts, measures: { ...facts.measures, functions: [] } }),
  });
  const { graph, manifests } = await linkFiles(await analysis.reach(call), given, files);
  return makeContext({ project: posix.basename(root), files, manifests, graph }, maxTokens);
}

/** What a map is made of. */
export interface ContextSource {
  readonly project: string;
  readonly files: readonly MappedFile[];
  readonly manifests: readonly Manifest[];
  readonly graph: ImportGraph;
}

/** Of the room, so much at most goes to manifests, to folders, and to one file. */
const SHARES = { manifests: 0.12, folders: 0.2, file: 0.25 } as const;

/** What the frame of a map takes: headings, the hint, the names of the members. */
const FRAME = 110;

/** The files of further languages are counted together. */
const MOST_LANGUAGES = 6;

/** How often a map is made anew to come near to the budget. */
const TURNS = 8;

/** Makes a map that has no more tokens than the budget, as Markdown and as JSON: what matters least is left out. */
export function makeContext(source: ContextSource, budget: number): Context {
  const ranked = rankFiles(source.files, source.graph);
  let best = fill(source, ranked, 0);
  // Parts are counted for more than they take together, so that there is room for more than the budget.
  let [low, high] = [0, budget * 2];
  for (let turn = 0; turn < TURNS; turn++) {
    const middle = (low + high) / 2;
    const context = fill(source, ranked, middle);
    const isIn = Math.max(estimateTokens(writeContext(context)), estimateTokens(JSON.stringify(context))) <= budget;
    if (isIn) best = context;
    [low, high] = isIn ? [middle, high] : [low, middle];
  }
  return best;
}

function fill(source: ContextSource, ranked: readonly RankedFile[], budget: number): Context {
  const head = {
    project: clean(source.project).slice(0, 24),
    kinds: kindsOf(source.manifests).slice(0, 5),
    languages: languagesOf(source.files),
  };
  let room = budget - FRAME - costOf(head);
  const manifests = take(sayManifests(source.manifests).map(cleanSaid), budget * SHARES.manifests);
  const folders = take(
    folderSizes(source.files).map((each) => ({ ...each, path: clean(each.path) })),
    budget * SHARES.folders,
  );
  const files = takeFiles();
  const shown = files.reduce((sum, { declares }) => sum + declares.length, 0);
  const all = ranked.reduce((sum, { file }) => sum + offersOf(file).length, 0);
  const left_out = { files: ranked.length - files.length, declarations: all - shown };
  const hint = hintFor(ranked, files, left_out);
  return { ...head, manifests, folders, files, left_out, ...(hint !== undefined && { hint }) };

  /** The first of a list that fit into a share of the room. */
  function take<Entry>(entries: readonly Entry[], share: number): Entry[] {
    let left = Math.min(share, room);
    const taken: Entry[] = [];
    for (const entry of entries) {
      const cost = costOf(entry);
      if (cost > left) break;
      left -= cost;
      room -= cost;
      taken.push(entry);
    }
    return taken;
  }

  function takeFiles(): ContextFile[] {
    const taken: ContextFile[] = [];
    for (const each of ranked) {
      const file = fitFile(each, Math.max(room * SHARES.file, Math.min(room, 60)));
      const cost = costOf(file);
      if (cost > room) break;
      room -= cost;
      taken.push(file);
    }
    return taken;
  }
}

/** As much of a file as fits. */
function fitFile({ file, usedBy }: RankedFile, room: number): ContextFile {
  const offers = offersOf(file);
  const bare = { path: clean(file.path), lines: file.facts.measures.lines, used_by: usedBy };
  let left = room - costOf({ ...bare, declares: [], more: offers.length });
  const declares: string[] = [];
  for (const { line, signature } of offers) {
    const said = `${line} ${clean(signature)}`;
    const cost = costOf(said) + 2;
    if (cost > left) break;
    left -= cost;
    declares.push(said);
  }
  const more = offers.length - declares.length;
  return { ...bare, declares, ...(more > 0 && { more }) };
}

/** What a file offers to others; of one that offers nothing, all that it declares. */
function offersOf({ facts: { outline } }: MappedFile): readonly Declaration[] {
  const told = outline.filter(({ kind }) => kind !== "module");
  const offered = told.filter(({ isExported }) => isExported);
  return offered.length > 0 ? offered : told;
}

/** What a value takes in a map, whichever way it is written. */
const costOf = (value: unknown): number => estimateTokens(JSON.stringify(value)) + 3;

function languagesOf(files: readonly MappedFile[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { language } of files) counts[language] = (counts[language] ?? 0) + 1;
  const sorted = Object.entries(counts).toSorted(([, a], [, b]) => b - a);
  const other = sorted.slice(MOST_LANGUAGES).reduce((sum, [, count]) => sum + count, 0);
  return { ...Object.fromEntries(sorted.slice(0, MOST_LANGUAGES)), ...(other > 0 && { other }) };
}

const cleanSaid = ({ path, says, name }: Said): Said => ({
  path: clean(path),
  says: clean(says).slice(0, 300),
  ...(name !== undefined && { name: clean(name).slice(0, 100) }),
});

/** Names can have line breaks and signs that nobody sees; in a map they would be instructions to the reader. */
const clean = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "�");

/** Where the most of what is left out lies. */
function hintFor(
  ranked: readonly RankedFile[],
  files: readonly ContextFile[],
  left: Context["left_out"],
): string | undefined {
  if (left.files === 0 && left.declarations === 0) return undefined;
  const counts = new Map<string, number>();
  for (const { file } of ranked.slice(files.length)) {
    const folder = clean(file.path.split("/").slice(0, -1).slice(0, 4).join("/"));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const [largest = ""] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  const glob = largest === "" || estimateTokens(largest) > 30 ? "src/**" : `${largest}/**`;
  return `For the rest, ask with include, such as [${JSON.stringify(glob)}], or a larger max_tokens.`;
}

/** A file of which a map can tell. */
export type MappedFile = ProjectFile<"imports" | "outline" | "measures">;

/** A file and how much it matters. */
export interface RankedFile {
  readonly file: MappedFile;
  readonly usedBy: number;
  readonly score: number;
}

/** Where programs and packages begin. */
const ENTRY = /^(?:index|main|mod|lib|app|server|cli|__init__|__main__|program|application)$/i;

/** Puts the files first that others need to know: used by many, entry points, with much to offer. Tests come last. */
export function rankFiles(files: readonly MappedFile[], { links }: ImportGraph): RankedFile[] {
  const users = new Map<string, number>();
  for (const { to } of links) users.set(to, (users.get(to) ?? 0) + 1);
  return files
    .map((file): RankedFile => {
      const usedBy = users.get(file.path) ?? 0;
      return { file, usedBy, score: scoreOf(file, usedBy) };
    })
    .sort((a, b) => b.score - a.score || (a.file.path < b.file.path ? -1 : 1));
}

function scoreOf({ path: name, origin, facts }: MappedFile, usedBy: number): number {
  const offered = facts.outline.filter(({ isExported }) => isExported).length;
  const depth = name.split("/").length;
  const isEntry = ENTRY.test(posix.basename(name).replace(/\..*$/, ""));
  const score =
    2 * Math.log2(1 + usedBy) + (isEntry ? Math.max(1, 6 - depth) : 0) + Math.log2(1 + offered) - depth / 10;
  return origin === "own" ? score : score - 100;
}

/** A folder, and how much is in it. */
export interface FolderSize {
  readonly path: string;
  readonly files: number;
  readonly lines: number;
}

/** The folders of a project with all below them, the largest of each level first; those with one folder and nothing else are left out. */
export function folderSizes(files: readonly MappedFile[]): FolderSize[] {
  const sizes = new Map<string, { files: number; lines: number; own: number }>();
  for (const { path: name, facts } of files) {
    let folder = posix.dirname(name);
    for (let own = 1; folder !== "."; folder = posix.dirname(folder), own = 0) {
      const size = sizes.get(folder) ?? { files: 0, lines: 0, own: 0 };
      sizes.set(folder, {
        files: size.files + 1,
        lines: size.lines + facts.measures.lines,
        own: size.own + own,
      });
    }
  }
  const children = new Map<string, number>();
  for (const folder of sizes.keys()) {
    const above = posix.dirname(folder);
    children.set(above, (children.get(above) ?? 0) + 1);
  }
  return [...sizes]
    .filter(([folder, { own }]) => own > 0 || children.get(folder) !== 1)
    .map(([folder, { files: count, lines }]) => ({ path: folder, files: count, lines }))
    .sort((a, b) => levelOf(a) - levelOf(b) || b.lines - a.lines || (a.path < b.path ? -1 : 1));
}

const levelOf = ({ path: folder }: FolderSize): number => folder.split("/").length;

/** A map as Markdown. */
export function writeContext(context: Context): string {
  const { project, kinds, languages, manifests, folders, files, left_out, hint } = context;
  const counts = Object.entries(languages).map(([language, count]) => `${count} ${language}`);
  return [
    `# ${project}${kinds.length > 0 ? ` (${kinds.join(", ")})` : ""}`,
    counts.length > 0 ? `Files: ${counts.join(", ")}` : nothingFound(0),
    ...manifests.map(
      ({ path, name, says }) => `- ${[path, name, says].filter((each) => (each ?? "") !== "").join(": ")}`,
    ),
    ...(folders.length > 0 ? ["## Folders"] : []),
    ...folders.map(
      ({ path, files: count, lines }) => `- ${path}/ ${counted(count, "file")}, ${counted(lines, "line")}`,
    ),
    ...(files.length > 0 ? ["## Files, the most important first"] : []),
    ...files.flatMap(({ path, lines, used_by, declares, more }) => [
      `### ${path} (${counted(lines, "line")}, used by ${used_by})`,
      ...declares,
      ...(more === undefined ? [] : [`… ${more} more`]),
    ]),
    ...(hint === undefined
      ? []
      : [`Left out: ${counted(left_out.files, "file")}, ${counted(left_out.declarations, "declaration")}. ${hint}`]),
  ].join("\n");
}
