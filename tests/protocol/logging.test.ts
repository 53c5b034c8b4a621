import { type Json, type JsonObject, tool } from "@toolwright/engine";
import { expect, test } from "vitest";
import { everyRevision, HANDSHAKE, onRevisions, STATELESS } from "../support/every-revision.js";
import { createEcho, initializeIn, legacy, META, openRaw, said, settled } from "./support.js";

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

everyRevision("log messages have one of the eight levels, any data and maybe a logger [LOG-01]", async (open) => {
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
  expect(client.heard("notifications/message")).toEqual([
    ...values.map((data) => ({
      jsonrpc: "2.0",
      method: "notifications/message",
      params: { level: "error", logger: "db", data },
    })),
    { jsonrpc: "2.0", method: "notifications/message", params: { level: "alert", data: "no logger" } },
  ]);
});

everyRevision("a logger that is no text is left out [LOG-01]", async (open) => {
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
  expect(client.heard("notifications/message").map(({ params }) => params)).toEqual([
    ...Array.from({ length: 4 }, () => ({ level: "error", data: "x" })),
    { level: "error", logger: "", data: "x" },
  ]);
});

onRevisions(HANDSHAKE, "before any setLevel the client hears from info on [LOG-03]", async (open) => {
  const client = await open(createEcho({ tools: [all] }));
  await client.callTool("all");
  expect(levelsOf(client.heard("notifications/message"))).toEqual(LEVELS.slice(1));
});

onRevisions(HANDSHAKE, "logging/setLevel gives an empty result and filters from then on [LOG-02]", async (open) => {
  const client = await open(createEcho({ tools: [all] }));
  for (const [at, level] of LEVELS.entries()) {
    expect(await client.request("logging/setLevel", { level })).toEqual({});
    const before = client.heard("notifications/message").length;
    await client.callTool("all");
    expect(levelsOf(client.heard("notifications/message").slice(before))).toEqual(LEVELS.slice(at));
  }
});

onRevisions(
  HANDSHAKE,
  "a level holds for its own session only, and for calls that already run [LOG-02]",
  async (open) => {
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
    const running = first.start("tools/call", { name: "late" });
    await first.request("logging/setLevel", { level: "emergency" });
    for (const resume of waiting) resume();
    await running.answer;
    expect(first.heard("notifications/message")).toEqual([]);
    await second.callTool("all");
    expect(second.heard("notifications/message")).toHaveLength(7);
  },
);

onRevisions(HANDSHAKE, "setLevel with an unknown level gets -32602, and the old level stays [LOG-04]", async (open) => {
  const client = await open(createEcho({ tools: [all] }));
  await client.request("logging/setLevel", { level: "alert" });
  for (const params of [{ level: "verbose" }, { level: "ERROR" }, { level: 3 }, { level: null }, {}] as JsonObject[]) {
    await expect(client.request("logging/setLevel", params), JSON.stringify(params)).rejects.toMatchObject({
      code: -32602,
      message: "Invalid params: level must be one of debug, info, notice, warning, error, critical, alert, emergency",
    });
  }
  await client.callTool("all");
  expect(levelsOf(client.heard("notifications/message"))).toEqual(["alert", "emergency"]);
});

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

onRevisions([STATELESS], "a request without a level produces no log message [LOG-05]", async (open) => {
  const client = await open(createEcho({ tools: [all] }));
  await client.callTool("all", {}, { _meta: { [LEVEL]: "alert" } });
  await client.callTool("all");
  expect(levelsOf(client.heard("notifications/message"))).toEqual(["alert", "emergency"]);
});

test("the level of a session says nothing for stateless requests, nor theirs for the session [LOG-05]", async () => {
  const raw = await openRaw(createEcho({ tools: [all] }));
  await raw.tell(initializeIn("2025-11-25"), legacy(1, "logging/setLevel", { level: "debug" }));
  expect(await raw.tell(calling(META))).toHaveLength(1);
  expect(await raw.tell(calling({ ...META, [LEVEL]: "emergency" }))).toHaveLength(2);
  expect(await raw.tell(legacy(3, "tools/call", { name: "all" }))).toHaveLength(9);
});

onRevisions(
  [STATELESS],
  "log messages come at or above the level, before the response, and nowhere else [LOG-06]",
  async (open) => {
    const server = createEcho({ tools: [all], dynamic: true });
    const [speaking, listening] = [await open(server), await open(server)];
    listening.start("subscriptions/listen", { notifications: { toolsListChanged: true }, _meta: { [LEVEL]: "debug" } });
    await speaking.callTool("all", {}, { _meta: { [LEVEL]: "warning" } });
    await settled();
    expect(said(speaking).map(({ method, params }) => (params as JsonObject | undefined)?.["level"] ?? method)).toEqual(
      ["warning", "error", "critical", "alert", "emergency", undefined],
    );
    expect(said(listening).map(({ method }) => method)).toEqual(["notifications/subscriptions/acknowledged"]);
  },
);

everyRevision("log data that is named like a secret says nothing [LOG-07]", async (open) => {
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
  expect(client.heard("notifications/message").map(({ params }) => (params as JsonObject)["data"])).toEqual([
    {
      user: "ada",
      password: "[redacted]",
      apiKey: "[redacted]",
      nested: [{ Authorization: "[redacted]", client_secret: "[redacted]" }],
    },
  ]);
});

everyRevision("a flood of log messages is cut off at the limit [LOG-07]", async (open) => {
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
  expect(client.heard("notifications/message")).toHaveLength(10);
});

everyRevision("what an unexpected failure says goes to the server's log, not to the client [LOG-07]", async (open) => {
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
  expect(JSON.stringify(said(client))).not.toContain("id_rsa");
  expect(logged).toMatchObject([{ level: "error", error: new Error("cannot read /home/ada/.ssh/id_rsa") }]);
});
