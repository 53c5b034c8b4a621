import { propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { createServer, prompt, resourceTemplate, type ServerOptions, ToolError, tool } from "@toolwright/engine";
import { connect as connectTo } from "@toolwright/engine/client";
import { serveHttp } from "@toolwright/engine/http";
import { telemetry } from "@toolwright/engine/observability";
import { connectTestClient } from "@toolwright/engine/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../http/serve.js";
import { Collector } from "./open-telemetry.js";

const collector = new Collector();
collector.register();

const input = { type: "object", properties: {} } as const;
const weather = tool({
  name: "get_weather",
  description: "Tells the weather.",
  input: { type: "object", properties: { place: { type: "string" }, token: { type: "string" } } },
  run: ({ place }) => ({ place: place ?? "", sky: "blue" }),
});
const fails = tool({
  name: "fails",
  description: "Fails.",
  input,
  run: () => {
    throw new ToolError("The secret words of the tool.", { code: "NO_WEATHER" });
  },
});
const greet = prompt({ name: "greet", description: "Greets.", run: () => "Hello." });
const note = resourceTemplate({ uri: "note://{id}", name: "note", read: ({ id }) => `Note ${id}` });

const open = (options: Partial<ServerOptions> = {}) =>
  createServer({
    name: "test",
    version: "1.0.0",
    tools: [weather, fails],
    prompts: [greet],
    resources: [note],
    ...options,
  });

const nothing = () => undefined;

/** A client whose handshake is forgotten already. */
async function enter(server = open(), revision = "2026-07-28") {
  const client = await connectTestClient(server, { revision });
  onTestFinished(() => client.close());
  collector.takeSpans();
  return client;
}

const PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

describe("a span", () => {
  test("has the attributes of the conventions for MCP", async () => {
    const client = await enter();
    await client.callTool("get_weather", { place: "Ulm" });
    const [span, ...more] = collector.takeSpans();
    expect(more).toEqual([]);
    expect([span?.name, span?.kind, span?.status, span?.links, span?.parentSpanContext]).toEqual([
      "tools/call get_weather",
      SpanKind.SERVER,
      { code: SpanStatusCode.UNSET },
      [],
      undefined,
    ]);
    expect(span?.attributes).toEqual({
      "mcp.method.name": "tools/call",
      "mcp.protocol.version": "2026-07-28",
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "get_weather",
      "jsonrpc.request.id": "1",
    });
    expect(span?.instrumentationScope.name).toBe("@toolwright/engine");
  });

  test.each([
    ["tools/list", {}, "tools/list", {}],
    ["prompts/get", { name: "greet" }, "prompts/get greet", { "gen_ai.prompt.name": "greet" }],
    ["resources/read", { uri: "note://7" }, "resources/read", { "mcp.resource.uri": "note://7" }],
    [
      "resources/read",
      { uri: "note://ada:hunter2hunter2@x?token=abcdefgh" },
      "resources/read",
      { "mcp.resource.uri": "note://ada:[redacted]@x?token=[redacted]" },
    ],
  ])("of %s with %j is called %s", async (method, params, name, attributes) => {
    const client = await enter();
    await client.request(method, params).catch(nothing);
    const [span] = collector.takeSpans();
    expect(span?.name).toBe(name);
    expect(span?.attributes).toMatchObject({ "mcp.method.name": method, ...attributes });
    expect(span?.attributes).not.toHaveProperty("gen_ai.operation.name");
  });

  test("of a failed tool is an error without the tool's message", async () => {
    const client = await enter();
    await client.callTool("fails", {});
    const [span] = collector.takeSpans();
    expect(span?.attributes).toMatchObject({ "error.type": "tool_error", "gen_ai.tool.name": "fails" });
    expect(span?.attributes).not.toHaveProperty("rpc.response.status_code");
    expect(span?.status).toEqual({ code: SpanStatusCode.ERROR, message: "NO_WEATHER" });
    expect(JSON.stringify([span?.attributes, span?.status])).not.toContain("secret words");
  });

  test("of a JSON-RPC error has its code and message, and no unregistered name", async () => {
    const client = await enter();
    await client.request("tools/call", { name: "made-up", arguments: {} }).catch(nothing);
    const [span] = collector.takeSpans();
    expect(span?.name).toBe("tools/call");
    expect(span?.attributes).toMatchObject({
      "gen_ai.tool.name": "made-up",
      "error.type": "-32602",
      "rpc.response.status_code": "-32602",
    });
    expect(span?.status.code).toBe(SpanStatusCode.ERROR);
    expect(span?.status.message).toContain("made-up");
  });

  test("of a cancelled call ends with the call", async () => {
    let isRunning = false;
    const hold = tool({
      name: "hold",
      description: "Goes on.",
      input,
      run: () => {
        isRunning = true;
        return new Promise<string>(nothing);
      },
    });
    const client = await enter(open({ tools: [hold] }), "2025-11-25");
    client.startRequest("tools/call", { name: "hold", arguments: {} });
    await until(() => isRunning, "the call");
    const sent = client.conversation.at(-1)?.message as { id: number };
    client.notify("notifications/cancelled", { requestId: sent.id, reason: "no need" });
    let span = collector.takeSpans()[0];
    await until(() => (span ??= collector.takeSpans()[0]) !== undefined, "its span");
    expect([span?.attributes["error.type"], span?.status]).toEqual([
      "cancelled",
      { code: SpanStatusCode.ERROR, message: "no need" },
    ]);
  });
});

describe("the context of a call", () => {
  test("is the client's: its span is the parent, and its baggage is propagated", async () => {
    const seen: unknown[] = [];
    const look = tool({
      name: "look",
      description: "Looks.",
      input,
      run: () => {
        seen.push(propagation.getActiveBaggage()?.getEntry("user")?.value);
        return "looked";
      },
    });
    const client = await enter(open({ tools: [look] }));
    const _meta = { traceparent: PARENT, tracestate: "rojo=1", baggage: "user=ada" };
    await client.request("tools/call", { name: "look", arguments: {}, _meta });
    const [span] = collector.takeSpans();
    expect(span?.spanContext().traceId).toBe("4bf92f3577b34da6a3ce929d0e0e4736");
    expect(span?.parentSpanContext).toMatchObject({ spanId: "00f067aa0ba902b7", isRemote: true });
    expect(span?.parentSpanContext?.traceState?.serialize()).toBe("rojo=1");
    expect(seen).toEqual(["ada"]);
  });

  test("that is malformed is ignored", async () => {
    const client = await enter();
    const _meta = { traceparent: "00-zz-1", baggage: "user=ada" };
    await client.request("tools/call", { name: "get_weather", arguments: {}, _meta });
    expect(collector.takeSpans()[0]?.parentSpanContext).toBeUndefined();
  });

  test("of the transport is the parent if the client sends none, and is linked otherwise", async () => {
    const client = await enter();
    const tracer = trace.getTracer("transport");
    const around = async (params: object) =>
      tracer.startActiveSpan("POST", async (span) => {
        await client.request("tools/call", { name: "get_weather", arguments: {}, ...params });
        span.end();
        return span.spanContext();
      });
    const alone = await around({});
    const [child] = collector.takeSpans();
    expect([child?.parentSpanContext?.spanId, child?.links]).toEqual([alone.spanId, []]);
    const linked = await around({ _meta: { traceparent: PARENT } });
    const [span] = collector.takeSpans();
    expect(span?.parentSpanContext?.spanId).toBe("00f067aa0ba902b7");
    expect(span?.links.map(({ context }) => context.spanId)).toEqual([linked.spanId]);
  });

  test("is active inside the tool, also for queued calls", async () => {
    const tracer = trace.getTracer("work");
    const work = tool({
      name: "work",
      description: "Works.",
      input: { type: "object", properties: { step: { type: "string" } } },
      run: ({ step }) =>
        tracer.startActiveSpan(`step ${step}`, async (span) => {
          await new Promise((resolve) => setImmediate(resolve));
          span.end();
          return "done";
        }),
    });
    const client = await enter(open({ tools: [work], limits: { callsInFlight: 1 } }));
    await Promise.all(["a", "b", "c"].map((step) => client.callTool("work", { step })));
    const spans = collector.takeSpans();
    const calls = spans.filter(({ name }) => name === "tools/call work");
    const steps = spans.filter(({ name }) => name.startsWith("step"));
    expect(steps.map(({ name }) => name)).toEqual(["step a", "step b", "step c"]);
    expect(steps.map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual(
      calls.map((span) => span.spanContext().spanId),
    );
    expect(new Set(calls.map((span) => span.spanContext().traceId)).size).toBe(3);
  });
});

describe("recorded content", () => {
  test("is nothing by default", async () => {
    const client = await enter();
    await client.callTool("get_weather", { place: "Ulm" });
    expect(JSON.stringify(collector.takeSpans()[0]?.attributes)).not.toMatch(/Ulm|blue/);
  });

  test("is arguments and results without secrets with recordContent; nothing is traced twice", async () => {
    const client = await enter(open({ middleware: [telemetry({ recordContent: true })] }));
    await client.callTool("get_weather", { place: "Ulm", token: "abc" });
    const [span, ...more] = collector.takeSpans();
    expect(more).toEqual([]);
    expect(span?.attributes).toMatchObject({
      "gen_ai.tool.call.arguments": '{"place":"Ulm","token":"[redacted]"}',
      "gen_ai.tool.call.result": '{"place":"Ulm","sky":"blue"}',
    });
  });

  test("telemetry: false disables tracing", async () => {
    const client = await enter(open({ telemetry: false }));
    await client.callTool("get_weather", { place: "Ulm" });
    expect(collector.takeSpans()).toEqual([]);
  });

  test("unknown options are rejected at the call", () => {
    expect(() => telemetry({ recordContents: true } as object)).toThrow(
      "Cannot open telemetry: unknown option recordContents; did you mean recordContent?",
    );
  });
});

describe("over HTTP", () => {
  test("spans have the session and the network attributes", async () => {
    const serving = await serveHttp(open(), { port: 0 });
    onTestFinished(() => serving.close());
    const client = await connectTo({ url: serving.url }, { revision: "2025-11-25" });
    await client.callTool("get_weather", {});
    await client.close();
    const spans = collector.takeSpans();
    const call = spans.find(({ name }) => name === "tools/call get_weather");
    expect(call?.attributes).toMatchObject({
      "network.transport": "tcp",
      "network.protocol.name": "http",
      "mcp.protocol.version": "2025-11-25",
      "mcp.session.id": expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
  });
});

describe("the metrics", () => {
  test("have the duration of each operation, by method, tool and error, in the buckets of the conventions", async () => {
    const client = await enter(open(), "2025-06-18");
    await client.callTool("get_weather", {});
    await client.callTool("get_weather", {});
    await client.callTool("fails", {});
    await client.request("tools/call", { name: "made-up", arguments: {} }).catch(nothing);
    const points = await collector.readHistogram("mcp.server.operation.duration");
    const own = points.filter(({ attributes }) => attributes["mcp.protocol.version"] === "2025-06-18");
    const base = { "mcp.protocol.version": "2025-06-18" };
    const call = { ...base, "mcp.method.name": "tools/call", "gen_ai.operation.name": "execute_tool" };
    expect(own.map(({ attributes, value }) => [attributes, value.count])).toEqual([
      [{ ...base, "mcp.method.name": "initialize" }, 1],
      [{ ...call, "gen_ai.tool.name": "get_weather" }, 2],
      [{ ...call, "gen_ai.tool.name": "fails", "error.type": "tool_error" }, 1],
      [{ ...call, "error.type": "-32602", "rpc.response.status_code": "-32602" }, 1],
    ]);
    expect(own[0]?.value.buckets.boundaries).toEqual([0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]);
  });

  test("have the duration of each session with a handshake", async () => {
    const client = await connectTestClient(open(), { revision: "2025-03-26" });
    const read = async () => {
      const points = await collector.readHistogram("mcp.server.session.duration");
      return points.filter(({ attributes }) => attributes["mcp.protocol.version"] === "2025-03-26");
    };
    expect(await read()).toEqual([]);
    client.close();
    expect((await read()).map(({ attributes, value }) => [attributes, value.count])).toEqual([
      [{ "mcp.protocol.version": "2025-03-26" }, 1],
    ]);
  });
});
