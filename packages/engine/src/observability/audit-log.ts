import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import path from "node:path";
import { canonicalJson, encodeId, type Json } from "../jsonrpc/messages.js";
import { ToolError } from "../protocol/outcome.js";
import * as check from "../server/definitions/checks.js";
import { atCaller } from "../server/definitions/validation.js";
import type { Middleware, MiddlewareHost, MiddlewareRequest } from "../server/middleware.js";
import { monotonicNow } from "../server/runtime.js";
import { DEFAULT_MAX_BYTES, LINE_FILE_CHECKS, LineWriter, type LossReport } from "./line-writer.js";
import { createLazyMiddleware, observeOutcome, type RequestOutcome } from "./middleware.js";

/** Options of `audit`. */
export interface AuditOptions {
  /** The file that lines are appended to. No other program may write to it or rename it. */
  readonly file: string;
  /** The size at which the file is renamed and a new one is started; 10 MiB by default. */
  readonly maxBytes?: number;
  /** How many full files are kept beside it, as `file.1` (the newest), `file.2` and so on; 5 by default. */
  readonly keep?: number;
  /**
   * What happens when a line cannot be written. `continue`, the default, still runs calls and logs how many lines were lost;
   * `refuse` runs no call that is not recorded.
   */
  readonly onFailure?: "continue" | "refuse";
}

/** Returns a digest that is the same for equal values, so that calls can be compared without recording their arguments. */
export function sha256Digest(value: Json): string {
  return `sha256:${createHash("sha256").update(canonicalJson(value)).digest("hex")}`;
}

/** The longest text from a client that is recorded. */
const MAX_TEXT_LENGTH = 200;
/** Secrets are searched for in a longer part, because a truncated secret is not recognized. */
const MAX_SCANNED_LENGTH = 1000;

/** What is known about a call when it begins. */
type AuditEntry = ReturnType<typeof createAuditEntry>;

function createAuditEntry(request: MiddlewareRequest, { redaction }: MiddlewareHost) {
  const { id, name, params, principal, caller, transport } = request;
  const redact = (value: unknown): string | undefined =>
    typeof value === "string"
      ? redaction.text(value.slice(0, MAX_SCANNED_LENGTH)).slice(0, MAX_TEXT_LENGTH)
      : undefined;
  const redactedId = redact(String(id)) ?? "";
  return {
    time: new Date().toISOString(),
    requestId: redactedId === String(id) ? id : redactedId,
    // Identifies the call: requests of different clients may have the same id.
    call: randomUUID(),
    tool: redact(name),
    principal: redact(principal),
    client: { name: redact(caller.info?.["name"]), version: redact(caller.info?.["version"]) },
    arguments: sha256Digest(params["arguments"] ?? {}),
    transport,
  };
}

function formatLine(event: "begin" | "end", { time, requestId, ...rest }: AuditEntry, end: object = {}): string {
  // JSON.stringify would round a large numeric id.
  const id = encodeId(requestId);
  return `{"time":"${time}","event":"${event}","requestId":${id},${JSON.stringify({ ...rest, ...end }).slice(1)}`;
}

const ACTION = "open the audit log";
const OPTION_CHECKS: check.Checks<AuditOptions> = {
  ...LINE_FILE_CHECKS,
  onFailure: check.optional((value) => value === "continue" || value === "refuse", "must be continue or refuse"),
};

/**
 * Middleware that writes a line for each tool call to a file: who called what, when and with which outcome. Arguments are
 * recorded as a digest only. Put it first. Throws `TypeError` for invalid options; the server does not start if the file cannot be opened.
 *
 * @example
 * ```ts
 * import { audit } from "@toolwright/engine/observability";
 *
 * createServer({ name: "weather", version: "1.0.0", tools, middleware: [audit({ file: "audit.jsonl" })] });
 * ```
 */
export function audit(options: AuditOptions): Middleware {
  atCaller(audit, () => check.validate(ACTION, options, OPTION_CHECKS));
  // Absolute, so that a change of the working directory does not matter.
  const settings = { ...options, file: path.resolve(options.file) };
  return createLazyMiddleware("the audit log", (host) => openAuditLog(settings, host));
}

async function openAuditLog(options: AuditOptions, host: MiddlewareHost): Promise<Middleware> {
  const { file, maxBytes = DEFAULT_MAX_BYTES, keep = 5, onFailure = "continue" } = options;
  const writer = new LineWriter({
    file,
    maxBytes,
    oldFiles: keep,
    open: openRegularFile,
    formatLossLine: (lines) => JSON.stringify({ time: new Date().toISOString(), event: "lost", lines }),
    onLoss: (report) => logLoss(host, report),
    onRotationError: (error) =>
      host.log({ level: "error", message: "the audit log is full and cannot be renamed", error }),
  });
  const openError = await writer.open();
  if (openError !== undefined) throw new Error(`Cannot ${ACTION} ${file}: ${openError.message}`, { cause: openError });
  /** Resolves with whether the line was written. */
  const write = (line: string): Promise<boolean> =>
    new Promise((resolve) =>
      writer.append({ length: line.length, format: () => line, onWritten: (error) => resolve(error === undefined) }),
    );
  const mustRecord = onFailure === "refuse";
  const middleware: Middleware = async (request, next) => {
    if (request.method !== "tools/call") return next();
    const startedAt = monotonicNow();
    const entry = createAuditEntry(request, host);
    if (mustRecord && !(await write(formatLine("begin", entry)))) throw auditUnavailable();
    const writeEnd = async ({ outcome, code }: RequestOutcome): Promise<void> => {
      const durationMs = Math.round((monotonicNow() - startedAt) * 1000) / 1000;
      const line = formatLine("end", entry, { outcome, code, durationMs });
      // The call cannot be undone if this fails; its beginning is recorded.
      const written = write(line);
      if (mustRecord) await written;
    };
    return observeOutcome(request.method, next, writeEnd);
  };
  middleware.close = () => writer.close();
  return middleware;
}

const { O_APPEND, O_CREAT, O_RDWR } = constants;
/** Not defined on Windows. */
const O_NOFOLLOW = (constants as { readonly O_NOFOLLOW?: number }).O_NOFOLLOW ?? 0;

/** Opens a regular file only: a link could point to a file that must not grow, and opening a pipe could block forever. */
async function openRegularFile(file: string): Promise<FileHandle> {
  const stats = await lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (stats?.isSymbolicLink()) throw new Error("it is a symbolic link; specify the file itself");
  if (stats?.isDirectory()) throw new Error("it is a directory; specify a file in it");
  if (stats?.isFile() === false) throw new Error("it is not a regular file");
  return open(file, O_APPEND | O_CREAT | O_RDWR | O_NOFOLLOW, 0o600);
}

function logLoss(host: MiddlewareHost, { state, lost, error }: LossReport): void {
  if (state === "failing")
    host.log({ level: "error", message: "the audit log cannot be written; lines are lost until it can be", error });
  else if (state === "recovered")
    host.log({ level: "warning", message: `the audit log is written again; lines lost: ${lost}` });
  else host.log({ level: "error", message: `the audit log was closed; lines lost: ${lost}` });
}

function auditUnavailable(): ToolError {
  return new ToolError(
    "The call was not made: this server records each call, and its audit log cannot be written at the moment. Try again later.",
    { code: "AUDIT_UNAVAILABLE", details: { retryable: true } },
  );
}
