import { type ConfiguredReport, examineConfigured } from "../../doctor/configured.js";
import type { Examination } from "../../doctor/examination.js";
import { type ExamineOptions, examine } from "../../doctor/examine.js";
import { Progress } from "../analyze/progress.js";
import { type DoctorWords, readDoctorWords } from "../doctor/doctor-words.js";
import { codeFor, type Diagnosis, toJson, withoutSecrets } from "../doctor/findings.js";
import { writeDoctorPage } from "../doctor/page.js";
import { findPatients, openOwn, type Patient } from "../doctor/patients.js";
import { showDiagnosis } from "../doctor/show-diagnosis.js";
import { WIDEST } from "../kb/wrap.js";
import { outliveReaders } from "../terminal/outlive-readers.js";
import { createPaint, wantsColour } from "../terminal/paint.js";
import { remark, say, sayJson } from "../terminal/say.js";
import { checkWritable, writeOut } from "../terminal/write-out.js";
import { untilStopped } from "../until-stopped.js";
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
    patienceMs: told.patienceMs,
    checkMs: CHECK_MS,
    totalMs: TOTAL_MS,
    ...(told.mayCall !== undefined && { mayCall: told.mayCall }),
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
  const look = async ({ subject, conceal }: Patient): Promise<Examination> =>
    withoutSecrets(await examine(subject, options), conceal);
  if (told.servers.length > 0 || told.command !== undefined) {
    const servers: Examination[] = [];
    for (const patient of await findPatients(told, process.env, () => searchClients(process.env)))
      servers.push(await look(patient));
    return { ...base, servers, configured: [], unread: [] };
  }
  const { servers: known, faults: unread } = await searchClients(process.env);
  const configured: readonly ConfiguredReport[] = await examineConfigured(known);
  const servers: Examination[] = [];
  for (const transport of ["stdio", "http"] as const) {
    const own = await openOwn(transport, version);
    try {
      servers.push(await look(own));
    } finally {
      await own.close();
    }
  }
  return { ...base, servers, configured, unread };
}

async function tell({ json, html }: DoctorWords, diagnosis: Diagnosis): Promise<void> {
  if (html !== undefined) writeOut(html, writeDoctorPage(diagnosis));
  if (json) await sayJson(toJson(diagnosis));
  else {
    const paint = createPaint(wantsColour(process.stdout, process.env));
    await say(showDiagnosis(diagnosis, paint, Math.min(process.stdout.columns || WIDEST, WIDEST)));
  }
  if (html !== undefined) remark(`The report is in ${html}.`);
}
