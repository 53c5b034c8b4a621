import { type CommandContext, Failure, UsageError } from "@toolwright/kit/cli";
import { checkWritable, say, sayJson, WIDEST, writeOut } from "@toolwright/kit/terminal";
import { groupsOver } from "../../doctor/checks/all.js";
import { type ConfiguredReport, examineConfigured } from "../../doctor/client-entries.js";
import { type Examination, type ExamineOptions, examine } from "../../doctor/diagnose.js";
import type { GroupId } from "../../doctor/finding.js";
import { UnknownTool } from "../../doctor/tool-probe.js";
import { searchClients } from "../use/find-server.js";
import { didYouMean, nearestNames } from "../use/nearest-names.js";
import { readTokenVariable } from "../use/server-choice.js";
import { type DiagnosedServer, findDiagnosedServers, openOwn } from "./diagnosed-servers.js";
import { type Diagnosis, exitCodeFor, toJson, withoutSecrets } from "./findings.js";
import { writeDoctorPage } from "./page.js";
import { showDiagnosis } from "./show-diagnosis.js";

/** The time limits of one check, and of all. */
const CHECK_MS = 60_000;
const TOTAL_MS = 300_000;

interface DoctorInput {
  readonly servers: readonly string[];
  readonly trailing?: readonly string[];
  readonly call: string | undefined;
  readonly only: readonly GroupId[];
  readonly timeout: number;
  readonly tokenEnv: string | undefined;
  readonly json: boolean;
  readonly html: string | undefined;
}

/** Diagnoses servers and prints the report; the exit code is 1 if there are faults, and 3 if a server cannot be reached. */
export async function runDoctor(input: DoctorInput, ctx: CommandContext): Promise<void> {
  const { html, json, call } = input;
  if (input.trailing?.length === 0) throw new UsageError("-- needs a command that starts a server");
  const only = input.only.length === 0 ? undefined : input.only;
  const token = input.tokenEnv === undefined ? undefined : readTokenVariable(input.tokenEnv, process.env);
  if (html !== undefined) checkWritable(html);
  const options: ExamineOptions = {
    responseTimeoutMs: input.timeout,
    checkMs: CHECK_MS,
    totalMs: TOTAL_MS,
    ...(call !== undefined && { allowedTool: call }),
    ...(only !== undefined && { only }),
    signal: ctx.signal,
    onProgress: ({ subject, done, total, title }) => ctx.onProgress({ stage: `${subject}: ${title}`, done, total }),
  };
  const diagnosis = await diagnose({ ...input, only, token }, ctx.version, options);
  if (html !== undefined) writeOut(html, writeDoctorPage(diagnosis));
  if (json) await sayJson(toJson(diagnosis));
  else await say(showDiagnosis(diagnosis, ctx.screen.paint, Math.min(ctx.screen.width, WIDEST)));
  if (html !== undefined) ctx.notice(`The report is in ${html}.`);
  process.exitCode = exitCodeFor(diagnosis);
}

interface DiagnoseOptions extends Pick<DoctorInput, "servers" | "trailing"> {
  readonly only: readonly GroupId[] | undefined;
  readonly token: string | undefined;
}

async function diagnose(
  { servers: names, trailing, only, token }: DiagnoseOptions,
  version: string,
  options: ExamineOptions,
): Promise<Diagnosis> {
  const base = { made: new Date(), version };
  const examineOne = async ({ subject, conceal }: DiagnosedServer): Promise<Examination> =>
    withoutSecrets(await examine(subject, options).catch(refuseUnknownTool(subject.name)), conceal);
  const servers: Examination[] = [];
  if (names.length > 0 || trailing !== undefined) {
    const found = await findDiagnosedServers({ names, command: trailing, token }, process.env);
    for (const { subject } of found) checkGroups("url" in subject ? "http" : "stdio", subject.name, only);
    for (const server of found) servers.push(await examineOne(server));
    return { ...base, servers, configured: [], unread: [] };
  }
  const { servers: known, faults: unread } = await searchClients(process.env);
  const configured: readonly ConfiguredReport[] = await examineConfigured(known);
  for (const transport of ["stdio", "http"] as const) {
    if (!hasGroups(transport, only)) continue;
    const own = await openOwn(transport, version);
    // If it does not start, the configuration of clients can still be examined.
    if ("unreached" in own) servers.push(own);
    else
      try {
        servers.push(await examineOne(own));
      } finally {
        await own.close();
      }
  }
  return { ...base, servers, configured, unread };
}

const hasGroups = (transport: Examination["transport"], only: readonly GroupId[] | undefined): boolean =>
  only?.some((group) => groupsOver(transport).has(group)) ?? true;

function checkGroups(transport: Examination["transport"], name: string, only: readonly GroupId[] | undefined): void {
  if (hasGroups(transport, only)) return;
  const kind = transport === "http" ? "a URL" : "a program";
  throw new Failure(
    `--only ${only?.join(",") ?? ""} has no check for ${name}: ${kind} has the groups ${[...groupsOver(transport)].join(", ")}`,
    2,
  );
}

const refuseUnknownTool =
  (server: string) =>
  (error: unknown): never => {
    if (!(error instanceof UnknownTool)) throw error;
    const hint = didYouMean(nearestNames(error.tool, error.known)) || "; toolwright list shows its tools";
    throw new Failure(`--call ${error.tool}: ${server} has no such tool${hint}`, 2);
  };
