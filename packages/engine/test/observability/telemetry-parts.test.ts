import { context, metrics, propagation, trace } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { createServer, type Server, type ServerOptions, tool } from "@toolwright/engine";
import { telemetry } from "@toolwright/engine/observability";
import { openMemoryConnection } from "@toolwright/engine/transport";
import { afterEach, expect, test } from "vitest";
import { until } from "../http/serve.js";

const echo = tool({
  name: "echo",
  description: "Echoes.",
  input: { type: "object", properties: {} },
  run: () => "hello",
});

const open = (options: Partial<ServerOptions> = {}) =>
  createServer({ name: "test", version: "1.0.0", tools: [echo], ...options });

const call = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: {
    name: "echo",
    arguments: {},
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
      traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    },
  },
};

/** Calls the tool, and returns whether it was answered synchronously. */
async function isAnsweredAtOnce(server: Server): Promise<boolean> {
  let isThere = false;
  const client = await openMemoryConnection(server, () => {
    isThere = true;
  });
  client.send(JSON.stringify(call));
  const wasThere = isThere;
  await until(() => isThere, "the answer");
  client.close();
  return wasThere;
}

afterEach(() => {
  for (const part of [context, metrics, propagation, trace]) part.disable();
});

test("without OpenTelemetry there is no middleware, even if telemetry() is given", async () => {
  expect(await isAnsweredAtOnce(open())).toBe(true);
  expect(await isAnsweredAtOnce(open({ middleware: [telemetry()] }))).toBe(true);
  expect(await isAnsweredAtOnce(open({ middleware: [telemetry(), (_request, next) => next()] }))).toBe(false);
});

test("an API that is registered after the start is ignored", async () => {
  const spans = new InMemorySpanExporter();
  const server = open();
  await server.start();
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }));
  expect(await isAnsweredAtOnce(server)).toBe(true);
  expect(spans.getFinishedSpans()).toEqual([]);
});

test("traces work without contexts and metrics", async () => {
  const spans = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }));
  await isAnsweredAtOnce(open());
  expect(spans.getFinishedSpans().map(({ name, parentSpanContext }) => [name, parentSpanContext])).toEqual([
    ["tools/call echo", undefined],
  ]);
});

test("metrics work without traces", async () => {
  const points = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: points, exportIntervalMillis: 2 ** 30 });
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  await isAnsweredAtOnce(open());
  await reader.forceFlush();
  const names = points
    .getMetrics()
    .flatMap(({ scopeMetrics }) =>
      scopeMetrics.flatMap((scope) => scope.metrics.map(({ descriptor }) => [descriptor.name, descriptor.unit])),
    );
  expect(names).toEqual([["mcp.server.operation.duration", "s"]]);
  await reader.shutdown();
});
