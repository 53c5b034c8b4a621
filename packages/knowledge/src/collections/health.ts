import type { Collection, Version } from "./collection.js";

/** How well a collection can answer: 1 is best, and each reason says what is missing. */
export interface Health {
  readonly score: number;
  readonly reasons: readonly string[];
}

/** What the health of a collection is told by. */
export interface Signs {
  readonly collection: Collection;
  /** The version that answers. */
  readonly version: Version | undefined;
  /** Of the last run that has ended. */
  readonly lastRun: { readonly succeeded: number; readonly skipped: number; readonly failed: number } | undefined;
  /** Whether the last evaluation of the version has passed. */
  readonly hasPassed: boolean | undefined;
}

/** Tells how well a collection can answer. */
export function healthOf({ version, lastRun, hasPassed }: Signs): Health {
  if (version === undefined) return { score: 0, reasons: ["no version answers yet"] };
  if (version.documents === 0) return { score: 0, reasons: ["it has no documents"] };
  const losses: [number, string][] = [];
  if (version.embedder === "") losses.push([0.2, "it has no vectors: words alone find its passages"]);
  const tried = lastRun === undefined ? 0 : lastRun.succeeded + lastRun.skipped + lastRun.failed;
  if (lastRun !== undefined && lastRun.failed > 0)
    losses.push([(0.5 * lastRun.failed) / tried, `${lastRun.failed} of ${tried} documents failed in the last ingest`]);
  if (hasPassed === false) losses.push([0.3, "the version did not pass its last evaluation"]);
  const score = Math.max(0, 1 - losses.reduce((sum, [loss]) => sum + loss, 0));
  return { score: Math.round(score * 100) / 100, reasons: losses.map(([, reason]) => reason) };
}
