import type { IntervalHistogram } from "node:perf_hooks";
import { atCaller, requireServer } from "../server/definitions/validation.js";
import { type CallMetrics, DURATION_BUCKET_BOUNDARIES, type ServerMetrics } from "../server/limits/metrics.js";
import { getBuiltinModule } from "../server/runtime.js";
import type { Server } from "../server/server.js";

/** Metrics in the text format of Prometheus. */
export interface MetricsText {
  readonly contentType: string;
  readonly text: string;
}

/**
 * Returns the metrics of a server for Prometheus, for hosts that serve them themselves.
 *
 * @example
 * ```ts
 * const { contentType, text } = metricsText(server);
 * return new Response(text, { headers: { "content-type": contentType } });
 * ```
 */
export function metricsText(server: Server): MetricsText {
  atCaller(metricsText, () => requireServer("write metrics", server));
  const { name, version, metrics } = server;
  const labels = { server: name, version, node: process.versions.node };
  const build = family("gauge", "toolwright_build_info", "The server and its runtime.", [{ labels, value: 1 }]);
  const families = [...callFamilies(metrics), ...processFamilies(server), build];
  return { contentType: "text/plain; version=0.0.4; charset=utf-8", text: families.map(formatFamily).join("") };
}

/** One value of a metric. */
interface Sample {
  /** Added to the name of the metric. */
  readonly suffix?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** All samples of one metric. */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly samples: readonly Sample[];
}

function family(
  type: MetricFamily["type"],
  name: string,
  help: string,
  values: number | readonly Sample[],
): MetricFamily {
  return { name, help, type, samples: typeof values === "number" ? [{ value: values }] : values };
}

function callFamilies(metrics: ServerMetrics): MetricFamily[] {
  const calls = metrics.calls();
  return [
    family(
      "counter",
      "mcp_server_calls_total",
      "Finished calls by outcome: ok, failed (tool error), refused (JSON-RPC error), cancelled.",
      calls.flatMap(outcomeSamples),
    ),
    family(
      "histogram",
      "mcp_server_call_duration_seconds",
      "Duration of calls, including the time in the queue.",
      calls.flatMap(durationSamples),
    ),
    family("gauge", "mcp_server_calls_running", "Calls that are running.", metrics.running),
    family("gauge", "mcp_server_calls_queued", "Calls that are queued.", metrics.queued),
    family("gauge", "mcp_server_sessions", "Open sessions.", metrics.sessions),
    family("gauge", "mcp_server_streams", "Open event streams over HTTP.", metrics.streams),
  ];
}

const outcomeSamples = ({ kind, name, outcomes }: CallMetrics): Sample[] =>
  Object.entries(outcomes).map(([ending, value]) => ({ labels: { kind, name, ending }, value }));

function durationSamples({ kind, name, durationBuckets, totalSeconds }: CallMetrics): Sample[] {
  let count = 0;
  const buckets = durationBuckets.map((calls, index): Sample => {
    count += calls;
    const bound = DURATION_BUCKET_BOUNDARIES[index];
    // With a decimal point, as Prometheus itself writes it.
    const le = bound === undefined ? "+Inf" : Number.isInteger(bound) ? `${bound}.0` : String(bound);
    return { suffix: "_bucket", labels: { kind, name, le }, value: count };
  });
  const labels = { kind, name };
  return [...buckets, { suffix: "_sum", labels, value: totalSeconds }, { suffix: "_count", labels, value: count }];
}

function processFamilies(server: Server): MetricFamily[] {
  const { user, system } = process.cpuUsage();
  const startedAt = performance.timeOrigin / 1000;
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  return [
    family(
      "gauge",
      "nodejs_eventloop_delay_seconds",
      "Delay of the event loop since the last scrape: median, 99th percentile, maximum.",
      eventLoopSamples(server),
    ),
    family("gauge", "nodejs_heap_size_used_bytes", "Used JavaScript heap.", heapUsed),
    family("gauge", "nodejs_heap_size_total_bytes", "Allocated JavaScript heap.", heapTotal),
    family("gauge", "nodejs_external_memory_bytes", "Memory of JavaScript values outside the heap.", external),
    family("counter", "process_cpu_seconds_total", "CPU time of the process.", (user + system) / 1e6),
    family("gauge", "process_resident_memory_bytes", "Resident memory of the process.", rss),
    family("gauge", "process_start_time_seconds", "Start of the process, in seconds since 1970.", startedAt),
  ];
}

/** How often the event loop is sampled. */
const RESOLUTION_MS = 20;

/** The delays since the last scrape of each server; created by its first scrape. */
const eventLoopHistograms = new WeakMap<Server, IntervalHistogram>();

function eventLoopHistogramOf(server: Server): IntervalHistogram {
  const known = eventLoopHistograms.get(server);
  if (known !== undefined) return known;
  const histogram = getBuiltinModule("node:perf_hooks").monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  eventLoopHistograms.set(server, histogram);
  return histogram;
}

/** Returns the delays since the last call for this server. */
function eventLoopSamples(server: Server): Sample[] {
  const histogram = eventLoopHistogramOf(server);
  const stats = { p50: histogram.percentile(50), p99: histogram.percentile(99), max: histogram.max };
  histogram.reset();
  return Object.entries(stats).map(([stat, nanoseconds]) => ({
    labels: { stat },
    // The histogram includes the sampling interval.
    value: Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000),
  }));
}

/** Formats a metric in the text format of Prometheus, version 0.0.4. */
export function formatFamily({ name, help, type, samples }: MetricFamily): string {
  const lines = samples.map(
    ({ suffix = "", labels = {}, value }) => `${name}${suffix}${formatLabels(labels)} ${value}\n`,
  );
  return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

function formatLabels(labels: Readonly<Record<string, string>>): string {
  const formatted = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabelValue(value)}"`);
  return formatted.length === 0 ? "" : `{${formatted.join(",")}}`;
}

const escapeHelp = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");

const escapeLabelValue = (text: string): string => escapeHelp(text).replaceAll('"', '\\"');
