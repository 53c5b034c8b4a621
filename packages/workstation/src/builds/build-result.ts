import { pageOf } from "../processes/page.js";
import type { BuildEnd } from "./run-build.js";

/** Failures of one result, at most. */
const MOST_SHOWN = 50;

/** What ci_build, ci_test, ci_restore and ci_lint give. */
export const BUILD_OUTPUT = {
  type: "object",
  properties: {
    ecosystem: { type: "string" },
    found: {
      type: "array",
      items: { type: "string" },
      description: "All ecosystems of the folder, where it has several.",
    },
    command: { type: "string" },
    ok: { type: "boolean" },
    exit_code: { type: "integer" },
    signal: { type: "string" },
    timed_out: { type: "boolean" },
    duration_ms: { type: "integer" },
    failures: {
      type: "array",
      items: {
        type: "object",
        properties: {
          file: { type: "string" },
          line: { type: "integer" },
          column: { type: "integer" },
          test: { type: "string" },
          message: { type: "string" },
          severity: { enum: ["error", "warning"] },
        },
        required: ["message", "severity"],
      },
    },
    failures_total: { type: "integer" },
    counts: {
      type: "object",
      properties: { passed: { type: "integer" }, failed: { type: "integer" }, skipped: { type: "integer" } },
      required: ["passed", "failed", "skipped"],
    },
    tail: { type: "string", description: "The last lines of the output." },
    log: {
      type: "object",
      properties: { id: { type: "string" }, bytes: { type: "integer" } },
      required: ["id", "bytes"],
      description: "All of the output, for process_read.",
    },
    next: {
      type: "object",
      properties: { id: { type: "string" }, failures: { type: "boolean" }, offset: { type: "integer" } },
      required: ["id", "failures", "offset"],
      description: "What to give to process_read for the next failures.",
    },
  },
  required: ["ecosystem", "command", "ok", "duration_ms", "failures", "failures_total", "tail", "log"],
} as const;

/** Writes down what a run has come to, within the size of one result. */
export function toBuildResult({ choice, command, process, end, failures, counts, tail }: BuildEnd) {
  const shown = pageOf(failures, 0, MOST_SHOWN);
  return {
    ecosystem: choice.ecosystem,
    ...(choice.found.length > 1 && { found: [...choice.found] }),
    command,
    ok: end.exitCode === 0 && !end.hasTimedOut,
    ...(end.exitCode !== null && { exit_code: end.exitCode }),
    ...(end.signal !== null && { signal: end.signal }),
    ...(end.hasTimedOut && { timed_out: true }),
    duration_ms: Math.round(end.durationMs),
    failures: [...shown],
    failures_total: failures.length,
    ...(counts !== undefined && { counts }),
    tail,
    log: { id: process.id, bytes: process.spool.bytes },
    ...(shown.length < failures.length && { next: { id: process.id, failures: true, offset: shown.length } }),
  };
}
