import type { IntervalHistogram } from "node:perf_hooks";
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
  const { name, version, metrics } = server;
  const build: MetricFamily = {
    name: "toolwright_build_info",
    help: "The server and its runtime.",
    type: "gauge",
    samples: [{ labels: { server: name, version, node: process.versions.node }, value: 1 }],
  };
  const families = [...callFamilies(metrics), ...processFamilies(), build];
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

const single = (type: MetricFamily["type"], name: string, help: string, value: number): MetricFamily => ({
  name,
  help,
  type,
  samples: [{ value }],
});

function callFamilies(metrics: ServerMetrics): MetricFamily[] {
  const calls = metrics.calls();
  return [
    {
      name: "mcp_server_calls_total",
      help: "Finished calls by outcome: ok, failed (tool error), refused (JSON-RPC error), cancelled.",
      type: "counter",
      samples: calls.flatMap(outcomeSamples),
    },
    {
      name: "mcp_server_call_duration_seconds",
      help: "Duration of calls, including the time in the queue.",
      type: "histogram",
      samples: calls.flatMap(durationSamples),
    },
    single("gauge", "mcp_server_calls_running", "Calls that are running.", metrics.running),
    single("gauge", "mcp_server_calls_queued", "Calls that are queued.", metrics.queued),
    single("gauge", "mcp_server_sessions", "Open sessions.", metrics.sessions),
    single("gauge", "mcp_server_streams", "Open event streams over HTTP.", metrics.streams),
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

function processFamilies(): MetricFamily[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  return [
    {
      name: "nodejs_eventloop_delay_seconds",
      help: "Delay of the event loop since the last scrape: median, 99th percentile, maximum.",
      type: "gauge",
      samples: eventLoopSamples(),
    },
    single("gauge", "nodejs_heap_size_used_bytes", "Used JavaScript heap.", heapUsed),
    single("gauge", "nodejs_heap_size_total_bytes", "Allocated JavaScript heap.", heapTotal),
    single("gauge", "nodejs_external_memory_bytes", "Memory of JavaScript values outside the heap.", external),
    single("counter", "process_cpu_seconds_total", "CPU time of the process.", (user + system) / 1e6),
    single("gauge", "process_resident_memory_bytes", "Resident memory of the process.", rss),
    single(
      "gauge",
      "process_start_time_seconds",
      "Start of the process, in seconds since 1970.",
      performance.timeOrigin / 1000,
    ),
  ];
}

/** How often the event loop is sampled. */
const RESOLUTION_MS = 20;

/** Shared by all servers of the process; created by the first scrape. */
let eventLoopHistogram: IntervalHistogram | undefined;

/** Returns the delays since the last call. */
function eventLoopSamples(): Sample[] {
  if (eventLoopHistogram === undefined) {
    eventLoopHistogram = getBuiltinModule("node:perf_hooks").monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    eventLoopHistogram.enable();
  }
  const histogram = eventLoopHistogram;
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
