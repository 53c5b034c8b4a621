import { readdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Call, ToolError } from "@toolwright/engine";
import { type FileAccess, fitToBudget, isWithin, type OpenFolder } from "@toolwright/kit/files";
import { cleanEnvironment, findProgram, isProgram, type ProgramStop, showCommand } from "@toolwright/kit/processes";
import type { BackgroundProcess } from "../processes/background-process.js";
import { KeptText, ProcessOutput } from "../processes/process-output.js";
import { FAILURES_BYTES, timeoutError } from "../processes/run-command.js";
import type { Workstation } from "../workstation.js";
import { type Choice, choosePlan } from "./choose-plan.js";
import type { BuildAction, Plan, Project } from "./ecosystem.js";
import { addCounts, type Counts, type Failure } from "./findings.js";

/** What to do with which project. */
export interface BuildRequest {
  readonly action: BuildAction;
  readonly path: string;
  readonly ecosystem: string;
  readonly test?: string | undefined;
}

/** How many characters of each stream are parsed. */
const MAX_PARSED = 2 * 1024 * 1024;
const MAX_LATEST = 10_000;

/** How many failures one result lists. */
const MAX_LISTED = 50;

/**
 * Builds, tests, restores or lints a project and parses the output. Throws a `ToolError` if the settings do not allow it, and if it exceeds
 * its time limit.
 */
export async function runBuild(workstation: Workstation, request: BuildRequest, call: Call) {
  const { settings } = workstation;
  const { action, test } = request;
  rejectSwitchedOff(action, settings);
  rejectOption(test);
  const [access, processes] = await Promise.all([workstation.accessFor(call), workstation.processes()]);
  await using project = await openProject(access, request.path, { test, isOnline: settings.network });
  const choice = await choosePlan(action, project, request.ecosystem);
  const { plan } = choice;
  const command = showCommand([plan.program, ...plan.args]);
  const question = `Run ${command.slice(0, 500)} in ${access.displayPath(project.folder)}`;
  await workstation.confirm(call, question, "destructive");
  const output = new ProcessOutput(call, MAX_PARSED);
  const latest = new KeptText(MAX_LATEST);
  const process = await processes.start({
    principal: call.principal,
    command,
    program: await findPlanned(plan, project),
    args: plan.args,
    cwd: project.cwd,
    env: cleanEnvironment(globalThis.process.env, plan.env),
    timeoutMs: settings.buildTimeoutMs,
    signal: call.signal,
    onOutput(text, stream) {
      output.add(text, stream);
      latest.add(text);
    },
  });
  const end = await process.ended;
  call.signal.throwIfAborted();
  const report = createReport(
    { output: `${output.stdout.toString()}\n${output.stderr.toString()}`, latest: latest.toString() },
    plan,
    (file) => toDisplayPath(access, project.folder, file),
  );
  process.findings = report.failures;
  const result = toResult({ choice, command, process, end }, report);
  if (end.hasTimedOut)
    throw timeoutError(process, settings.buildTimeoutMs, "setting buildTimeoutMs", report.tail, result);
  rejectNothingRun(test, end, report);
  return result;
}

function toResult(
  {
    choice,
    command,
    process,
    end,
  }: {
    readonly choice: Choice;
    readonly command: string;
    readonly process: BackgroundProcess;
    readonly end: ProgramStop;
  },
  { failures, counts, tail }: Report,
) {
  const listed = fitToBudget(failures.slice(0, MAX_LISTED), FAILURES_BYTES);
  return {
    ecosystem: choice.ecosystem,
    ...(choice.found.length > 1 && { found: [...choice.found] }),
    command,
    ok: end.exitCode === 0 && !end.hasTimedOut,
    ...(end.exitCode !== null && { exit_code: end.exitCode }),
    ...(end.signal !== null && { signal: end.signal }),
    duration_ms: Math.round(end.durationMs),
    failures: listed,
    failures_total: failures.length,
    ...(counts !== undefined && { counts }),
    tail,
    log: { id: process.id, bytes: process.spool.bytes },
    ...(listed.length < failures.length && { next: { id: process.id, failures: true, offset: listed.length } }),
  };
}

/** The exit codes of runners that have run no test: 5 for Python, 0 for most others. */
const NOTHING_RUN: ReadonlySet<number | null> = new Set([0, 5]);

/** A runner that has no test of this name reports success. */
function rejectNothingRun(test: string | undefined, { exitCode }: ProgramStop, { counts }: Report): void {
  if (test === undefined || counts === undefined || counts.passed + counts.failed > 0) return;
  if (!NOTHING_RUN.has(exitCode)) return;
  throw new ToolError(`No test is named ${JSON.stringify(test)}: nothing was run.`, {
    code: "NOT_FOUND",
    details: { test },
    hint: { action: "see the names of the tests that fail", tool: "ci_test", arguments: {} },
  });
}

async function findPlanned({ program, install }: Plan, project: OpenProject): Promise<string> {
  if (program.startsWith("./")) return path.join(project.folder, program);
  const found = await findProgram(program);
  if (found !== undefined) return found;
  throw new ToolError(`Cannot run ${program}: it is not on the PATH of this server. ${install}.`, {
    code: "UNAVAILABLE",
    details: { program, suggestion: install },
  });
}

