import { escapeHtml, writeSinglePage } from "@toolwright/kit/html";
import { type CheckReport, countFindings, type Examination, type Verdict } from "../../doctor/diagnose.js";
import type { Finding } from "../../doctor/finding.js";
import { type Diagnosis, titleOf } from "./findings.js";

/** Writes a diagnosis as one page that needs nothing else: no network and no script. */
export function writeDoctorPage(diagnosis: Diagnosis): string {
  const { made, servers } = diagnosis;
  const links = servers.map((server, index) => `<a href="#server-${index}">${escapeHtml(titleOf(server))}</a>`);
  const configured = configuredSection(diagnosis);
  if (configured !== "") links.push('<a href="#configured">What clients start</a>');
  const body = `<header>
<h1>What the doctor summary</h1>
<p class="lead">A fault breaks a client, a warning hurts some users, a note is worth knowing.</p>
<nav aria-label="Parts of the report">${links.join("")}</nav>
</header>
<main id="main" tabindex="-1">
${[...servers.map(serverSection), configured].filter((section) => section !== "").join("\n")}
</main>
<footer>Made by toolwright ${escapeHtml(diagnosis.version)} on <time datetime="${made.toISOString()}">${made.toISOString().slice(0, 16).replace("T", " ")} UTC</time>. This page is one file: it asks no network and keeps nothing.</footer>`;
  return writeSinglePage({ title: `Examination of ${servers.map(titleOf).join(", ")}`, style: STYLE, body });
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
    `speaks ${revisions.join(", ") || "no revision"}`,
  ];
  const groups = server.groups.map(({ id, title, score: own }) => {
    const checks = server.checks.filter((check) => check.group === id).map((check) => checkItem(check, index));
    const points = own === undefined ? "" : `<small>${own.points} of 100, ${own.letter}</small>`;
    return `<h3>${escapeHtml(title)}${points}</h3>\n<ul class="checks">\n${checks.join("\n")}\n</ul>`;
  });
  return `${head}\n<p class="about">${escapeHtml(about.filter((text) => text !== "").join("; "))}</p>\n<dl class="facts">${facts.join("")}</dl>${firstThings(server, index)}\n${groups.join("\n")}\n</section>`;
}

/** Faults and then warnings, each with a link to where it stands. */
function firstThings({ checks }: Examination, index: number): string {
  const all = (["fault", "warning"] as const).flatMap((severity) =>
    checks.flatMap(({ id, findings }) =>
      findings
        .filter((finding) => finding.severity === severity)
        .map(({ summary }) => `<li>${badge(severity)}<a href="#${placeOf(id, index)}">${escapeHtml(summary)}</a></li>`),
    ),
  );
  return all.length === 0 ? "" : `\n<h3>To look at first</h3>\n<ul class="checks">${all.join("")}</ul>`;
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
      : `<details><summary>What went over the wire</summary><pre>${evidence.map(escapeHtml).join("\n")}</pre></details>`;
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
  return `<section aria-labelledby="configured">\n<h2 id="configured">What the clients of this machine start</h2>\n<table><thead><tr><th scope="col">Entry</th><th scope="col">Problem</th></tr></thead><tbody>${[...rows, ...files].join("")}</tbody></table>\n</section>`;
}

/** How the page of the doctor looks, in light and in dark, on wide and narrow screens, and on paper. */
const STYLE = `
:root { color-scheme: light dark; --back: light-dark(#ffffff, #14161a); --card: light-dark(#f6f7f9, #1c1f25); --text: light-dark(#17191c, #e8eaed); --soft: light-dark(#5b6470, #a3acb8); --rule: light-dark(#dde1e6, #333944); --link: light-dark(#0b5cad, #7db7ff); --good: light-dark(#1c6b36, #7fd79a); --warning: light-dark(#805400, #f0c957); --fault: light-dark(#a3202c, #ff9d8f); }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 0 clamp(0.9rem, 3vw, 2.5rem) 3rem; max-width: 64rem; background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 0.5rem; background: var(--back); padding: 0.4rem 0.8rem; z-index: 3; }
main:focus { outline: none; }
h1 { font-size: clamp(1.5rem, 4vw, 2.1rem); line-height: 1.2; margin: 1.6rem 0 0.3rem; letter-spacing: -0.015em; }
h2 { font-size: 1.35rem; margin: 2.6rem 0 0.2rem; letter-spacing: -0.01em; overflow-wrap: anywhere; }
h3 { display: flex; gap: 0.7rem; align-items: baseline; font-size: 1.05rem; margin: 1.8rem 0 0.4rem; padding-bottom: 0.2rem; border-bottom: 1px solid var(--rule); }
h3 small { margin-left: auto; }
small, .lead, .about { color: var(--soft); }
.lead, .about { margin: 0; overflow-wrap: anywhere; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(7.5rem, 1fr)); gap: 0.6rem; margin: 1rem 0 0; }
.facts div { background: var(--card); border: 1px solid var(--rule); border-radius: 8px; padding: 0.6rem 0.9rem; }
.facts dt { font-size: 0.8rem; color: var(--soft); }
.facts dd { margin: 0; font-size: 1.45rem; font-weight: 600; font-variant-numeric: tabular-nums; }
nav { display: flex; flex-wrap: wrap; gap: 0.2rem 1.3rem; margin-top: 1.1rem; padding-bottom: 0.7rem; border-bottom: 1px solid var(--rule); font-size: 0.92rem; }
ul.checks { list-style: none; margin: 0; padding: 0; }
.check { padding: 0.3rem 0; }
.check > p { margin: 0; }
.verdict { display: inline-block; min-width: 7.2rem; font-weight: 600; font-size: 0.9rem; }
.v-good { color: var(--good); }
.v-warning { color: var(--warning); }
.v-fault { color: var(--fault); }
.v-note, .v-none { color: var(--soft); }
.seen { margin: 0.2rem 0 0.2rem 7.2rem; font-size: 0.92rem; overflow-wrap: anywhere; }
.seen p { margin: 0; }
.quiet { color: var(--soft); }
.grave { margin-top: 0.4rem; margin-bottom: 0.6rem; background: var(--card); border: 1px solid var(--rule); border-left: 4px solid var(--warning); border-radius: 6px; padding: 0.5rem 0.9rem; }
.grave.fault { border-left-color: var(--fault); }
.grave p + p { margin-top: 0.25rem; }
details { margin-top: 0.4rem; }
summary { cursor: pointer; color: var(--link); }
pre { margin: 0.3rem 0 0; white-space: pre-wrap; overflow-wrap: anywhere; font: 0.82rem/1.45 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
table { border-collapse: collapse; width: 100%; font-size: 0.92rem; }
th, td { padding: 0.35rem 0.6rem 0.35rem 0; text-align: left; border-bottom: 1px solid var(--rule); vertical-align: top; overflow-wrap: anywhere; }
th { color: var(--soft); font-weight: 600; }
footer { margin-top: 3rem; padding-top: 0.8rem; border-top: 1px solid var(--rule); color: var(--soft); font-size: 0.85rem; }
@media (max-width: 40rem) { .seen { margin-left: 0; } .verdict { min-width: 0; margin-right: 0.5rem; } .facts { grid-template-columns: repeat(2, 1fr); } }
@media print { :root { color-scheme: light; } body { max-width: none; padding: 0; font-size: 9pt; } nav, .skip { display: none; } .check, .grave { break-inside: avoid; } h2, h3 { break-after: avoid; } details::details-content { content-visibility: visible; block-size: auto; } }
`;
