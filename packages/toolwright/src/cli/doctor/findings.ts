import type { ConfiguredReport } from "../../doctor/client-entries.js";
import { countFindings, type Examination } from "../../doctor/diagnose.js";

/** All that the doctor has found out in one go. */
export interface Diagnosis {
  readonly made: Date;
  readonly version: string;
  readonly servers: readonly Examination[];
  readonly configured: readonly ConfiguredReport[];
  /** Files of clients that could not be read. */
  readonly unread: readonly { readonly file: string; readonly reason: string }[];
}

/** How many faults there are, of servers and of configurations; from a file that cannot be read a client gets no server. */
export function faultsIn({ servers, configured, unread }: Diagnosis): number {
  const ofEntries = configured.flatMap(({ findings }) => findings.filter(({ severity }) => severity === "fault"));
  return servers.reduce((sum, server) => sum + countFindings(server).fault, ofEntries.length + unread.length);
}

/** The code that the process ends with. */
export function codeFor(diagnosis: Diagnosis): number {
  if (diagnosis.servers.some(({ unreached }) => unreached !== undefined)) return 3;
  return faultsIn(diagnosis) > 0 ? 1 : 0;
}

/** The diagnosis for programs; its shape stays. */
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

/** What a server is called in a report: a command line is too long for that where the server has a name of its own. */
export function titleOf({ name, server, transport }: Examination): string {
  return `${/[\s/\\]/.test(name) && server.name !== "" ? server.name : name} over ${transport}`;
}

/** The same examination without what must not be seen. */
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