function rejectSwitchedOff(action: BuildAction, { builds, network }: Workstation["settings"]): void {
  const missing = [...(builds ? [] : ["builds"]), ...(action === "restore" && !network ? ["network"] : [])];
  if (missing.length === 0) return;
  const settings = missing.map((name) => `packs.workstation.${name}: true`);
  throw new ToolError(
    `Cannot ${action} the project: that runs programs of the project${action === "restore" ? " and downloads packages" : ""}, which the settings do not allow. ` +
      `A person can allow it with ${settings.join(" and ")} in toolwright.config.json.`,
    { code: "FORBIDDEN_COMMAND", details: { setting: settings } },
  );
}

/** A test name must not be read as an option. */
function rejectOption(test: string | undefined): void {
  if (test === undefined || (!test.startsWith("-") && !test.includes("\0"))) return;
  throw new ToolError(`Cannot run the test ${JSON.stringify(test)}: a test name does not begin with "-".`, {
    code: "INVALID_ARGUMENT",
    details: { test },
  });
}

/** Larger project files are not read. */
const MAX_PROJECT_FILE_BYTES = 1024 * 1024;

/** A project whose folder is held open, to run programs in. */
interface OpenProject extends Project, AsyncDisposable {
  /** The path of the open folder, wherever it may be by now. */
  readonly cwd: string;
}

/** Opens the folder of a project, named by its path or that of a file in it. */
async function openProject(
  access: FileAccess,
  inputPath: string,
  options: Pick<Project, "test" | "isOnline">,
): Promise<OpenProject> {
  const found = await access.stat(inputPath);
  const isFile = found?.stats.isFile() ?? false;
  const folder = await access.openFolder(isFile && found !== undefined ? path.dirname(found.realPath) : inputPath);
  try {
    const names = new Set(await access.withTimeout(inputPath, () => readdir(folder.path)));
    const file = isFile ? path.basename(found?.realPath ?? inputPath) : undefined;
    return { ...options, ...projectMethods(access, folder), names, file };
  } catch (error) {
    await folder.close();
    throw error;
  }
}

const projectMethods = (
  access: FileAccess,
  folder: OpenFolder,
): Omit<OpenProject, "names" | "file" | "test" | "isOnline"> => ({
  folder: folder.realPath,
  cwd: folder.path,
  read: (name) => readProjectFile(access, path.join(folder.realPath, name)),
  hasOwn: (program) => isProgram(path.join(folder.realPath, program)),
  has: async (program) => (await findProgram(program)) !== undefined,
  [Symbol.asyncDispose]: () => folder.close(),
});

async function readProjectFile(access: FileAccess, realPath: string): Promise<string | undefined> {
  const found = await access.stat(realPath).catch(() => undefined);
  if (found === undefined || !found.stats.isFile() || found.stats.size > MAX_PROJECT_FILE_BYTES) return undefined;
  await using file = await access.openFileAt(realPath, found.realPath);
  return await access.withTimeout(realPath, () => file.handle.readFile("utf8"));
}

/** What was parsed from the output of a run. */
interface Report {
  readonly failures: readonly Failure[];
  readonly counts?: Counts;
  /** The last lines, in readable form. */
  readonly tail: string;
}

/** How many failures of a run are kept. */
const MAX_FAILURES = 2000;
const TAIL_LINES = 30;
const TAIL_LENGTH = 3000;

/** Parses the output of a run, stdout before stderr. `latest` is its end, in the order in which it was written. */
function createReport(
  { output, latest }: { readonly output: string; readonly latest: string },
  { parsers, fallback }: Pick<Plan, "parsers" | "fallback">,
  toDisplay: (file: string) => string,
): Report {
  const findings = parsers.map((parse) => parse(output));
  const failures = findings.flatMap((each) => each.failures);
  const all = failures.length > 0 || fallback === undefined ? failures : fallback(output).failures;
  const displayed = all.map((each) => (each.file === undefined ? each : { ...each, file: toDisplay(each.file) }));
  const unique = [...new Map(displayed.map((each) => [JSON.stringify(each), each])).values()];
  const errors = unique.filter((each) => each.severity === "error");
  const warnings = unique.filter((each) => each.severity === "warning");
  const plain = findings.map((each) => each.plain).find((each) => each !== undefined);
  return {
    failures: [...errors, ...warnings].slice(0, MAX_FAILURES),
    ...addCounts([findings.map((each) => each.counts).find((each) => each !== undefined)]),
    tail: (plain || latest).trimEnd().split("\n").slice(-TAIL_LINES).join("\n").slice(-TAIL_LENGTH),
  };
}

/** A file as tools accept it, if it lies inside the allowed folders. */
function toDisplayPath(access: FileAccess, folder: string, file: string): string {
  const realPath = path.resolve(folder, file.startsWith("file:") ? toPath(file) : file);
  return access.roots.some((root) => isWithin(root, realPath)) ? access.displayPath(realPath) : file;
}

function toPath(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    return uri;
  }
}
