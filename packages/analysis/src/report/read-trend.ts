import path from "node:path";
import { NEWLINE, openRepository, type Repository, Splitter } from "@toolwright/kit/git";
import type { Analysis } from "../analysis.js";
import type { Churn } from "../churn/churn.js";
import { findBlobs, readBlobs } from "../history/read-blobs.js";
import type { HotspotFile } from "../hotspots/hotspots.js";
import { fileComplexity } from "../hotspots/rank-files.js";
import { openFactReader, readContentFacts } from "../project/file-facts.js";
import type { AnalysisCall } from "../project/project.js";
import { momentsOf, namesOf, type Trend } from "./draw-trend.js";

/** How many of the hottest files are measured, and at how many points of the period. */
const MAX_FILES = 20;
const POINTS = 12;

/** How many commits are searched for past versions. */
const MAX_COMMITS = 100_000;
const DAY_MS = 86_400_000;

/** The options of a trend. */
export interface TrendOptions {
  /** The analyzed folder or file, as the caller gave it. */
  readonly path: string;
  readonly period_days: number;
  /** Hottest first. */
  readonly files: readonly HotspotFile[];
  readonly churn: Pick<Churn, "root" | "files">;
  readonly now: Date;
}

/** Measures past versions of the hottest files, along the first parents of HEAD. The last point is the current state. */
export async function readTrend(analysis: Analysis, call: AnalysisCall, options: TrendOptions): Promise<Trend> {
  const { now, period_days, churn } = options;
  const { maxFileBytes } = analysis.settings;
  const start = now.getTime() - period_days * DAY_MS;
  const repository = await openRepository(await analysis.fileAccess(call), options.path, call);
  const commits = await commitsSince(repository, start);
  const moments = momentsOf(new Date(Math.max(commits.at(-1)?.time ?? 0, start)), now, POINTS);
  const past = moments.slice(0, -1).map((moment) => commits.find(({ time }) => time <= moment.getTime())?.hash);
  // Git reads names line by line, so a name with a line break cannot be passed.
  const files = options.files.filter(({ path: name, score }) => score > 0 && !name.includes("\n")).slice(0, MAX_FILES);
  const prefix = path.relative(repository.top, churn.root).split(path.sep).join("/");
  const earlier = new Map(churn.files.map((file) => [file.path, file.earlier ?? []]));
  const candidates = files.map(({ path: name }) => {
    const names = [name, ...(earlier.get(name) ?? [])].filter(
      (each) => !each.includes("\n") && repository.mayShow(path.posix.join(prefix, each)),
    );
    return past.map((commit) =>
      commit === undefined ? [] : names.map((each) => `${commit}:${path.posix.join(prefix, each)}`),
    );
  });
  const found = await findBlobs(repository, candidates.flat(2), maxFileBytes);
  const reader = await openFactReader(analysis);
  const trends: { path: string; values: (number | undefined)[] }[] = [];
  for (const [index, file] of files.entries()) {
    call.onProgress?.({ stage: "Measuring past versions", done: index, total: files.length, unit: "files" });
    const hashes = (candidates[index] ?? []).map((names) =>
      names.map((name) => found.get(name)).find((hash) => hash !== undefined),
    );
    const wanted = [...new Set(hashes.filter((hash) => hash !== undefined))];
    const contents = await readBlobs(repository, wanted, maxFileBytes);
    const { language } = file;
    const measured = contents.map(async (bytes) => {
      if (bytes === undefined) return undefined;
      const { facts } = await readContentFacts(reader, bytes, { language, wanted: ["measures"], signal: call.signal });
      return facts && fileComplexity(facts.measures.functions);
    });
    const values = new Map((await Promise.all(measured)).map((complexity, at) => [wanted[at], complexity]));
    trends.push({ path: file.path, values: [...hashes.map((hash) => values.get(hash)), file.complexity] });
  }
  reader.cache?.flush();
  return { dates: namesOf(moments), files: trends };
}

/** The commits since a time, newest first, and the last one before it. */
async function commitsSince(repository: Repository, start: number): Promise<readonly { hash: string; time: number }[]> {
  const commits: { hash: string; time: number }[] = [];
  const splitter = new Splitter(NEWLINE, 200, (line) => {
    const [hash = "", seconds] = line.toString("latin1").split(" ");
    commits.push({ hash, time: Number(seconds) * 1000 });
    return Number(seconds) * 1000 > start && commits.length < MAX_COMMITS;
  });
  await repository.stream(
    ["log", "--first-parent", "--no-show-signature", "--no-color", "--format=%H %ct", "HEAD", "--"],
    { operation: "find past versions" },
    (piece) => splitter.add(piece),
  );
  return commits;
}
