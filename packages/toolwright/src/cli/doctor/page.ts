import { readFileSync } from "node:fs";
import { builtFile } from "@toolwright/kit/files";
import { escapeHtml, writeSinglePage } from "@toolwright/kit/html";
import { type CheckReport, countFindings, type Examination, type Verdict } from "../../doctor/diagnose.js";
import type { Finding } from "../../doctor/finding.js";
import { type Diagnosis, titleOf } from "./findings.js";

/** Writes a diagnosis as one page that needs nothing else: no network and no script. */
export function writeDoctorPage(diagnosis: Diagnosis): string {
  const { made, servers } = diagnosis;
  const links = servers.map((server, index) => `<a href="#server-${index}">${escapeHtml(titleOf(server))}</a>`);
  const configured = configuredSection(diagnosis);
  if (configured !== "") links.push('<a href="#configured">Clients</a>');
  const body = `<header>
<h1>Report of toolwright doctor</h1>
<p class="lead">A fault breaks a client, a warning affects some users, a note is worth knowing.</p>
<nav aria-label="Parts of the report">${links.join("")}</nav>
</header>
<main id="main" tabindex="-1">
${[...servers.map(serverSection), configured].filter((section) => section !== "").join("\n")}
</main>
<footer>Made by toolwright ${escapeHtml(diagnosis.version)} on <time datetime="${made.toISOString()}">${made.toISOString().slice(0, 16).replace("T", " ")} UTC</time>. This page is one file: it loads and stores nothing.</footer>`;
  return writeSinglePage({
    title: `Report about ${servers.map(titleOf).join(", ")}`,
    style: readFileSync(builtFile("doctor/report.css"), "utf8"),
    body,
  });
}

const SYMBOLS: Readonly<Record<Verdict, string>> = {
  good: "✓",
  note: "•",
  warning: "!",
  fault: "✗",
  "not applicable": "–",
  "not examined": "?",
};

const badge = (verdict: Verdict): string => {
  const kind = verdict.startsWith("not") ? "none" : verdict;
  return `<span class="verdict v-${kind}"><span aria-hidden="true">${SYMBOLS[verdict]}</span> ${verdict}</span>`;
};

function serverSection(server: Examination, index: number): string {
  const { target, unreached, score, revisions } = server;
  const head = `<section aria-labelledby="server-${index}">\n<h2 id="server-${index}">${escapeHtml(titleOf(server))}</h2>\n<p class="about"><code>${escapeHtml(target)}</code></p>`;
  if (unreached !== undefined)
    return `${head}\n<div class="grave fault"><p><strong>Not reached.</strong> ${escapeHtml(unreached)}</p></div>\n</section>`;
  const count = countFindings(server);
  const facts = [
    ["Score", score === undefined ? "–" : `${score.points} ${score.letter}`],
    ["Faults", String(count.fault)],
    ["Warnings", String(count.warning)],
    ["Notes", String(count.note)],
  ].map(([term = "", text = ""]) => `<div><dt>${term}</dt><dd>${escapeHtml(text)}</dd></div>`);
  const about = [
    `${server.server.name} ${server.server.version}`.trim(),
    `supports ${revisions.join(", ") || "no revision"}`,
  ];
  const groups = server.groups.map(({ id, title, score: own }) => {
    const checks = server.checks.filter((check) => check.group === id).map((check) => checkItem(check, index));
    const points = own === undefined ? "" : `<small>${own.points} of 100, ${own.letter}</small>`;
    return `<h3>${escapeHtml(title)}${points}</h3>\n<ul class="checks">\n${checks.join("\n")}\n</ul>`;
  });
  return `${head}\n<p class="about">${escapeHtml(about.filter((text) => text !== "").join("; "))}</p>\n<dl class="facts">${facts.join("")}</dl>${firstThings(server, index)}\n${groups.join("\n")}\n</section>`;
}

/** Errors and then warnings, each with a link to its finding. */
function firstThings({ checks }: Examination, index: number): string {
  const all = (["fault", "warning"] as const).flatMap((severity) =>
    checks.flatMap(({ id, findings }) =>
      findings
        .filter((finding) => finding.severity === severity)
        .map(({ summary }) => `<li>${badge(severity)}<a href="#${placeOf(id, index)}">${escapeHtml(summary)}</a></li>`),
    ),
  );
  return all.length === 0 ? "" : `\n<h3>Most important</h3>\n<ul class="checks">${all.join("")}</ul>`;
}

const placeOf = (id: string, index: number): string => `server-${index}-${id.replace(".", "-")}`;

function checkItem({ id, title, verdict, reason, findings }: CheckReport, index: number): string {
  const why = reason === undefined ? "" : `<div class="seen quiet"><p>${escapeHtml(reason)}</p></div>`;
  return `<li class="check" id="${placeOf(id, index)}"><p>${badge(verdict)}${escapeHtml(title)}</p>${why}${findings.map(findingBlock).join("")}</li>`;
}

function findingBlock({ severity, summary, why, next, evidence }: Finding): string {
  const isGrave = severity === "fault" || severity === "warning";
  const kind = isGrave ? `grave ${severity}` : severity === "good" ? "quiet" : "";
  const frames =
    evidence.length === 0
      ? ""
      : `<details><summary>Messages</summary><pre>${evidence.map(escapeHtml).join("\n")}</pre></details>`;
  const advice = [
    ...(why === undefined ? [] : [`<p>${escapeHtml(why)}</p>`]),
    ...(next === undefined ? [] : [`<p><strong>Next:</strong> ${escapeHtml(next)}</p>`]),
  ];
  return `<div class="seen ${kind}"><p>${isGrave ? `<strong>${escapeHtml(summary)}</strong>` : escapeHtml(summary)}</p>${advice.join("")}${frames}</div>`;
}

function configuredSection({ configured, unread }: Diagnosis): string {
  if (configured.length + unread.length === 0) return "";
  const rows = configured.flatMap(({ name, client, file, findings }) =>
    findings.map(
      ({ severity, summary, next }) =>
        `<tr><td>${escapeHtml(client)}: ${escapeHtml(name)}<br><small>${escapeHtml(file)}</small></td><td>${badge(severity)}<br>${escapeHtml(summary)}${next === undefined ? "" : ` ${escapeHtml(next)}`}</td></tr>`,
    ),
  );
  const files = unread.map(
    ({ file, reason }) =>
      `<tr><td>${escapeHtml(file)}</td><td>${badge("warning")}<br>Cannot be read: ${escapeHtml(reason)}</td></tr>`,
  );
  return `<section aria-labelledby="configured">\n<h2 id="configured">Servers in the configuration of clients</h2>\n<table><thead><tr><th scope="col">Entry</th><th scope="col">Problem</th></tr></thead><tbody>${[...rows, ...files].join("")}</tbody></table>\n</section>`;
}
