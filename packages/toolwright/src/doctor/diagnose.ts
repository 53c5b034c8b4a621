import { revisions } from "@toolwright/engine";
import { showCommand } from "@toolwright/kit/processes";
import { GROUPS, HTTP_CHECKS, PROGRAM_CHECKS } from "./checks/all.js";
import { sendOpening } from "./checks/http-security.js";
import {
  type Context,
  createHttpContext,
  createProgramContext,
  type HttpContext,
  type Limits,
  type Opened,
  type ProgramContext,
  type Subject,
} from "./context.js";
import type { Check, Finding, GroupId, NotApplicable, Severity } from "./finding.js";
import { NO_POINTS, type Score, scoreOf } from "./score.js";
import { UnknownTool } from "./tool-probe.js";
import { describeReply, limitFrames, shorten, textOf } from "./wire/connection.js";
import { isEndpoint } from "./wire/http.js";
import { NEWEST_HANDSHAKE, OLDEST } from "./wire/protocol.js";

/** The result of a check: its worst finding, or why it found nothing. */
export type Verdict = Severity | "not applicable" | "not examined";

/** A check with its findings. */
export interface CheckReport {
  readonly id: string;
  readonly title: string;
  readonly group: GroupId;
  readonly verdict: Verdict;
  /** Why it did not apply. */
  readonly reason?: string;
  readonly findings: readonly Finding[];
}

/** A group of checks with its score. */
interface GroupReport {
  readonly id: GroupId;
  readonly title: string;
  readonly score: Score | undefined;
}

/** The findings about one server over one transport. */
export interface Examination {
  readonly name: string;
  readonly transport: "stdio" | "http";
  /** The command line or URL, without secrets. */
  readonly target: string;
  /** Why it could not be reached; undefined if it was. */
  readonly unreached: string | undefined;
  readonly server: { readonly name: string; readonly version: string };
  /** The revisions that it supports, newest first. */
  readonly revisions: readonly string[];
  readonly score: Score | undefined;
  readonly groups: readonly GroupReport[];
  readonly checks: readonly CheckReport[];
}

/** Counts the findings of each severity. */
export function countFindings({ checks }: Pick<Examination, "checks">): Readonly<Record<Severity, number>> {
  const count = { good: 0, note: 0, warning: 0, fault: 0 };
  for (const { findings } of checks) for (const { severity } of findings) count[severity] += 1;
  return count;
}

/** Why a program cannot be checked; undefined if it responds. */
async function reachProgram(context: ProgramContext): Promise<string | undefined> {
  const { opening, program } = await context.share(NEWEST_HANDSHAKE);
  if (opening.kind === "answer" || program.received.length > 0) return undefined;
  const said = program.stderr.trim();
  const error = said.search(/^[A-Z]?\w*Error(?: \[\w+\])?: /m);
  // Node prints an excerpt of the source before the error, which is what matters.
  const shown = error === -1 ? said.replace(/^[^]*^\s*\^+\n/m, "").slice(-600) : said.slice(error);
  const words = said === "" ? "Nothing was written to stderr." : `stderr: ${shorten(shown, 600)}`;
  return `No response to initialize: ${opening.kind === "end" ? describeReply(opening) : opening.reason}. ${words}`;
}

/** Why a URL cannot be checked; undefined if it is an MCP server. */
async function reachHttp(context: HttpContext): Promise<string | undefined> {
  const answer = await sendOpening(context, {});
  if (answer.status === 0) return `No connection: ${answer.reason}.`;
  if (answer.messages.length > 0 || answer.status === 401 || answer.status === 403) return undefined;
  const stream = await context.wire.send({
    method: "GET",
    headers: { accept: "text/event-stream" },
    until: "endpoint",
  });
  if (isEndpoint(stream.text))
    return `It is an HTTP+SSE server (${OLDEST.version}), which the doctor does not check; toolwright list and call support it. If it has a URL for Streamable HTTP, use that.`;
  return `It responds with HTTP ${answer.status}, but not like an MCP server. Check the path of the URL.`;
}

/** The progress of an examination. */
interface Progress {
  readonly subject: string;
  readonly done: number;
  readonly total: number;
  readonly title: string;
}

/** The options of `examine`. */
export interface ExamineOptions extends Limits {
  /** Only checks of these groups. */
  readonly only?: readonly GroupId[];
  readonly signal?: AbortSignal;
  onProgress?(progress: Progress): void;
}

/** Runs all checks of a server, one after the other. What was started is stopped, also if it throws because it was aborted. */
export async function examine(subject: Subject, options: ExamineOptions): Promise<Examination> {
  const opened: Opened = { byCheck: new Set(), shared: new Set() };
  if ("url" in subject) {
    const context = createHttpContext(subject, options, opened);
    try {
      const target = shorten(new URL(subject.url).href.replace(/\?.*$/s, "?…"));
      const about = { name: subject.name, transport: "http", target } as const;
      return await run(about, context, HTTP_CHECKS, opened, options, (one: HttpContext) => reachHttp(one));
    } finally {
      context.wire.close();
    }
  }
  const context = createProgramContext(subject, options, opened);
  const target = shorten(showCommand([subject.command, ...subject.args]));
  const about = { name: subject.name, transport: "stdio", target } as const;
  return run(about, context, PROGRAM_CHECKS, opened, options, (one: ProgramContext) => reachProgram(one));
}

