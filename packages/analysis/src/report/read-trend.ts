import path from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Call } from "@toolwright/engine";
import { NEWLINE, openRepository, type Repository, Splitter } from "@toolwright/kit/git";
import type { Language } from "@toolwright/kit/syntax";
import type { Analysis } from "../analysis.js";
import type { Churn } from "../churn/churn.js";
import { readFacts } from "../facts/read-facts.js";
import type { HotspotFile } from "../hotspots/hotspots.js";
import { fileComplexity } from "../hotspots/rank-files.js";
import { momentsOf, namesOf, type Trend } from "./draw-trend.js";
import { readBlobs } from "./read-blobs.js";

/** How many of the hottest files are looked at, and at how many points of the period. */
const MOST_FILES = 20;
const POINTS = 12;

/** How far back the past is looked for. */
const MOST_COMMITS = 100_000;
const DAY_MS = 86_400_000;

/** How long one old text may take to be parsed. */
const PARSE_MS = 2000;

/** What a trend is made of. */
export interface TrendWish {
  /** The folder or file that was analysed, as the caller gave it. */
  readonly path: string;
  readonly period_days: number;
  /** Hottest first. */
  readonly files: readonly HotspotFile[];
  readonly churn: Pick<Churn, "root" | "files">;
  readonly now: Date;
}

type TrendCall = Pick<Call, "signal" | "supports" | "roots" | "progress">;

/** Measures the hottest files of today as they were in the past, along the first parents of HEAD; the last point is today. */
export async function readTrend(analysis: Analysis, call: TrendCall, wish: TrendWish): Promise<Trend> {
  const repository = await openRepository(await analysis.reach(call), wish.path, call);
  const commits = await commitsSince(repository, wish.now.getTime() - wish.period_days * DAY_MS);
  const from = Math.max(commits.at(-1)?.time ?? 0, wish.now.getTime() - wish.period_days * DAY_MS);
  const moments = momentsOf(new Date(from), wish.now, POINTS);
  const past = moments.slice(0, -1);
  // Git is asked line by line, so a name with a line break cannot be asked for.
  const files = wish.files.filter(({ path: name, score }) => score > 0 && !name.includes("\n")).slice(0, MOST_FILES);
  const states = past.map((moment) => commits.find(({ time }) => time <= moment.getTime())?.hash);
  const prefix = path.relative(repository.top, wish.churn.root).split(path.sep).join("/");
  const earlier = new Map(wish.churn.files.map((file) => [file.path, file.earlier ?? []]));
  const blobs = await readBlobs(
    repository,
    files.flatMap((file) => {
      const names = [file.path, ...(earlier.get(file.path) ?? [])].filter((name) => !name.includes("\n"));
      return states.map((commit) =>
        commit === undefined ? [] : names.map((name) => `${commit}:${path.posix.join(prefix, name)}`),
      );
    }),
    analysis.settings.file_bytes,
  );
  const known = new Map<string, number | undefined>();
  const trends: { path: string; values: (number | undefined)[] }[] = [];
  for (const [index, file] of files.entries()) {
    call.progress(index, `measuring ${file.path} as it was`, files.length);
    const values: (number | undefined)[] = [];
    for (const [point] of past.entries()) {
      const blob = blobs[index * past.length + point];
      if (blob !== undefined && !known.has(blob.hash)) {
        known.set(blob.hash, await complexityOf(file.language, blob.text));
        // Parsing keeps the thread busy; whoever wants to stop it must be heard.
        await setImmediate();
        call.signal.throwIfAborted();
      }
      values.push(blob === undefined ? undefined : known.get(blob.hash));
    }
    trends.push({ path: file.path, values: [...values, file.complexity] });
  }
  return { dates: namesOf(moments), files: trends };
}

/** The commits of a time, newest first, and the one before it; at most as many as a long history has. */
async function commitsSince(repository: Repository, start: number): Promise<readonly { hash: string; time: number }[]> {
  const commits: { hash: string; time: number }[] = [];
  const splitter = new Splitter(NEWLINE, 200, (line) => {
    const [hash = "", seconds] = line.toString("latin1").split(" ");
    commits.push({ hash, time: Number(seconds) * 1000 });
    return Number(seconds) * 1000 > start && commits.length < MOST_COMMITS;
  });
  await repository.stream(
    ["log", "--first-parent", "--no-show-signature", "--no-color", "--format=%H %ct", "HEAD", "--"],
    { deed: "find the past states" },
    (piece) => splitter.add(piece),
  );
  return commits;
}

/** Undefined where the text could not be read as a whole. */
async function complexityOf(language: Language, text: string): Promise<number | undefined> {
  try {
    const { measures } = await readFacts(language, text, ["measures"], PARSE_MS);
    return measures && fileComplexity(measures.functions);
  } catch {
    return undefined;
  }
}
