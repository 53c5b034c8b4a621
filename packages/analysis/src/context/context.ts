import { posix } from "node:path";
import type { Analysis } from "../analysis.js";
import type { Declaration } from "../facts/facts.js";
import { counted } from "../format.js";
import type { ImportGraph } from "../imports/graph.js";
import type { Manifest } from "../imports/manifests.js";
import { linkFiles } from "../imports/read-graph.js";
import { type AnalysisCall, noSourceFiles, type ProjectFile } from "../project/project.js";
import { readProject } from "../project/read-project.js";
import { type DescribedManifest, describeManifests, kindsOf } from "./describe-manifests.js";
import { estimateTokens } from "./estimate-tokens.js";

/** A file in the map. */
interface ContextFile {
  readonly path: string;
  readonly lines: number;
  readonly used_by: number;
  /** Each with its line number first. */
  readonly declares: readonly string[];
  /** The number of further declarations. */
  readonly more?: number;
}

/** A map of a project for a model. */
export interface Context {
  readonly project: string;
  readonly kinds: readonly string[];
  readonly languages: Readonly<Record<string, number>>;
  readonly manifests: readonly DescribedManifest[];
  readonly folders: readonly FolderSize[];
  readonly files: readonly ContextFile[];
  readonly left_out: { readonly files: number; readonly declarations: number };
  /** How to see what is left out. */
  readonly hint?: string;
}

/** The options of a map. */
export interface ContextOptions {
  readonly path: string;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly maxTokens: number;
}

/** Reads a project and maps it. */
export async function readContext(
  analysis: Analysis,
  call: AnalysisCall,
  { path: inputPath, include, exclude, maxTokens }: ContextOptions,
): Promise<Context> {
  const { files, root } = await readProject(analysis, call, {
    path: inputPath,
    include,
    exclude,
    wanted: ["imports", "outline", "measures"],
    // Only the line counts are needed.
    trim: (facts) => ({ ...facts, measures: { ...facts.measures, functions: [] } }),
  });
  const { graph, manifests } = await linkFiles(await analysis.fileAccess(call), inputPath, files);
  return makeContext({ project: posix.basename(root), files, manifests, graph }, maxTokens);
}

/** What a map is made from. */
interface ContextSource {
  readonly project: string;
  readonly files: readonly MappedFile[];
  readonly manifests: readonly Manifest[];
  readonly graph: ImportGraph;
}

/** The largest shares of the budget for manifests, folders, and one file. */
const SHARES = { manifests: 0.12, folders: 0.2, file: 0.25 } as const;

/** The tokens of headings, the hint and the names of members. */
const FRAME = 110;

/** The files of further languages are counted together. */
const MAX_LANGUAGES = 6;

/** How many maps are tried to approach the budget. */
const ATTEMPTS = 8;

