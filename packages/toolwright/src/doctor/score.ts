import type { Severity } from "./finding.js";

/** The weight of each check, as in the table of the guide. */
export const WEIGHTS: Readonly<Record<string, number>> = {
  "start.first-answer": 2,
  "start.clean-stdout": 10,
  "start.stderr": 1,
  "start.ends-at-eof": 8,
  "start.ends-at-sigterm": 3,
  "start.leaves-nothing": 6,
  "handshake.revisions": 10,
  "handshake.newest": 2,
  "handshake.unknown-revision": 4,
  "handshake.twice": 2,
  "handshake.discover-first": 8,
  "handshake.stateless": 3,
  "handshake.capabilities": 6,
  "handshake.both-eras": 4,
  "wire.shapes": 8,
  "wire.form": 8,
  "wire.ids": 8,
  "wire.ping": 4,
  "wire.notifications": 3,
  "wire.malformed-line": 4,
  "wire.batches": 3,
  "wire.batches-removed": 2,
  "lists.pages": 5,
  "lists.names": 6,
  "lists.descriptions": 4,
  "lists.order": 2,
  "lists.tokens": 6,
  "schemas.vendors": 8,
  "schemas.sound": 3,
  "errors.unknown-method": 5,
  "errors.unknown-tool": 4,
  "errors.missing-argument": 5,
  "errors.wrong-type": 4,
  "errors.misspelt-argument": 5,
  "errors.arguments-as-text": 2,
  "limits.long-line": 6,
  "limits.deep-nesting": 4,
  "limits.cancel": 3,
  "http.both-eras": 2,
  "http.origin": 10,
  "http.host": 8,
  "http.cors": 4,
  "http.accept": 4,
  "http.bodies": 4,
  "http.large-body": 4,
  "http.notification": 5,
  "http.keep-alive": 1,
  "http.sessions": 6,
  "http.get-stream": 4,
  "http.version-header": 2,
  "http.batches": 2,
  "http.authorization": 6,
};

/** The share of its weight that a check scores, by its worst finding. */
const CREDIT: Readonly<Record<Severity, number>> = { good: 1, note: 1, warning: 0.5, fault: 0 };

/** The minimum score of each letter. */
const LETTERS: readonly (readonly [letter: string, least: number])[] = [
  ["A", 90],
  ["B", 80],
  ["C", 70],
  ["D", 60],
  ["E", 40],
];

/** A server with a fault cannot get an A. */
const MAX_SCORE_WITH_FAULT = 89;

/** A number from 0 to 100, and the letter for it. */
export interface Score {
  readonly points: number;
  readonly letter: string;
}

/** The score of a server with which no client can negotiate. */
export const NO_POINTS: Score = { points: 0, letter: "F" };

/** The score of checks by their verdicts; undefined if none applied. */
export function scoreOf(verdicts: readonly { readonly id: string; readonly verdict: string }[]): Score | undefined {
  let got = 0;
  let possible = 0;
  for (const { id, verdict } of verdicts) {
    const credit = CREDIT[verdict as Severity];
    if (credit === undefined) continue;
    const weight = WEIGHTS[id] ?? 1;
    got += weight * credit;
    possible += weight;
  }
  if (possible === 0) return undefined;
  const most = verdicts.some(({ verdict }) => verdict === "fault") ? MAX_SCORE_WITH_FAULT : 100;
  const points = Math.min(most, Math.round((100 * got) / possible));
  return { points, letter: LETTERS.find(([, least]) => points >= least)?.[0] ?? "F" };
}
