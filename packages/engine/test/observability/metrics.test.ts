import { createServer, prompt, ToolError, tool } from "@toolwright/engine";
import { createFetchHandler, hashApiKey } from "@toolwright/engine/http";
import { metricsText } from "@toolwright/engine/observability";
import { connectTestClient } from "@toolwright/engine/testing";
import { describe, expect, test } from "vitest";
import { pause, serve, until } from "../http/serve.js";
import { callModern } from "../http/stateless-request.js";
import { type Family, readMetrics, valuesOf } from "./read-metrics.js";

const input = { type: "object", properties: {} } as const;
const nothing = () => undefined;

/** Tools that end in each way; `hold` goes on until the test lets go. */
function createTools() {
  const held: (() => void)[] = [];
  const echo = tool({ name: "echo", description: "Echoes.", input, run: () => "hello" });
  const fails = tool({
    name: "fails",
    description: "Fails.",
    input,
    run: () => {
      throw new ToolError("No.", { code: "NO" });
    },
  });
  const hold = tool({
    name: "hold",
    description: "Goes on.",
    input,
    run: () => new Promise<string>((resolve) => held.push(() => resolve("done"))),
  });
  return { tools: [echo, fails, hold], held };
}

const scrape = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(url, { headers });
  return { status: answer.status, type: answer.headers.get("content-type"), text: await answer.text() };
};

const read = async (url: string): Promise<ReadonlyMap<string, Family>> => readMetrics((await scrape(url)).text);

describe("/metrics", () => {
  test("has outcomes and durations per tool", async () => {
    const site = await serve({ metrics: true }, { tools: createTools().tools });
    for (const name of ["echo", "echo", "fails"]) await (await callModern(site, name, {})).text();
    const families = await read(site.at("/metrics"));
    expect(valuesOf(families, "mcp_server_calls_total")).toEqual({
      "kind=tool,name=echo,ending=ok": 2,
      "kind=tool,name=echo,ending=failed": 0,
      "kind=tool,name=echo,ending=refused": 0,
      "kind=tool,name=echo,ending=cancelled": 0,
      "kind=tool,name=fails,ending=ok": 0,
      "kind=tool,name=fails,ending=failed": 1,
      "kind=tool,name=fails,ending=refused": 0,
      "kind=tool,name=fails,ending=cancelled": 0,
    });
    const durations = "mcp_server_call_duration_seconds";
    expect(valuesOf(families, durations, `${durations}_count`)).toEqual({
      "kind=tool,name=echo": 2,
      "kind=tool,name=fails": 1,
    });
    const echo = families.get(durations)?.samples.filter(({ labels }) => labels["name"] === "echo") ?? [];
    expect(echo.flatMap(({ labels }) => labels["le"] ?? []).join(" ")).toBe(
      "0.01 0.02 0.05 0.1 0.2 0.5 1.0 2.0 5.0 10.0 30.0 60.0 120.0 300.0 +Inf",
    );
    expect(echo.find(({ name }) => name === `${durations}_sum`)?.value).toBeGreaterThan(0);
  });

  test("has running and queued calls, open sessions and streams", async () => {
    const { tools, held } = createTools();
    const site = await serve({ metrics: true }, { tools, limits: { callsInFlight: 1 } });
    const gauges = async () => {
      const families = await read(site.at("/metrics"));
      const names = ["calls_running", "calls_queued", "sessions", "streams"];
      return names.map((name) => valuesOf(families, `mcp_server_${name}`)[""]);
    };
    expect(await gauges()).toEqual([0, 0, 0, 0]);
    const visitor = await site.open();
    // Held to the end: a stream that nobody holds may be collected, and so closed.
    const stream = await visitor.listen();
    const answers = [visitor.call("hold", {}, {}), visitor.call("hold", {}, {})];
    await until(async () => (await gauges())[1] === 1, "a call that waits");
    expect(await gauges()).toEqual([1, 1, 1, 1]);
    await until(() => held.length === 1, "the first call");
    held[0]?.();
    await until(() => held.length === 2, "the second call");
    expect(await gauges()).toEqual([1, 0, 1, 1]);
    held[1]?.();
    for (const answer of answers) await (await answer).text();
    await visitor.delete();
    await stream.rest();
    await until(async () => (await gauges()).every((value) => value === 0), "the end of all");
    const families = await read(site.at("/metrics"));
    expect(valuesOf(families, "mcp_server_calls_total")["kind=tool,name=hold,ending=ok"]).toBe(2);
  });

  test("counts a call of a disconnected client as cancelled", async () => {
    const { tools, held } = createTools();
    const site = await serve({ metrics: true }, { tools });
    const gone = new AbortController();
    const answer = callModern(site, "hold", {}, {}, {}, gone.signal).catch(nothing);
    await until(() => held.length === 1, "the call");
    gone.abort();
    await answer;
    const cancelled = async () =>
      valuesOf(await read(site.at("/metrics")), "mcp_server_calls_total")["kind=tool,name=hold,ending=cancelled"];
    await until(async () => (await cancelled()) === 1, "the end of the call");
  });

  test("has no series for unregistered names", async () => {
    const greet = prompt({ name: "greet", description: "Greets.", run: () => "hello" });
    const server = createServer({ name: "test", version: "1.0.0", tools: createTools().tools, prompts: [greet] });
    const client = await connectTestClient(server);
    await client.request("tools/call", { name: "made-up", arguments: {} }).catch(nothing);
    await client.getPrompt("greet");
    const families = readMetrics(metricsText(server).text);
    expect(Object.keys(valuesOf(families, "mcp_server_calls_total"))).toEqual([
      "kind=prompt,name=,ending=ok",
      "kind=prompt,name=,ending=failed",
      "kind=prompt,name=,ending=refused",
      "kind=prompt,name=,ending=cancelled",
    ]);
  });

  test("has metrics of the process and the event loop", async () => {
    const site = await serve({ metrics: true });
    const delays = async () => valuesOf(await read(site.at("/metrics")), "nodejs_eventloop_delay_seconds");
    expect(Object.keys(await delays())).toEqual(["stat=p50", "stat=p99", "stat=max"]);
    await until(async () => {
      // After a look it begins with the next turn of a timer.
      await pause(100);
      const end = performance.now() + 300;
      while (performance.now() < end);
      return ((await delays())["stat=max"] ?? 0) > 0.2;
    }, "a delay that was seen");
    await until(async () => ((await delays())["stat=max"] ?? 1) < 0.2, "a look that begins anew");
    const families = await read(site.at("/metrics"));
    const start = valuesOf(families, "process_start_time_seconds")[""] ?? 0;
    expect(start * 1000).toBeCloseTo(performance.timeOrigin, -1);
    for (const name of [
      "process_resident_memory_bytes",
      "process_cpu_seconds_total",
      "nodejs_heap_size_used_bytes",
      "nodejs_heap_size_total_bytes",
      "nodejs_external_memory_bytes",
    ])
      expect(valuesOf(families, name)[""], name).toBeGreaterThan(0);
  });

  test("escapes label values", async () => {
    const server = createServer({ name: 'a "b" \\ c\nd', version: "1.0.0", tools: [] });
    const families = readMetrics(metricsText(server).text);
    expect(families.get("toolwright_build_info")?.samples).toEqual([
      {
        name: "toolwright_build_info",
        labels: { server: 'a "b" \\ c\nd', version: "1.0.0", node: process.versions.node },
        value: 1,
      },
    ]);
  });
});

