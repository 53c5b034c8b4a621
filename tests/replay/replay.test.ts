import { tool } from "@toolwright/engine";
import { type Replay, replay } from "@toolwright/engine/client";
import { connect } from "@toolwright/engine/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { add, create, deploy, greet, record, wait } from "./recorded.js";

const verdicts = ({ requests }: Replay) =>
  requests.map(({ method, name, verdict }) => [method, name, verdict].join(" "));

const ordinary = () =>
  record(create([greet, add]), async (server) => {
    const client = await connect(server, { revision: "2025-11-25" });
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
    "says the same in %s",
    async (revision) => {
      const played = await replay(await ordinary(), { server: create([greet, add]) }, { revision });
      expect(played.requests.filter(({ verdict }) => verdict === "differs")).toEqual([]);
      expect(verdicts(played)).toEqual([
        "initialize  same",
        "tools/list  same",
        "tools/call greet same",
        "tools/call add same",
        "tools/call add same",
        "tools/call gret same",
        "resources/read no://where same",
      ]);
      expect(played.notes).toEqual([]);
      expect(played.server).toEqual({ name: "recorded", version: "1.0.0" });
    },
  );
});

describe("another server", () => {
  const friendlier = tool({ ...greet, input: z.object({ name: z.string() }), run: ({ name }) => `Hi ${name}` });

  test("shows exactly what has changed", async () => {
    const { requests } = await replay(await ordinary(), { server: create([friendlier, add]) });
    expect(requests.filter(({ verdict }) => verdict === "differs")).toEqual([
      {
        session: 1,
        method: "tools/call",
        name: "greet",
        verdict: "differs",
        reason: undefined,
        differences: [{ path: "content.0.text", recorded: "Hello Ada", now: "Hi Ada" }],
        isRedacted: false,
      },
    ]);
  });

  test("without a tool lists it no more and refuses its calls", async () => {
    const { requests } = await replay(await ordinary(), { server: create([add]) });
    const differing = requests.filter(({ verdict }) => verdict === "differs");
    expect(
      differing.map(({ method, name, differences }) => [method, name, differences.map(({ path }) => path)]),
    ).toEqual([
      ["tools/list", undefined, ["tools.greet"]],
      ["tools/call", "greet", ["result", "error"]],
      ["tools/call", "gret", ["error.data"]],
    ]);
    expect(differing[0]?.differences[0]?.now).toBeUndefined();
    expect(differing[1]?.differences[1]?.now).toMatchObject({ code: -32602 });
  });
});

describe("an asking tool", () => {
  const asked = (revision: string) =>
    record(create([deploy]), async (server) => {
      const client = await connect(server, { revision, answers: { confirm: { sure: true } } });
      await client.callTool("deploy", { service: "shop" });
      client.close();
    });

  test.each([
    ["2025-11-25", "2025-11-25"],
    ["2025-11-25", "2026-07-28"],
    ["2026-07-28", "2025-06-18"],
    ["2026-07-28", "2026-07-28"],
  ])("that was recorded in %s gets the recorded answer in %s", async (recorded, revision) => {
    const { requests } = await replay(await asked(recorded), { server: create([deploy]) }, { revision });
    expect(requests.find(({ name }) => name === "deploy")).toMatchObject({ verdict: "same", differences: [] });
  });

  test("is not played where nobody can be asked", async () => {
    const played = await replay(await asked("2025-11-25"), { server: create([deploy]) }, { revision: "2025-03-26" });
    expect(played.requests.at(-1)).toMatchObject({
      name: "deploy",
      verdict: "not played",
      reason: "the client's revision has no way to ask",
    });
  });

  test.each(["2025-11-25", "2026-07-28"])("that asks something else shows it in %s", async (revision) => {
    const other = tool({
      name: "deploy",
      description: "Deploys after asking.",
      input: z.object({ service: z.string() }),
      async run({ service }, call) {
        const answer = await call.ask("confirm", `Deploy ${service}?`, z.object({ sure: z.boolean() }));
        const where = await call.ask("where", "Where to?", z.object({ place: z.string() }));
        return `${String(answer?.sure)} ${String(where?.place)}`;
      },
    });
    const { requests } = await replay(await asked("2025-11-25"), { server: create([other]) }, { revision });
    expect(requests.at(-1)?.differences).toEqual([
      { path: "content.0.text", recorded: "shop is deployed.", now: "true undefined" },
      { path: "question", recorded: undefined, now: "Where to?" },
    ]);
  });

  test.each(["2025-11-25", "2026-07-28"])("that asks no more shows it in %s", async (revision) => {
    const bold = tool({
      name: "deploy",
      description: "Deploys after asking.",
      input: z.object({ service: z.string() }),
      run: ({ service }) => `${service} is deployed.`,
    });
    const { requests } = await replay(await asked("2025-11-25"), { server: create([bold]) }, { revision });
    expect(requests.at(-1)?.differences).toEqual([{ path: "question", recorded: "Deploy shop?", now: undefined }]);
  });
});

describe("requests at the same time", () => {
  test.each(["2025-11-25", "2026-07-28"])(
    "are sent so again, and cancelled ones are cancelled (%s)",
    async (revision) => {
      const events: string[] = [];
      const slow = tool({
        name: "slow",
        description: "Ends when the quick one has run.",
        async run() {
          events.push("slow begins");
          await new Promise<void>((resolve) => {
            release = resolve;
          });
          events.push("slow ends");
          return "done";
        },
      });
      const quick = tool({
        name: "quick",
        description: "Lets the slow one end.",
        run() {
          events.push("quick");
          release();
          return "done";
        },
      });
      const watched = tool({
        name: "wait",
        description: wait.description,
        run(_input, call) {
          call.progress(1, "begun");
          return new Promise<string>((_resolve, reject) => {
            call.signal.addEventListener("abort", () => {
              events.push("cancelled");
              reject(call.signal.reason as Error);
            });
          });
        },
      });
      let release: () => void = () => undefined;
      const server = () => create([slow, quick, watched]);
      const text = await record(server(), async (recorded) => {
        const client = await connect(recorded, { revision: "2025-11-25" });
        const first = client.start("tools/call", { name: "slow", arguments: {} });
        await client.callTool("quick");
        await first.answer;
        const { id } = client.start("tools/call", { name: "wait", arguments: {}, _meta: { progressToken: "t" } });
        client.notify("notifications/cancelled", { requestId: id });
        await client.callTool("quick");
        client.close();
      });
      const recorded = events.splice(0);
      const played = await replay(text, { server: server() }, { revision });
      expect(verdicts(played)).toEqual([
        "initialize  same",
        "tools/call slow same",
        "tools/call quick same",
        "tools/call wait not compared",
        "tools/call quick same",
      ]);
      expect(events).toEqual(recorded);
      expect(events).toEqual(["slow begins", "quick", "slow ends", "cancelled", "quick"]);
    },
  );
});
