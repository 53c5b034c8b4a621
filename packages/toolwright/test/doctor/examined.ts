import { fileURLToPath } from "node:url";
import type { Subject } from "../../src/doctor/context.js";
import { type Examination, type ExamineOptions, examine } from "../../src/doctor/diagnose.js";

/** Long enough for a machine that is busy, and for what is silent by intention. */
const LIMITS = { responseTimeoutMs: 10_000, checkMs: 60_000, totalMs: 240_000 };

/** A file of this repository. */
export const fileOf = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

/** A server that Node runs. */
export const nodeServer = (path: string, ...args: string[]): Subject => ({
  name: path,
  command: process.execPath,
  args: [fileOf(path), ...args],
  env: process.env,
});

/** Examines a server. */
export const examined = (subject: Subject, options: Partial<ExamineOptions> = {}): Promise<Examination> =>
  examine(subject, { ...LIMITS, ...options });

/** What was seen with these severities, as `severity id: sentence`. */
export function seen({ checks }: Examination, ...severities: string[]): string[] {
  return checks.flatMap(({ id, findings }) =>
    findings
      .filter(({ severity }) => severities.includes(severity))
      .map(({ severity, summary }) => `${severity} ${id}: ${summary}`),
  );
}
