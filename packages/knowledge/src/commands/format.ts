import { UsageError } from "@toolwright/kit/cli";
import type { Paint } from "@toolwright/kit/terminal";
import type { Stats } from "../collections/stats.js";

/** A number with a noun. */
export const count = (number: number, singular: string, plural = `${singular}s`): string =>
  `${number.toLocaleString("en")} ${number === 1 ? singular : plural}`;

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

/** A number of bytes. */
export function formatBytes(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const value = bytes / 1024 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[step]}`;
}

/** The health of a collection as a percentage. */
export const formatHealth = (score: number): string => `${Math.round(score * 100)} %`;

/** Colours a text by the health of a collection. */
export function paintHealth(text: string, { health }: Pick<Stats, "health">, paint: Paint): string {
  if (health.score >= 0.9) return paint.green(text);
  return health.score >= 0.6 ? paint.yellow(text) : paint.red(text);
}

const SHORT_MEASURES: readonly (readonly [name: string, label: string])[] = [
  ["recall@10", "recall@10"],
  ["mrr", "MRR"],
  ["ndcg@10", "nDCG@10"],
];

/** The most important measures of an evaluation. */
export const formatMeasures = (quality: Readonly<Record<string, unknown>>): string =>
  SHORT_MEASURES.flatMap(([name, label]) => {
    const value = quality[name];
    return typeof value === "number" ? [`${label} ${value.toFixed(3)}`] : [];
  }).join(", ");

/** Parses `--metadata NAME=VALUE`; undefined if there is none. */
export function parseMetadata(pairs: readonly string[]): Readonly<Record<string, string>> | undefined {
  if (pairs.length === 0) return undefined;
  return Object.fromEntries(
    pairs.map((pair): [string, string] => {
      const at = pair.indexOf("=");
      if (at < 1) throw new UsageError(`--metadata must be NAME=VALUE, such as team=search, not "${pair}"`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
