import type { Finding, GroupId, Severity } from "./finding.js";
import type { Score } from "./score.js";

/** What came of a check: the worst that it has found, or that it had nothing to look at. */
export type Verdict = Severity | "not applicable" | "not examined";

/** A check, and what it has found. */
export interface CheckReport {
  readonly id: string;
  readonly title: string;
  readonly group: GroupId;
  readonly verdict: Verdict;
  /** Why it had nothing to look at. */
  readonly reason?: string;
  readonly findings: readonly Finding[];
}

/** A part of an examination. */
interface GroupReport {
  readonly id: GroupId;
  readonly title: string;
  readonly score: Score | undefined;
}

/** What was found out about one server over one transport. */
export interface Examination {
  readonly name: string;
  readonly transport: "stdio" | "http";
  /** How it was reached: a command line or a URL, without secrets. */
  readonly target: string;
  /** Why it could not be reached; undefined = it was. */
  readonly unreached: string | undefined;
  readonly server: { readonly name: string; readonly version: string };
  /** The revisions that it speaks, newest first. */
  readonly revisions: readonly string[];
  readonly score: Score | undefined;
  readonly groups: readonly GroupReport[];
  readonly checks: readonly CheckReport[];
}

/** How many findings of each severity there are. */
export function countFindings({ checks }: Pick<Examination, "checks">): Readonly<Record<Severity, number>> {
  const count = { good: 0, note: 0, warning: 0, fault: 0 };
  for (const { findings } of checks) for (const { severity } of findings) count[severity] += 1;
  return count;
}
