/** How much something that was seen matters: a fault breaks a client, a warning hurts some users, a note is worth knowing. */
export type Severity = "good" | "note" | "warning" | "fault";

/** One thing that was seen, in words for people. */
export interface Finding {
  readonly severity: Severity;
  /** One sentence: what was seen. */
  readonly saw: string;
  /** Whom it hurts, and how. */
  readonly why?: string;
  /** What to do next. */
  readonly next?: string;
  /** What went over the wire, shortened and without secrets. */
  readonly evidence: readonly string[];
}

/** A check that has nothing to look at here, and why. */
export interface NotApplicable {
  readonly reason: string;
}

/** The parts of an examination. */
export type GroupId = "start" | "handshake" | "wire" | "lists" | "schemas" | "errors" | "limits" | "http";

/** One question that is put to a server. */
export interface Check<Context> {
  readonly id: string;
  /** What is asked, as a statement that is hoped for. */
  readonly title: string;
  readonly group: GroupId;
  run(context: Context): Promise<readonly Finding[] | NotApplicable>;
}

/** Why a finding matters, and what to do about it. */
export interface Advice {
  readonly why: string;
  readonly next: string;
}

/** Everything is as it should be. */
export const good = (saw: string, evidence: readonly string[] = []): Finding => ({ severity: "good", saw, evidence });

/** Worth knowing, and no trouble. */
export const note = (saw: string, evidence: readonly string[] = [], why?: string): Finding => ({
  severity: "note",
  saw,
  ...(why !== undefined && { why }),
  evidence,
});

/** Some users are hurt. */
export const warning = (saw: string, advice: Advice, evidence: readonly string[] = []): Finding => ({
  severity: "warning",
  saw,
  ...advice,
  evidence,
});

/** A client breaks, or a user is in danger. */
export const fault = (saw: string, advice: Advice, evidence: readonly string[] = []): Finding => ({
  severity: "fault",
  saw,
  ...advice,
  evidence,
});

/** The check has nothing to look at. */
export const notApplicable = (reason: string): NotApplicable => ({ reason });
