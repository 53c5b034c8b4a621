import type { Server } from "@toolwright/engine";
import type { CallMetrics } from "@toolwright/engine/observability";
import { plot } from "../charts.js";
import { type Html, html, type Piece } from "../html.js";
import { live } from "../layout.js";
import { count, moment } from "../parts.js";
import { auditTail } from "../traffic/audit-tail.js";
import { recentCalls } from "../traffic/recent-calls.js";
import type { Samples } from "../traffic/samples.js";
import type { Shown } from "../view.js";

/** The server that a dashboard shows. */
export interface ShownServer {
  readonly server: Pick<Server, "name" | "version" | "metrics" | "recorder" | "tools" | "revisions">;
  /** Its packs as they are now. */
  readonly packs: () => readonly {
    readonly name: string;
    readonly isOn: boolean;
    readonly toolNames: readonly string[];
  }[];
  readonly auditFile: string | undefined;
  /** The process serves nothing but the dashboard. */
  readonly isAlone: boolean;
}

const MOST_CALLS = 30;
const MOST_LINES = 20;

/** How soon the page looks again. */
const AGAIN_S = 5;

/** Shows what a server offers and does. */
export async function showServer(shown: ShownServer, samples: Samples, now: string): Promise<Shown> {
  const { server, isAlone } = shown;
  return {
    title: "Server",
    here: "/server",
    againS: AGAIN_S,
    main: html`<h1>Server</h1>
${isAlone && html`<p class="note">This process serves the dashboard alone, so this page shows nothing of other servers. Open the dashboard that <code>toolwright serve --http</code> brings along to see its calls.</p>`}
${live(
  "server",
  html`${numbers(server)}
${plots(samples)}
${packs(shown)}
${calls(server.metrics.calls())}
${recent(server, now)}
${await audit(shown, now)}`,
)}`,
  };
}

function numbers({ version, metrics, tools, revisions }: ShownServer["server"]): Html {
  const facts: readonly (readonly [name: string, value: Piece])[] = [
    ["Version", version],
    ["Up for", upFor(process.uptime())],
    ["Tools", tools.length],
    ["Running", metrics.running],
    ["Queued", metrics.queued],
    ["Sessions", metrics.sessions],
    ["Streams", metrics.streams],
    ["Memory", `${Math.round(process.memoryUsage.rss() / 1024 / 1024)} MiB`],
  ];
  return html`<dl class="numbers">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<p>Speaks ${revisions.map((revision) => revision.version).join(", ")}.</p>`;
}

function plots(samples: Samples): Html {
  const intervals = samples.intervals();
  const rows: readonly (readonly [title: string, values: readonly number[], unit: string])[] = [
    ["Calls", intervals.map((one) => one.callsPerSecond), "/s"],
    ["Errors", intervals.map((one) => one.failuresPerSecond), "/s"],
    ["Mean time", intervals.map((one) => one.meanMs), " ms"],
  ];
  return html`<section><h2>The last ten minutes</h2><div class="plots">${rows.map(([title, values, unit]) => {
    const words = `now ${shortNumber(values.at(-1) ?? 0)}${unit}, at most ${shortNumber(Math.max(0, ...values))}${unit}`;
    return html`<figure><figcaption><strong>${title}</strong> ${words}</figcaption>${plot(values, `${title} over the last minutes: ${words}`)}</figure>`;
  })}</div></section>`;
}

const packs = ({ server, packs: list }: ShownServer): Piece => {
  const all = list();
  if (all.length === 0) return undefined;
  const offered = new Set(server.tools.map(({ name }) => name));
  return html`<section><h2>Packs</h2><ul class="packs">${all.map(({ name, isOn, toolNames }) => {
    const on = toolNames.filter((tool) => offered.has(tool));
    // The pack brings them, and the selection leaves them out.
    const off = toolNames.filter((tool) => !offered.has(tool));
    const sum = isOn ? `${count(on.length, "tool")}${off.length > 0 ? `, ${off.length} off` : ""}` : "off";
    return html`<li><details data-key="pack-${name}"><summary><strong>${name}</strong> <span class="soft">${sum}</span></summary>${toolList("", on)}${toolList("Off: ", off)}</details></li>`;
  })}</ul></section>`;
};

const toolList = (label: string, names: readonly string[]): Piece =>
  names.length > 0 &&
  html`<p class="tools">${label !== "" && html`<span class="soft">${label}</span>`}${names.map((tool) => html`<code>${tool}</code> `)}</p>`;

function calls(all: readonly CallMetrics[]): Html {
  const called = all
    .map((one) => ({ one, total: Object.values(one.outcomes).reduce((sum, each) => sum + each, 0) }))
    .filter(({ total }) => total > 0)
    .sort((left, right) => right.total - left.total);
  if (called.length === 0) return html`<section><h2>Calls</h2><p class="none">Nothing was called yet</p></section>`;
  return html`<section><h2>Calls</h2>${table(
    ["What", "Calls", "Failed", "Refused", "Cancelled", "Mean"],
    called.map(({ one: { kind, name, outcomes: endings, totalSeconds: seconds }, total }) => [
      name === "" ? `${kind}s` : name,
      total.toLocaleString("en"),
      endings.failed,
      endings.refused,
      endings.cancelled,
      `${shortNumber((seconds / total) * 1000)} ms`,
    ]),
    "Calls by tool",
  )}</section>`;
}

function recent({ recorder }: ShownServer["server"], now: string): Piece {
  const all = recentCalls(recorder?.frames() ?? [], MOST_CALLS);
  if (all.length === 0) return undefined;
  return html`<section><h2>Last requests</h2>${table(
    ["What", "When", "Time", "Ending"],
    all.map(({ name, at, ms, ending }) => [
      name,
      moment(at, now),
      ms === undefined ? "…" : `${shortNumber(ms)} ms`,
      html`<span class="mark is-${ENDINGS[ending]}">${ending}</span>`,
    ]),
    "Last requests",
  )}</section>`;
}

const ENDINGS = { ok: "ready", failed: "failed", refused: "failed", running: "in_progress" } as const;

async function audit({ auditFile }: ShownServer, now: string): Promise<Piece> {
  if (auditFile === undefined) return undefined;
  const lines = await auditTail(auditFile, MOST_LINES);
  if (lines === undefined) return html`<section><h2>Audit log</h2><p class="none">It cannot be read</p></section>`;
  if (lines.length === 0) return html`<section><h2>Audit log</h2><p class="none">Nothing was called yet</p></section>`;
  return html`<section><h2>Audit log</h2>${table(
    ["Tool", "When", "Who", "Outcome", "Time"],
    lines.map(({ tool, time, principal, outcome, ms }) => [tool, moment(time, now), principal, outcome, `${ms} ms`]),
    "Audit log",
  )}</section>`;
}

const table = (heads: readonly string[], rows: readonly (readonly Piece[])[], name: string): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${name}" data-key="${name}"><table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map(([first, ...rest]) => html`<tr><th scope="row">${first}</th>${rest.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;

const shortNumber = (value: number): string =>
  value >= 100
    ? Math.round(value).toLocaleString("en")
    : value.toFixed(value >= 10 || value === 0 ? 0 : value >= 1 ? 1 : 2);

function upFor(seconds: number): string {
  if (seconds < 120) return `${Math.floor(seconds)} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`;
}
