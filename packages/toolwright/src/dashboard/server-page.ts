import type { Server } from "@toolwright/engine";
import type { CallMetrics } from "@toolwright/engine/observability";
import { type Html, type HtmlPart, html } from "@toolwright/kit/html";
import { count, facts, linePlot, live, moment, type PageContent, table } from "@toolwright/kit/pages";
import { type CallSamples, readAuditTail, recentCalls } from "./traffic.js";

/** The server that the dashboard shows. */
export interface ShownServer {
  readonly server: Pick<Server, "name" | "version" | "metrics" | "recorder" | "tools" | "revisions">;
  /** Its packs at the moment. */
  readonly packs: () => readonly {
    readonly name: string;
    readonly isOn: boolean;
    readonly toolNames: readonly string[];
  }[];
  readonly auditFile: string | undefined;
  /** The process serves only the dashboard. */
  readonly isStandalone: boolean;
}

const MAX_REQUESTS = 30;
const MAX_AUDIT_ENTRIES = 20;
const REFRESH_S = 5;

/** Shows the packs and calls of the server. */
export async function renderServer(shown: ShownServer, samples: CallSamples): Promise<PageContent> {
  const { server, isStandalone } = shown;
  const now = new Date().toISOString();
  return {
    refreshSeconds: REFRESH_S,
    main: html`<h1>Server</h1>
${isStandalone && html`<p class="note">This process serves only the dashboard, so there are no calls to show. To see the calls of a server, open the dashboard of <code>toolwright serve --http</code>.</p>`}
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
  const numbersOfServer = [
    ["Version", version],
    ["Uptime", describeUptime(process.uptime())],
    ["Tools", tools.length],
    ["Running", metrics.running],
    ["Queued", metrics.queued],
    ["Sessions", metrics.sessions],
    ["Streams", metrics.streams],
    ["Memory", `${Math.round(process.memoryUsage.rss() / 1024 / 1024)} MiB`],
  ] as const;
  return html`${facts(numbersOfServer, "numbers")}
<p>Protocol versions: ${revisions.map((revision) => revision.version).join(", ")}.</p>`;
}

function plots(samples: CallSamples): Html {
  const intervals = samples.intervals();
  const rows: readonly (readonly [title: string, values: readonly number[], unit: string])[] = [
    ["Calls", intervals.map((one) => one.callsPerSecond), "/s"],
    ["Errors", intervals.map((one) => one.failuresPerSecond), "/s"],
    ["Mean duration", intervals.map((one) => one.meanMs), " ms"],
  ];
  return html`<section><h2>Last ten minutes</h2><div class="plots">${rows.map(([title, values, unit]) => {
    const summary = `now ${shortNumber(values.at(-1) ?? 0)}${unit}, maximum ${shortNumber(Math.max(0, ...values))}${unit}`;
    return html`<figure><figcaption><strong>${title}</strong> ${summary}</figcaption>${linePlot(values, `${title} over the last minutes: ${summary}`)}</figure>`;
  })}</div></section>`;
}

const packs = ({ server, packs: list }: ShownServer): HtmlPart => {
  const all = list();
  if (all.length === 0) return undefined;
  const enabled = new Set(server.tools.map(({ name }) => name));
  return html`<section><h2>Packs</h2><ul class="packs">${all.map(({ name, isOn, toolNames }) => {
    const on = toolNames.filter((tool) => enabled.has(tool));
    // The tool filter leaves them out.
    const off = toolNames.filter((tool) => !enabled.has(tool));
    const sum = isOn ? `${count(on.length, "tool")}${off.length > 0 ? `, ${off.length} off` : ""}` : "off";
    return html`<li><details data-key="pack-${name}"><summary><strong>${name}</strong> <span class="soft">${sum}</span></summary>${toolList("", on)}${toolList("Off: ", off)}</details></li>`;
  })}</ul></section>`;
};

const toolList = (label: string, names: readonly string[]): HtmlPart =>
  names.length > 0 &&
  html`<p class="tools">${label !== "" && html`<span class="soft">${label}</span>`}${names.map((tool) => html`<code>${tool}</code> `)}</p>`;

function calls(all: readonly CallMetrics[]): Html {
  const called = all
    .map((one) => ({ one, total: Object.values(one.outcomes).reduce((sum, each) => sum + each, 0) }))
    .filter(({ total }) => total > 0)
    .sort((left, right) => right.total - left.total);
  if (called.length === 0) return html`<section><h2>Calls</h2><p class="none">No calls yet</p></section>`;
  return html`<section><h2>Calls</h2>${table(
    "Calls by tool",
    ["Name", "Calls", "Failed", "Rejected", "Cancelled", "Mean"],
    called.map(({ one: { kind, name, outcomes, totalSeconds }, total }) => [
      name === "" ? `${kind}s` : name,
      total.toLocaleString("en"),
      outcomes.failed,
      outcomes.refused,
      outcomes.cancelled,
      `${shortNumber((totalSeconds / total) * 1000)} ms`,
    ]),
  )}</section>`;
}

function recent({ recorder }: ShownServer["server"], now: string): HtmlPart {
  const all = recentCalls(recorder?.frames() ?? [], MAX_REQUESTS);
  if (all.length === 0) return undefined;
  return html`<section><h2>Recent requests</h2>${table(
    "Recent requests",
    ["Request", "Received", "Duration", "Outcome"],
    all.map(({ name, at, ms, outcome }) => [
      name,
      moment(at, now),
      ms === undefined ? "…" : `${shortNumber(ms)} ms`,
      html`<span class="mark is-${OUTCOME_MARKS[outcome]}">${outcome}</span>`,
    ]),
  )}</section>`;
}

const OUTCOME_MARKS = { ok: "ready", failed: "failed", rejected: "failed", running: "in_progress" } as const;

async function audit({ auditFile }: ShownServer, now: string): Promise<HtmlPart> {
  if (auditFile === undefined) return undefined;
  const lines = await readAuditTail(auditFile, MAX_AUDIT_ENTRIES);
  if (lines === undefined)
    return html`<section><h2>Audit log</h2><p class="none">The audit log cannot be read</p></section>`;
  if (lines.length === 0) return html`<section><h2>Audit log</h2><p class="none">No calls yet</p></section>`;
  return html`<section><h2>Audit log</h2>${table(
    "Audit log",
    ["Tool", "Time", "Principal", "Outcome", "Duration"],
    lines.map(({ tool, time, principal, outcome, ms }) => [tool, moment(time, now), principal, outcome, `${ms} ms`]),
  )}</section>`;
}

const shortNumber = (value: number): string =>
  value >= 100
    ? Math.round(value).toLocaleString("en")
    : value.toFixed(value >= 10 || value === 0 ? 0 : value >= 1 ? 1 : 2);

function describeUptime(seconds: number): string {
  if (seconds < 120) return `${Math.floor(seconds)} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`;
}
