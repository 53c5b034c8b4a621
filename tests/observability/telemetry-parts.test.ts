import { context, metrics, propagation, trace } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { createServer, openMemory, type Server, type ServerOptions, telemetry, tool } from "@toolwright/engine";
import { afterEach, expect, test } from "vitest";
import { until } from "../http/served.js";

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

/** Calls the tool, and tells whether the answer was there at once, in the turn in which the call came. */
async function isAnsweredAtOnce(server: Server): Promise<boolean> {
  let isThere = false;
  const client = await openMemory(server, () => {
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

test("without OpenTelemetry no layer stands around requests, also where one is given", async () => {
  expect(await isAnsweredAtOnce(open())).toBe(true);
  expect(await isAnsweredAtOnce(open({ layers: [telemetry()] }))).toBe(true);
  expect(await isAnsweredAtOnce(open({ layers: [telemetry(), (_request, next) => next()] }))).toBe(false);
});

test("what is registered after the start changes nothing", async () => {
  const spans = new InMemorySpanExporter();
  const server = open();
  await server.start();
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }));
  expect(await isAnsweredAtOnce(server)).toBe(true);
  expect(spans.getFinishedSpans()).toEqual([]);
});

test("traces alone are made without contexts and metrics, each on its own", async () => {
  const spans = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }));
  await isAnsweredAtOnce(open());
  expect(spans.getFinishedSpans().map(({ name, parentSpanContext }) => [name, parentSpanContext])).toEqual([
    ["tools/call echo", undefined],
  ]);
});

test("metrics alone are taken without traces", async () => {
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