/** Creates a map within a token budget, both as Markdown and as JSON. The least important parts are left out. */
function makeContext(source: ContextSource, budget: number): Context {
  const ranked = rankFiles(source.files, source.graph);
  let best = fill(source, ranked, 0);
  // Parts are estimated to take more than they do together, so a larger budget can fit.
  let [low, high] = [0, budget * 2];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const middle = (low + high) / 2;
    const context = fill(source, ranked, middle);
    const fits = Math.max(estimateTokens(writeContext(context)), estimateTokens(JSON.stringify(context))) <= budget;
    if (fits) best = context;
    [low, high] = fits ? [middle, high] : [low, middle];
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
  const manifests = take(describeManifests(source.manifests).map(cleanManifest), budget * SHARES.manifests);
  const folders = take(
    folderSizes(source.files).map((each) => ({ ...each, path: clean(each.path) })),
    budget * SHARES.folders,
  );
  const files = takeFiles();
  const shown = files.reduce((sum, { declares }) => sum + declares.length, 0);
  const all = ranked.reduce((sum, { file }) => sum + publicDeclarations(file).length, 0);
  const left_out = { files: ranked.length - files.length, declarations: all - shown };
  const hint = hintFor(ranked, files, left_out);
  return { ...head, manifests, folders, files, left_out, ...(hint !== undefined && { hint }) };

  /** The first entries that fit into a share of the budget. */
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

/** Fits the declarations of a file into a budget. */
function fitFile({ file, usedBy }: RankedFile, room: number): ContextFile {
  const declarations = publicDeclarations(file);
  const bare = { path: clean(file.path), lines: file.facts.measures.lines, used_by: usedBy };
  let left = room - costOf({ ...bare, declares: [], more: declarations.length });
  const declares: string[] = [];
  for (const { line, signature } of declarations) {
    const entry = `${line} ${clean(signature)}`;
    const cost = costOf(entry) + 2;
    if (cost > left) break;
    left -= cost;
    declares.push(entry);
  }
  const more = declarations.length - declares.length;
  return { ...bare, declares, ...(more > 0 && { more }) };
}

/** The exported declarations of a file, or all if none is exported. */
function publicDeclarations({ facts: { outline } }: MappedFile): readonly Declaration[] {
  const declared = outline.filter(({ kind }) => kind !== "module");
  const exported = declared.filter(({ isExported }) => isExported);
  return exported.length > 0 ? exported : declared;
}

/** The tokens of a value in a map, in either form. */
const costOf = (value: unknown): number => estimateTokens(JSON.stringify(value)) + 3;

function languagesOf(files: readonly MappedFile[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { language } of files) counts[language] = (counts[language] ?? 0) + 1;
  const sorted = Object.entries(counts).toSorted(([, a], [, b]) => b - a);
  const other = sorted.slice(MAX_LANGUAGES).reduce((sum, [, count]) => sum + count, 0);
  return { ...Object.fromEntries(sorted.slice(0, MAX_LANGUAGES)), ...(other > 0 && { other }) };
}

const cleanManifest = ({ path, says, name }: DescribedManifest): DescribedManifest => ({
  path: clean(path),
  says: clean(says).slice(0, 300),
  ...(name !== undefined && { name: clean(name).slice(0, 100) }),
});

/** Line breaks and invisible characters in names could look like instructions to the model. */
const clean = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "�");

/** A hint at the folder with most of what is left out. */
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
  return `To see more, include only ${glob} or allow more tokens.`;
}

/** A file that a map can list. */
type MappedFile = ProjectFile<"imports" | "outline" | "measures">;

/** A file and its importance. */
interface RankedFile {
  readonly file: MappedFile;
  readonly usedBy: number;
  readonly score: number;
}

/** The names of entry points. */
const ENTRY = /^(?:index|main|mod|lib|app|server|cli|__init__|__main__|program|application)$/i;

/** Ranks files by importance: used by many, entry points, many exports. Tests come last. */
function rankFiles(files: readonly MappedFile[], { links }: ImportGraph): RankedFile[] {
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
  const exported = facts.outline.filter(({ isExported }) => isExported).length;
  const depth = name.split("/").length;
  const isEntry = ENTRY.test(posix.basename(name).replace(/\..*$/, ""));
  const score =
    2 * Math.log2(1 + usedBy) + (isEntry ? Math.max(1, 6 - depth) : 0) + Math.log2(1 + exported) - depth / 10;
  return origin === "own" ? score : score - 100;
}

/** A folder with its size. */
interface FolderSize {
  readonly path: string;
  readonly files: number;
  readonly lines: number;
}

/** The folders of a project by level, largest first. Folders that contain only one folder are left out. */
function folderSizes(files: readonly MappedFile[]): FolderSize[] {
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

/** Writes a map as Markdown. */
export function writeContext(context: Context): string {
  const { project, kinds, languages, manifests, folders, files, left_out, hint } = context;
  const counts = Object.entries(languages).map(([language, count]) => `${count} ${language}`);
  return [
    `# ${project}${kinds.length > 0 ? ` (${kinds.join(", ")})` : ""}`,
    counts.length > 0 ? `Files: ${counts.join(", ")}` : noSourceFiles(0),
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
