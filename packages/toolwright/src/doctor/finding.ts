/** How much a finding matters: a fault breaks a client, a warning affects some users, a note is worth knowing. */
export type Severity = "good" | "note" | "warning" | "fault";

/** One observation about a server. */
export interface Finding {
  readonly severity: Severity;
  /** What was observed, in one sentence. */
  readonly summary: string;
  /** Who is affected, and how. */
  readonly why?: string;
  /** How to fix it. */
  readonly next?: string;
  /** The messages, shortened and without secrets. */
  readonly evidence: readonly string[];
}

/** Why a check does not apply. */
export interface NotApplicable {
  readonly reason: string;
}

/** The groups of checks. */
export type GroupId = "start" | "handshake" | "wire" | "lists" | "schemas" | "errors" | "limits" | "http";

/** One check. */
export interface Check<Context> {
  readonly id: string;
  /** The expected behaviour, as a statement. */
  readonly title: string;
  readonly group: GroupId;
  run(context: Context): Promise<readonly Finding[] | NotApplicable>;
}

/** Why a finding matters, and what to do about it. */
export interface Advice {
  readonly why: string;
  readonly next: string;
}

/** The behaviour is correct. */
export const good = (summary: string, evidence: readonly string[] = []): Finding => ({
  severity: "good",
  summary,
  evidence,
});

/** Worth knowing, and no problem. */
export const note = (summary: string, evidence: readonly string[] = [], why?: string): Finding => ({
  severity: "note",
  summary,
  ...(why !== undefined && { why }),
  evidence,
});

/** Some users are affected. */
export const warning = (summary: string, advice: Advice, evidence: readonly string[] = []): Finding => ({
  severity: "warning",
  summary,
  ...advice,
  evidence,
});

/** A client breaks, or users are at risk. */
export const fault = (summary: string, advice: Advice, evidence: readonly string[] = []): Finding => ({
  severity: "fault",
  summary,
  ...advice,
  evidence,
});

/** The check does not apply. */
export const notApplicable = (reason: string): NotApplicable => ({ reason });
