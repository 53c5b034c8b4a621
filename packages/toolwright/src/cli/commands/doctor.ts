import { Failure, untilStopped } from "@toolwright/kit/cli";
import {
  checkWritable,
  createPaint,
  outliveReaders,
  Progress,
  remark,
  say,
  sayJson,
  WIDEST,
  wantsColour,
  writeOut,
} from "@toolwright/kit/terminal";
import { groupsOver } from "../../doctor/checks/all.js";
import { type ConfiguredReport, examineConfigured } from "../../doctor/client-entries.js";
import { type Examination, type ExamineOptions, examine } from "../../doctor/diagnose.js";
import { UnknownTool } from "../../doctor/tool-probe.js";
import { type DoctorWords, readDoctorWords } from "../doctor/doctor-words.js";
import { codeFor, type Diagnosis, toJson, withoutSecrets } from "../doctor/findings.js";
import { writeDoctorPage } from "../doctor/page.js";
import { type DiagnosedServer, findServers, openOwn } from "../doctor/patients.js";
import { showDiagnosis } from "../doctor/show-diagnosis.js";
import { didYouMean, nearOf } from "../use/near.js";
import { searchClients } from "../use/search-clients.js";

/** How long a check, and all of them, may take. */
const CHECK_MS = 60_000;
const TOTAL_MS = 300_000;

/** Examines servers and says what is wrong with them; the process ends with 1 where there are faults, with 3 where one is not reached. */
export async function runDoctor(words: readonly string[], version: string): Promise<void> {
  const told = readDoctorWords(words, process.env);
  if (told.html !== undefined) checkWritable(told.html);
  outliveReaders();
  const stop = untilStopped();
  const bar = new Progress(process.stderr);
  const options: ExamineOptions = {
    responseTimeoutMs: told.responseTimeoutMs,
    checkMs: CHECK_MS,
    totalMs: TOTAL_MS,
    ...(told.allowedTool !== undefined && { allowedTool: told.allowedTool }),
    ...(told.only !== undefined && { only: told.only }),
    signal: stop,
    onProgress: ({ subject, done, total, title }) => bar.tell(done, `${subject}: ${title}`, total),
  };
  const diagnosis = await diagnose(told, version, options).finally(() => bar.end());
  await tell(told, diagnosis);
  process.exitCode = codeFor(diagnosis);
}

async function diagnose(told: DoctorWords, version: string, options: ExamineOptions): Promise<Diagnosis> {
  const base = { made: new Date(), version };
  const look = async ({ subject, conceal }: DiagnosedServer): Promise<Examination> =>
    withoutSecrets(await examine(subject, options).catch(refuseUnknown(subject.name)), conceal);
  if (told.servers.length > 0 || told.command !== undefined) {
    const found = await findServers(told, process.env, () => searchClients(process.env));
    for (const { subject } of found) checkGroups("url" in subject ? "http" : "stdio", subject.name, told.only);
    const servers: Examination[] = [];
    for (const server of found) servers.push(await look(server));
    return { ...base, servers, configured: [], unread: [] };
  }
  const { servers: known, faults: unread } = await searchClients(process.env);
  const configured: readonly ConfiguredReport[] = await examineConfigured(known);
  const servers: Examination[] = [];
  for (const transport of ["stdio", "http"] as const) {
    if (!hasGroups(transport, told.only)) continue;
    const own = await openOwn(transport, version);
    // That it does not start says nothing of the files of the clients.
    if ("unreached" in own) servers.push(own);
    else
      try {
        servers.push(await look(own));
      } finally {
        await own.close();
      }
  }
  return { ...base, servers, configured, unread };
}

const hasGroups = (transport: Examination["transport"], only: DoctorWords["only"]): boolean =>
  only?.some((group) => groupsOver(transport).has(group)) ?? true;

function checkGroups(transport: Examination["transport"], name: string, only: DoctorWords["only"]): void {
  if (hasGroups(transport, only)) return;
  const kind = transport === "http" ? "a URL" : "a program";
  throw new Failure(
    `--only ${only?.join(",") ?? ""} asks nothing of ${name}: for ${kind} there are ${[...groupsOver(transport)].join(", ")}`,
    2,
  );
}

const refuseUnknown =
  (server: string) =>
  (error: unknown): never => {
    if (!(error instanceof UnknownTool)) throw error;
    const meant = didYouMean(nearOf(error.tool, error.known)) || `; toolwright list shows those that there are`;
    throw new Failure(`--call ${error.tool}: ${server} has no such tool${meant}`, 2);
  };

async function tell({ json, html }: DoctorWords, diagnosis: Diagnosis): Promise<void> {
  if (html !== undefined) writeOut(html, writeDoctorPage(diagnosis));
  if (json) await sayJson(toJson(diagnosis));
  else {
    const paint = createPaint(wantsColour(process.stdout, process.env));
    await say(showDiagnosis(diagnosis, paint, Math.min(process.stdout.columns || WIDEST, WIDEST)));
  }
  if (html !== undefined) remark(`The report is in ${html}.`);
}