async function run<Each extends Context>(
  about: About,
  context: Each,
  checks: readonly Check<Each>[],
  opened: Opened,
  options: ExamineOptions,
  reach: (context: Each) => Promise<string | undefined>,
): Promise<Examination> {
  const until = performance.now() + options.totalMs;
  const wanted = checks.filter(({ group }) => options.only?.includes(group) ?? true);
  const reports: CheckReport[] = [];
  try {
    options.onProgress?.({ subject: about.name, done: 0, total: wanted.length, title: "Connecting" });
    const unreached = await reach(context);
    options.signal?.throwIfAborted();
    if (unreached !== undefined) return notReached(about, unreached);
    await withinTime(checkAllowedTool(context), options.checkMs, options.signal);
    for (const check of wanted) {
      await closeAll(opened.byCheck);
      options.onProgress?.({ subject: about.name, done: reports.length, total: wanted.length, title: check.title });
      reports.push(
        await runCheck(check, context, Math.min(options.checkMs, until - performance.now()), options.signal),
      );
    }
    const { server, revisionSnapshots, isUsable } = await context.snapshot();
    const spoken = new Set(
      revisionSnapshots.filter(({ isSupported }) => isSupported).map(({ revision }) => revision.version),
    );
    return {
      ...about,
      unreached: undefined,
      server,
      revisions: revisions.map(({ version }) => version).filter((version) => spoken.has(version)),
      score: isUsable ? scoreOf(reports) : NO_POINTS,
      groups: groupsOf(reports),
      checks: reports,
    };
  } finally {
    await Promise.all([closeAll(opened.byCheck), closeAll(opened.shared)]);
  }
}

type About = Pick<Examination, "name" | "transport" | "target">;

/** The examination of a server that could not be reached. */
export function notReached(about: About, unreached: string): Examination {
  const server = { name: "", version: "" };
  return { ...about, unreached, server, revisions: [], score: undefined, groups: [], checks: [] };
}

/** Throws `UnknownTool` if the server does not list the tool that the user has named. */
async function checkAllowedTool(context: Context): Promise<void> {
  const { allowedTool } = context.limits;
  if (allowedTool === undefined) return;
  const names = (await context.snapshot()).tools.map(({ name }) => textOf(name));
  if (names.length > 0 && !names.includes(allowedTool)) throw new UnknownTool(allowedTool, names);
}

async function closeAll(opened: Set<() => Promise<void>>): Promise<void> {
  const all = [...opened];
  opened.clear();
  await Promise.all(all.map((close) => close()));
}

async function runCheck<Each>(
  check: Check<Each>,
  context: Each,
  withinMs: number,
  signal: AbortSignal | undefined,
): Promise<CheckReport> {
  const { id, title, group } = check;
  const base = { id, title, group };
  if (withinMs <= 0)
    return { ...base, verdict: "not examined", reason: "The time limit for all checks was reached.", findings: [] };
  // A check that throws does not stop the others.
  const work = check.run(context).catch((error: unknown) => ({ failure: (error as Error).message }));
  const found = await withinTime(work, withinMs, signal);
  if (found !== undefined && "failure" in found)
    return { ...base, verdict: "not examined", reason: `The check itself failed: ${found.failure}`, findings: [] };
  if (found === undefined)
    return { ...base, verdict: "not examined", reason: "The check exceeded its time limit.", findings: [] };
  if (!isFindings(found)) return { ...base, verdict: "not applicable", reason: found.reason, findings: [] };
  const findings = found.map((finding) => ({ ...finding, evidence: limitFrames(finding.evidence) }));
  return { ...base, verdict: worstOf(findings), findings };
}

const isFindings = (found: readonly Finding[] | NotApplicable): found is readonly Finding[] => Array.isArray(found);

const SEVERITIES: readonly Severity[] = ["fault", "warning", "note", "good"];

function worstOf(findings: readonly Finding[]): Verdict {
  return SEVERITIES.find((severity) => findings.some((finding) => finding.severity === severity)) ?? "good";
}

/** Returns undefined if the time limit is reached first; throws if the signal is aborted. */
async function withinTime<Value>(
  work: Promise<Value>,
  withinMs: number,
  signal: AbortSignal | undefined,
): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  const over = new Promise<undefined>((resolve, reject) => {
    timer = setTimeout(() => resolve(undefined), withinMs);
    stop = () => reject(signal?.reason as Error);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
    if (stop) signal?.removeEventListener("abort", stop);
  }
}

function groupsOf(reports: readonly CheckReport[]): Examination["groups"] {
  return (Object.keys(GROUPS) as GroupId[]).flatMap((id) => {
    const own = reports.filter(({ group }) => group === id);
    return own.length === 0 ? [] : [{ id, title: GROUPS[id], score: scoreOf(own) }];
  });
}
