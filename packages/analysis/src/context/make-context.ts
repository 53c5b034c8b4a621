import type { Declaration } from "../facts/facts.js";
import type { ImportGraph } from "../imports/graph.js";
import type { Manifest } from "../imports/manifests.js";
import type { Context, ContextFile } from "./context.js";
import { estimateTokens } from "./estimate-tokens.js";
import { folderSizes } from "./folders.js";
import { kindsOf, type Said, sayManifests } from "./project-kind.js";
import { type MappedFile, type RankedFile, rankFiles } from "./rank.js";
import { writeContext } from "./write-context.js";

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
