import { type Paint, visibleLine, wrap } from "@toolwright/kit/terminal";
import { type CheckReport, countFindings, type Examination, type Verdict } from "../../doctor/diagnose.js";
import type { Finding } from "../../doctor/finding.js";
import { type Diagnosis, faultsIn, titleOf } from "./findings.js";

const SYMBOLS: Readonly<Record<Verdict, string>> = {
  good: "✓",
  note: "•",
  warning: "!",
  fault: "✗",
  "not applicable": "–",
  "not examined": "?",
};

const MOST_EVIDENCE = 4;
const LEAST_WIDTH = 40;

/** A diagnosis for a terminal. */
export function showDiagnosis(diagnosis: Diagnosis, paint: Paint, width: number): string {
  const parts = [
    ...diagnosis.servers.map((server) => showServer(server, paint, width)),
    showConfigured(diagnosis, paint, width),
    sumUp(diagnosis, paint),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function brushOf(verdict: Verdict, paint: Paint): (text: string) => string {
  if (verdict === "fault") return paint.red;
  if (verdict === "warning") return paint.yellow;
  return verdict === "good" ? paint.green : paint.faint;
}

function showServer(server: Examination, paint: Paint, width: number): string {
  const { target, unreached, score, revisions } = server;
  const title = paint.bold(visibleLine(titleOf(server)));
  if (unreached !== undefined)
    return [title, ...fold(`✗ Not reached. ${visibleLine(unreached)}`, width, "  ").map(paint.red)].join("\n");
  const about = server.server.name === "" ? "" : `${server.server.name} ${server.server.version}`;
  const count = countFindings(server);
  const lines = [
    `${title}   ${score === undefined ? "" : paint.bold(`${score.points}/100 ${score.letter}`)}`,
    paint.faint(`  ${visibleLine(target)}`),
    ...[visibleLine(about), revisions.join(", ")].filter((text) => text !== "").map((text) => paint.faint(`  ${text}`)),
    `  ${count.fault} ${count.fault === 1 ? "fault" : "faults"}, ${count.warning} ${count.warning === 1 ? "warning" : "warnings"}, ${count.note} ${count.note === 1 ? "note" : "notes"}`,
  ];
  for (const group of server.groups) {
    const checks = server.checks.filter((check) => check.group === group.id);
    lines.push(
      "",
      `${paint.bold(group.title)}${group.score === undefined ? "" : `  ${group.score.points} ${group.score.letter}`}`,
    );
    for (const check of checks) lines.push(...showCheck(check, paint, width));
  }
  return lines.join("\n");
}

function showCheck({ title, verdict, reason, findings }: CheckReport, paint: Paint, width: number): string[] {
  const brush = brushOf(verdict, paint);
  const head = `  ${brush(`${SYMBOLS[verdict]} ${verdict}`)}  ${visibleLine(title)}`;
  if (reason !== undefined) return [head, ...fold(visibleLine(reason), width, "      ").map(paint.faint)];
  const shown = verdict === "good" ? findings.slice(0, 1) : findings.filter(({ severity }) => severity !== "good");
  return [head, ...shown.flatMap((finding) => showFinding(finding, paint, width))];
}

function showFinding({ severity, summary, why, next, evidence }: Finding, paint: Paint, width: number): string[] {
  if (severity === "good") return fold(visibleLine(summary), width, "      ").map(paint.faint);
  const isGrave = severity === "fault" || severity === "warning";
  return [
    ...fold(visibleLine(summary), width, "      "),
    ...(why === undefined ? [] : fold(`Why: ${why}`, width, "      ").map(paint.faint)),
    ...(next === undefined ? [] : fold(`Next: ${next}`, width, "      ").map(paint.cyan)),
    ...(isGrave ? evidence.slice(0, MOST_EVIDENCE) : []).map((line) =>
      paint.faint(`        ${cutTo(visibleLine(line), width - 8)}`),
    ),
  ];
}

function showConfigured({ configured, unread }: Diagnosis, paint: Paint, width: number): string {
  if (configured.length + unread.length === 0) return "";
  const entries = configured.flatMap(({ name, client, file, findings }) => [
    `  ${visibleLine(`${client}: ${name}`)}  ${paint.faint(visibleLine(file))}`,
    ...findings.flatMap((finding) => [
      ...fold(`${SYMBOLS[finding.severity]} ${visibleLine(finding.summary)}`, width, "    ").map(
        brushOf(finding.severity, paint),
      ),
      ...(finding.next === undefined ? [] : fold(`Next: ${finding.next}`, width, "      ").map(paint.cyan)),
    ]),
  ]);
  const files = unread.map(({ file, reason }) =>
    paint.yellow(`  ! ${visibleLine(file)} cannot be read: ${visibleLine(reason)}`),
  );
  return [paint.bold("What the clients of this machine start"), ...entries, ...files].join("\n");
}

function sumUp(diagnosis: Diagnosis, paint: Paint): string {
  const unreached = diagnosis.servers.filter((server) => server.unreached !== undefined).length;
  const faults = faultsIn(diagnosis);
  if (unreached > 0) return paint.red(`${unreached} of ${diagnosis.servers.length} servers could not be reached.`);
  return faults === 0 ? paint.green("No faults.") : paint.red(`${faults} ${faults === 1 ? "fault" : "faults"}.`);
}

function fold(text: string, width: number, indent: string): string[] {
  return wrap(text, Math.max(LEAST_WIDTH, width - indent.length)).map((line) => indent + line);
}

function cutTo(text: string, width: number): string {
  const room = Math.max(LEAST_WIDTH, width);
  return text.length <= room ? text : `${text.slice(0, room - 1)}…`;
}
