import { type Json, type JsonObject, tool } from "@toolwright/engine";
import { expect, test } from "vitest";
import { everyRevision, HANDSHAKE, onRevisions, STATELESS } from "../support/every-revision.js";
import { createEcho, initializeIn, META, messagesFrom, openRaw, sessionRequest, settled } from "./support.js";

const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;
const LEVEL = "io.modelcontextprotocol/logLevel";

/** Logs once at each level. */
const all = tool({
  name: "all",
  description: "Logs at each level.",
  run: (_, call) => {
    for (const level of LEVELS) call.log(level, `at ${level}`);
    return "done";
  },
});

const calling = (meta: JsonObject): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "all", _meta: meta } });

const levelsOf = (notices: readonly JsonObject[]) => notices.map(({ params }) => (params as JsonObject)["level"]);

everyRevision("log messages have one of the eight levels, any data and optionally a logger [LOG-01]", async (open) => {
  const values: Json[] = ["text", 7, null, true, [1, { a: 2 }], { a: { b: [] } }];
  const logging = tool({
    name: "logging",
    description: "Logs.",
    run: (_, call) => {
      for (const value of values) call.log("error", value, "db");
      call.log("alert", "no logger");
      return "done";
    },
  });
  const client = await open(createEcho({ tools: [logging] }), { logLevel: "debug" });
  await client.callTool("logging");
  expect(client.received("notifications/message")).toEqual([
    ...values.map((data) => ({
      jsonrpc: "2.0",
      method: "notifications/message",
      params: { level: "error", logger: "db", data },
    })),
    { jsonrpc: "2.0", method: "notifications/message", params: { level: "alert", data: "no logger" } },
  ]);
});

everyRevision("a logger that is not a string is omitted [LOG-01]", async (open) => {
  const logging = tool({
    name: "logging",
    description: "Logs.",
    run: (_, call) => {
      for (const logger of [null, 5, () => 1, {}]) call.log("error", "x", logger as never);
      call.log("error", "x", "");
    },
  });
  const client = await open(createEcho({ tools: [logging] }), { logLevel: "debug" });
  await client.callTool("logging");
  expect(client.received("notifications/message").map(({ params }) => params)).toEqual([
    ...Array.from({ length: 4 }, () => ({ level: "error", data: "x" })),
    { level: "error", logger: "", data: "x" },
  ]);
});

onRevisions(HANDSHAKE, "before logging/setLevel the level is info [LOG-03]", async (open) => {
  const client = await open(createEcho({ tools: [all] }));
  await client.callTool("all");
  expect(levelsOf(client.received("notifications/message"))).toEqual(LEVELS.slice(1));
});

onRevisions(HANDSHAKE, "logging/setLevel returns an empty result and applies from then on [LOG-02]", async (open) => {
  const client = await open(createEcho({ tools: [all] }));
  for (const [at, level] of LEVELS.entries()) {
    expect(await client.request("logging/setLevel", { level })).toEqual({});
    const before = client.received("notifications/message").length;
    await client.callTool("all");
    expect(levelsOf(client.received("notifications/message").slice(before))).toEqual(LEVELS.slice(at));
  }
});

onRevisions(HANDSHAKE, "a level applies to its own session only, including running calls [LOG-02]", async (open) => {
  const waiting: (() => void)[] = [];
  const late = tool({
    name: "late",
    description: "Logs late.",
    run: async (_, call) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      call.log("info", "late");
    },
  });
  const server = createEcho({ tools: [all, late] });
  const [first, second] = [await open(server), await open(server)];
  const running = first.startRequest("tools/call", { name: "late" });
  await first.request("logging/setLevel", { level: "emergency" });
  for (const resume of waiting) resume();
  await running.response;
  expect(first.received("notifications/message")).toEqual([]);
  await second.callTool("all");
  expect(second.received("notifications/message")).toHaveLength(7);
});

onRevisions(
  HANDSHAKE,
  "logging/setLevel with an unknown level gets -32602 and has no effect [LOG-04]",
  async (open) => {
    const client = await open(createEcho({ tools: [all] }));
    await client.request("logging/setLevel", { level: "alert" });
    for (const params of [
      { level: "verbose" },
      { level: "ERROR" },
      { level: 3 },
      { level: null },
      {},
    ] as JsonObject[]) {
      await expect(client.request("logging/setLevel", params), JSON.stringify(params)).rejects.toMatchObject({
        code: -32602,
        message: "Invalid params: level must be one of debug, info, notice, warning, error, critical, alert, emergency",
      });
    }
    await client.callTool("all");
    expect(levelsOf(client.received("notifications/message"))).toEqual(["alert", "emergency"]);
  },
);

