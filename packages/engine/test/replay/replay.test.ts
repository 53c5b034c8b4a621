import { resource, tool } from "@toolwright/engine";
import { type ReplayReport, replay } from "@toolwright/engine/client";
import { connectTestClient } from "@toolwright/engine/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { add, create, deploy, greet, record, wait } from "./recorded.js";

const verdicts = ({ requests }: ReplayReport) =>
  requests.map(({ method, name, verdict }) => [method, name, verdict].join(" "));

const ordinary = () =>
  record(create([greet, add]), async (server) => {
    const client = await connectTestClient(server, { revision: "2025-11-25" });
    await client.listTools();
    await client.callTool("greet", { name: "Ada" });
    await client.callTool("add", { a: 1, b: 2 });
    await client.callTool("add", { a: "x" });
    await client.callTool("gret", {}).catch(() => undefined);
    await client.request("resources/read", { uri: "no://where" }).catch(() => undefined);
    client.close();
  });

describe("the same server", () => {
  test.each(["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])(
    "gives the same results in %s",
    async (revision) => {
      const report = await replay(await ordinary(), { server: create([greet, add]) }, { revision });
      expect(report.requests.filter(({ verdict }) => verdict === "differs")).toEqual([]);
      expect(verdicts(report)).toEqual([
        "initialize  same",
        "tools/list  same",
        "tools/call greet same",
        "tools/call add same",
        "tools/call add same",
        "tools/call gret same",
        "resources/read no://where same",
      ]);
      expect(report.notes).toEqual([]);
      expect(report.server).toEqual({ name: "recorded", version: "1.0.0" });
    },
  );
});

describe("a changed server", () => {
  const friendlier = tool({ ...greet, input: z.object({ name: z.string() }), run: ({ name }) => `Hi ${name}` });

  test("shows exactly what changed", async () => {
    const { requests } = await replay(await ordinary(), { server: create([friendlier, add]) });
    expect(requests.filter(({ verdict }) => verdict === "differs")).toEqual([
      {
        session: 1,
        method: "tools/call",
        name: "greet",
        verdict: "differs",
        reason: undefined,
        differences: [{ path: "content.0.text", recorded: "Hello Ada", actual: "Hi Ada" }],
        isRedacted: false,
      },
    ]);
  });

  test("without a tool differs in the list and in the calls of the tool", async () => {
    const { requests } = await replay(await ordinary(), { server: create([add]) });
    const differing = requests.filter(({ verdict }) => verdict === "differs");
    expect(
      differing.map(({ method, name, differences }) => [method, name, differences.map(({ path }) => path)]),
    ).toEqual([
      ["tools/list", undefined, ["tools.greet"]],
      ["tools/call", "greet", ["result", "error"]],
      ["tools/call", "gret", ["error.data"]],
    ]);
    expect(differing[0]?.differences[0]?.actual).toBeUndefined();
    expect(differing[1]?.differences[1]?.actual).toMatchObject({ code: -32602 });
  });
});

test("an error code that changed within a revision is a difference", async () => {
  const notes = () => create([], { resources: [resource({ name: "notes", uri: "file:///notes", read: () => "" })] });
  const recording = await record(notes(), async (server) => {
    const client = await connectTestClient(server, { revision: "2025-11-25" });
    await client.request("resources/read", { uri: "file:///lost" }).catch(() => undefined);
    client.close();
  });
  const changed = recording.replace('"code":-32002', '"code":-32602');
  const { requests } = await replay(changed, { server: notes() }, { revision: "2025-11-25" });
  expect(requests.at(-1)?.differences).toEqual([{ path: "error.code", recorded: -32602, actual: -32002 }]);
});

describe("a tool that requests input", () => {
  const recordDeploy = (revision: string) =>
    record(create([deploy]), async (server) => {
      const client = await connectTestClient(server, { revision, responses: { confirm: { sure: true } } });
      await client.callTool("deploy", { service: "shop" });
      client.close();
    });

  test.each([
    ["2025-11-25", "2025-11-25"],
    ["2025-11-25", "2026-07-28"],
    ["2026-07-28", "2025-06-18"],
    ["2026-07-28", "2026-07-28"],
  ])("that was recorded in %s gets the recorded response in %s", async (recorded, revision) => {
    const { requests } = await replay(await recordDeploy(recorded), { server: create([deploy]) }, { revision });
    expect(requests.find(({ name }) => name === "deploy")).toMatchObject({ verdict: "same", differences: [] });
  });

  test("is skipped in a revision without elicitation", async () => {
    const report = await replay(
      await recordDeploy("2025-11-25"),
      { server: create([deploy]) },
      { revision: "2025-03-26" },
    );
    expect(report.requests.at(-1)).toMatchObject({
      name: "deploy",
      verdict: "skipped",
      reason: "the client's revision does not support elicitation",
    });
  });

  test.each(["2025-11-25", "2026-07-28"])("that requests other input differs in %s", async (revision) => {
    const other = tool({
      name: "deploy",
      description: "Deploys after asking.",
      input: z.object({ service: z.string() }),
      async run({ service }, call) {
        const answer = await call.elicit("confirm", `Deploy ${service}?`, z.object({ sure: z.boolean() }));
        const where = await call.elicit("where", "Where to?", z.object({ place: z.string() }));
        return `${String(answer?.sure)} ${String(where?.place)}`;
      },
    });
    const { requests } = await replay(await recordDeploy("2025-11-25"), { server: create([other]) }, { revision });
    expect(requests.at(-1)?.differences).toEqual([
      { path: "content.0.text", recorded: "shop is deployed.", actual: "true undefined" },
      { path: "inputRequest", recorded: undefined, actual: "Where to?" },
    ]);
  });

  test.each(["2025-11-25", "2026-07-28"])("that requests no input any more differs in %s", async (revision) => {
    const bold = tool({
      name: "deploy",
      description: "Deploys after asking.",
      input: z.object({ service: z.string() }),
      run: ({ service }) => `${service} is deployed.`,
    });
    const { requests } = await replay(await recordDeploy("2025-11-25"), { server: create([bold]) }, { revision });
    expect(requests.at(-1)?.differences).toEqual([
      { path: "inputRequest", recorded: "Deploy shop?", actual: undefined },
    ]);
  });
});

test.each(["2025-11-25", "2026-07-28"])(
  "concurrent requests are sent in sequence, and cancelled ones are skipped (%s)",
  async (revision) => {
    const calls: string[] = [];
    const log = tool({
      name: "log",
      description: "Logs a line.",
      input: z.object({ line: z.string() }),
      run({ line }) {
        calls.push(line);
        return "done";
      },
    });
    const server = () => create([log, wait]);
    const text = await record(server(), async (recorded) => {
      const client = await connectTestClient(recorded, { revision: "2025-11-25" });
      const { id } = client.startRequest("tools/call", { name: "wait", arguments: {} });
      await Promise.all(["a", "b"].map((line) => client.callTool("log", { line })));
      client.notify("notifications/cancelled", { requestId: id });
      client.close();
    });
    calls.length = 0;
    const report = await replay(text, { server: server() }, { revision });
    expect(verdicts(report)).toEqual([
      "initialize  same",
      "tools/call wait skipped",
      "tools/call log same",
      "tools/call log same",
    ]);
    expect(calls).toEqual(["a", "b"]);
  },
);
