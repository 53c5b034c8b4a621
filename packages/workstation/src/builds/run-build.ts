import path from "node:path";
import { type Call, ToolError } from "@toolwright/engine";
import type { FileAccess } from "@toolwright/kit/files";
import {
  cleanEnvironment,
  findProgram,
  type OutputStream,
  type ProgramStop,
  showCommand,
} from "@toolwright/kit/processes";
import type { BackgroundProcess } from "../processes/background-process.js";
import { KeptText } from "../processes/kept-text.js";
import type { Processes } from "../processes/processes.js";
import { Teller } from "../processes/teller.js";
import type { Settings } from "../settings.js";
import { type Choice, choosePlan } from "./choose.js";
import { type Deed, type Plan, refuseOption } from "./ecosystem.js";
import { type OpenProject, openProject } from "./open-project.js";
import { type Report, shownFrom, toReport } from "./report.js";

/** What a run is to do. */
export interface BuildRequest {
  readonly deed: Deed;
  readonly path: string;
  readonly ecosystem: string;
  readonly test?: string | undefined;
}

/** What a run has come to. */
export interface BuildEnd extends Report {
  readonly choice: Choice;
  readonly command: string;
  readonly process: BackgroundProcess;
  readonly end: ProgramStop;
}

/** What a run needs of the workstation. */
export interface BuildPlace {
  readonly settings: Pick<Settings, "builds" | "network" | "build_ms">;
  readonly processes: Processes;
  readonly reach: FileAccess;
  /** Asks a person before a deed, where the settings want that. Throws where they decline. */
  readonly ask: (deed: string) => Promise<void>;
}

/** How much of the output is looked at, of stdout and stderr each. */
const READ_CHARACTERS = 2 * 1024 * 1024;
const LATEST_CHARACTERS = 10_000;

/** Builds, tests, restores or lints a project, and reads what its tools say. Throws a `ToolError` where that is not allowed. */
export async function runBuild(
  { settings, processes, reach, ask }: BuildPlace,
  request: BuildRequest,
  call: Pick<Call, "signal" | "principal" | "progress">,
): Promise<BuildEnd> {
  refuseSwitchedOff(request.deed, settings);
  refuseOption(request.test);
  const isOnline = settings.network;
  await using project = await openProject(reach, request.path, { test: request.test, isOnline });
  const choice = await choosePlan(request.deed, project, request.ecosystem);
  const { plan } = choice;
  const command = showCommand([plan.program, ...plan.args]);
  await ask(`Run ${command.slice(0, 500)} in ${reach.displayPath(project.folder)}`);
  const kept: Record<OutputStream, KeptText> = {
    stdout: new KeptText(READ_CHARACTERS),
    stderr: new KeptText(READ_CHARACTERS),
  };
  const latest = new KeptText(LATEST_CHARACTERS);
  const teller = new Teller(call);
  const process = await processes.start({
    principal: call.principal,
    command,
    program: await findPlanned(plan, project),
    args: plan.args,
    cwd: project.cwd,
    env: cleanEnvironment(globalThis.process.env, plan.env),
    timeoutMs: settings.build_ms,
    signal: call.signal,
    hear(text, from) {
      kept[from].add(text);
      latest.add(text);
      teller.hear(text);
    },
  });
  const end = await process.ended;
  call.signal.throwIfAborted();
  const report = toReport(
    { output: `${kept.stdout.take()}\n${kept.stderr.take()}`, latest: latest.take() },
    plan,
    shownFrom(project.folder, { roots: reach.roots, show: (place) => reach.displayPath(place) }),
  );
  process.findings = report.failures;
  refuseNothingRun(request.test, end, report);
  return { ...report, choice, command, process, end };
}

/** How runners end that have run no test: most with 0, those of Python with 5. */
const NOTHING_RUN: ReadonlySet<number | null> = new Set([0, 5]);

/** A runner that knows no test of this name says that all is well. */
function refuseNothingRun(test: string | undefined, { exitCode }: ProgramStop, { counts }: Report): void {
  if (test === undefined || counts === undefined || counts.passed + counts.failed > 0) return;
  if (!NOTHING_RUN.has(exitCode)) return;
  throw new ToolError(
    `No test is named ${JSON.stringify(test)}: nothing was run. Run ci_test without test to see the names.`,
    { code: "NOT_FOUND", details: { test } },
  );
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

function refuseSwitchedOff(deed: Deed, { builds, network }: BuildPlace["settings"]): void {
  const missing = [...(builds ? [] : ["builds"]), ...(deed === "restore" && !network ? ["network"] : [])];
  if (missing.length === 0) return;
  const settings = missing.map((name) => `packs.workstation.${name}: true`);
  throw new ToolError(
    `Cannot ${deed} the project: that runs programs of the project${deed === "restore" ? " and fetches packages" : ""}, which the settings do not allow. ` +
      `A person allows it with ${settings.join(" and ")} in toolwright.config.json.`,
    { code: "FORBIDDEN_COMMAND", details: { setting: settings } },
  );
}