onRevisions([STATELESS], "a request with an unknown level gets -32602 [LOG-04]", async (open) => {
  const client = await open(createEcho());
  for (const level of ["verbose", "ERROR", 3, null, ""] as Json[]) {
    for (const method of ["tools/list", "server/discover", "tools/call"]) {
      await expect(client.request(method, { _meta: { [LEVEL]: level } }), method).rejects.toMatchObject({
        code: -32602,
        message: `Invalid params: _meta["${LEVEL}"] is not a log level`,
      });
    }
  }
});

onRevisions([STATELESS], "a stateless request without a level gets no log messages [LOG-05]", async (open) => {
  const client = await open(createEcho({ tools: [all] }));
  await client.callTool("all", {}, { _meta: { [LEVEL]: "alert" } });
  await client.callTool("all");
  expect(levelsOf(client.received("notifications/message"))).toEqual(["alert", "emergency"]);
});

test("the levels of a session and of stateless requests are independent [LOG-05]", async () => {
  const raw = await openRaw(createEcho({ tools: [all] }));
  await raw.sendAndReceive(initializeIn("2025-11-25"), sessionRequest(1, "logging/setLevel", { level: "debug" }));
  expect(await raw.sendAndReceive(calling(META))).toHaveLength(1);
  expect(await raw.sendAndReceive(calling({ ...META, [LEVEL]: "emergency" }))).toHaveLength(2);
  expect(await raw.sendAndReceive(sessionRequest(3, "tools/call", { name: "all" }))).toHaveLength(9);
});

onRevisions([STATELESS], "log messages at or above the level are sent before the response [LOG-06]", async (open) => {
  const server = createEcho({ tools: [all], dynamic: true });
  const [speaking, listening] = [await open(server), await open(server)];
  listening.startRequest("subscriptions/listen", {
    notifications: { toolsListChanged: true },
    _meta: { [LEVEL]: "debug" },
  });
  await speaking.callTool("all", {}, { _meta: { [LEVEL]: "warning" } });
  await settled();
  expect(
    messagesFrom(speaking).map(({ method, params }) => (params as JsonObject | undefined)?.["level"] ?? method),
  ).toEqual(["warning", "error", "critical", "alert", "emergency", undefined]);
  expect(messagesFrom(listening).map(({ method }) => method)).toEqual(["notifications/subscriptions/acknowledged"]);
});

everyRevision("log data with the name of a secret is redacted [LOG-07]", async (open) => {
  const careless = tool({
    name: "careless",
    description: "Logs too much.",
    run: (_, call) => {
      call.log("error", {
        user: "ada",
        password: "hunter2",
        apiKey: "k",
        nested: [{ Authorization: "Bearer x", client_secret: "s" }],
      });
      return "done";
    },
  });
  const client = await open(createEcho({ tools: [careless] }), { logLevel: "debug" });
  await client.callTool("careless");
  expect(client.received("notifications/message").map(({ params }) => (params as JsonObject)["data"])).toEqual([
    {
      user: "ada",
      password: "[redacted]",
      apiKey: "[redacted]",
      nested: [{ Authorization: "[redacted]", client_secret: "[redacted]" }],
    },
  ]);
});

everyRevision("excess log messages are dropped [LOG-07]", async (open) => {
  const flood = tool({
    name: "flood",
    description: "Logs a lot.",
    run: (_, call) => {
      for (let line = 0; line < 1000; line += 1) call.log("error", line);
      return "done";
    },
  });
  const client = await open(createEcho({ tools: [flood], limits: { notificationBurst: 10 } }), { logLevel: "debug" });
  await client.callTool("flood");
  const { length } = client.received("notifications/message");
  // A busy machine may take long enough for some more.
  expect(length).toBeGreaterThanOrEqual(10);
  expect(length).toBeLessThan(200);
});

everyRevision("an unexpected error is written to the server's log, not sent to the client [LOG-07]", async (open) => {
  const logged: unknown[] = [];
  const broken = tool({
    name: "broken",
    description: "Fails.",
    run: () => {
      throw new Error("cannot read /home/ada/.ssh/id_rsa");
    },
  });
  const client = await open(createEcho({ tools: [broken], log: (entry) => logged.push(entry) }), { logLevel: "debug" });
  await client.callTool("broken");
  expect(JSON.stringify(messagesFrom(client))).not.toContain("id_rsa");
  expect(logged).toMatchObject([{ level: "error", error: new Error("cannot read /home/ada/.ssh/id_rsa") }]);
});