describe("access to /metrics", () => {
  test("is off by default", async () => {
    const site = await serve();
    expect((await scrape(site.at("/metrics"))).status).toBe(404);
  });

  test("needs the server's key if there is one", async () => {
    const key = { principal: "scraper", hash: hashApiKey("a-key-of-the-scraper") };
    const site = await serve({ metrics: true, auth: { apiKeys: [key] } });
    expect((await scrape(site.at("/metrics"))).status).toBe(401);
    expect((await scrape(site.at("/metrics"), { authorization: "Bearer wrong" })).status).toBe(401);
    const answer = await scrape(site.at("/metrics"), { authorization: "Bearer a-key-of-the-scraper" });
    expect(answer.status).toBe(200);
    expect([...readMetrics(answer.text).keys()]).toContain("mcp_server_calls_total");
  });

  test("is denied to other origins and hosts", async () => {
    const site = await serve({ metrics: true });
    expect((await scrape(site.at("/metrics"), { origin: "https://evil.example" })).status).toBe(403);
    const handler = createFetchHandler(site.server, { metrics: true, allowedHosts: ["metrics.example"] });
    const send = (host: string) => handler(new Request("http://x/metrics", { headers: { host } }));
    expect([(await send("evil.example")).status, (await send("metrics.example")).status]).toEqual([403, 200]);
  });

  test("is limited to GET and HEAD", async () => {
    const site = await serve({ metrics: { path: "/numbers" } });
    const send = (method: string) => fetch(site.at("/numbers"), { method });
    const head = await send("HEAD");
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const post = await send("POST");
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect((await send("GET")).status).toBe(200);
    expect((await scrape(site.at("/metrics"))).status).toBe(404);
  });

  test.each([
    [{ path: "metrics" }, "metrics.path must start with / and contain neither ? nor #"],
    [{ path: "/mcp" }, "metrics.path is /mcp, which is already in use"],
    [{ path: "/health" }, "metrics.path is /health, which is already in use"],
    [{ pfad: "/x" }, "unknown option metrics.pfad; expected one of path"],
  ])("options %j are rejected", async (metrics, message) => {
    await expect(serve({ metrics: metrics as { path?: string } })).rejects.toThrow(message);
  });
});
