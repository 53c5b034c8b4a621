import type { ConfiguredReport } from "../../doctor/client-entries.js";
import { countFindings, type Examination } from "../../doctor/diagnose.js";

/** The results of one run of the doctor. */
export interface Diagnosis {
  readonly made: Date;
  readonly version: string;
  readonly servers: readonly Examination[];
  readonly configured: readonly ConfiguredReport[];
  /** Configuration files of clients that cannot be read. */
  readonly unread: readonly { readonly file: string; readonly reason: string }[];
}

/** The number of faults of servers and configurations; a file that cannot be read is one. */
export function faultsIn({ servers, configured, unread }: Diagnosis): number {
  const ofEntries = configured.flatMap(({ findings }) => findings.filter(({ severity }) => severity === "fault"));
  return servers.reduce((sum, server) => sum + countFindings(server).fault, ofEntries.length + unread.length);
}

/** The exit code. */
export function exitCodeFor(diagnosis: Diagnosis): number {
  if (diagnosis.servers.some(({ unreached }) => unreached !== undefined)) return 3;
  return faultsIn(diagnosis) > 0 ? 1 : 0;
}

/** The diagnosis as JSON; a public format. */
export function toJson(diagnosis: Diagnosis): object {
  const { made, version, servers, configured, unread } = diagnosis;
  return {
    format: 1,
    toolwright: version,
    made: made.toISOString(),
    faults: faultsIn(diagnosis),
    servers: servers.map((server) => ({
      ...server,
      unreached: server.unreached ?? null,
      score: server.score ?? null,
      groups: server.groups.map((group) => ({ ...group, score: group.score ?? null })),
      count: countFindings(server),
    })),
    configured,
    unread,
  };
}

/** The title of a server in a report: its own name instead of a command line. */
export function titleOf({ name, server, transport }: Examination): string {
  return `${/[\s/\\]/.test(name) && server.name !== "" ? server.name : name} over ${transport}`;
}

/** Removes secrets from an examination. */
export function withoutSecrets(examination: Examination, conceal: (text: string) => string): Examination {
  return {
    ...examination,
    target: conceal(examination.target),
    unreached: examination.unreached && conceal(examination.unreached),
    checks: examination.checks.map((check) => ({
      ...check,
      findings: check.findings.map((finding) => ({
        ...finding,
        summary: conceal(finding.summary),
        evidence: finding.evidence.map(conceal),
      })),
    })),
  };
}
