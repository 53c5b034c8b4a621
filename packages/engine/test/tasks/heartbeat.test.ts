import { type JsonObject, type Server, type ServerOptions, tool } from "@toolwright/engine";
import { connectTestClient } from "@toolwright/engine/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ALL, expectLegal } from "../support/every-revision.js";
import { beginTask, CORE, Job, RELATED, TASK_CLIENT, taskServer } from "./task-server.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "hrtime"] }));
afterEach(() => void vi.useRealTimers());

const TOKEN = { _meta: { progressToken: "p" } };

const plainServer = (job: Job, options: Partial<ServerOptions> = {}): Server =>
  taskServer([job.tool], {}, { tasks: false, limits: { callTimeoutMs: 120_000 }, ...options });

/** The turn in which a call becomes long-running. */
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(() => setImmediate(resolve)));

test("a silent call sends heartbeats in every revision, with increasing values [PROG-03]", async () => {
  for (const revision of ALL) {
    const job = new Job("dig");
    const client = await connectTestClient(plainServer(job), { revision });
    const { response: answer } = client.startRequest("tools/call", { name: "dig", ...TOKEN });
    await turn();
    await vi.advanceTimersByTimeAsync(14_999);
    expect(client.received("notifications/progress")).toEqual([]);
    await vi.advanceTimersByTimeAsync(30_001);
    const beats = client.received("notifications/progress").map(({ params }) => params as JsonObject);
    const messages = ["still running (15 s)", "still running (30 s)", "still running (45 s)"];
    expect(beats.map(({ message }) => message)).toEqual(
      revision === "2024-11-05" ? [undefined, undefined, undefined] : messages,
    );
    expect(beats.map(({ progress }) => progress)).toEqual([0, 1e-9, 2e-9]);
    job.end("gold");
    await vi.advanceTimersByTimeAsync(60_000);
    await answer;
    expect(client.received("notifications/progress")).toHaveLength(3);
    client.close();
    expectLegal(client);
  }
});

test("progress of the tool is sent, and delays the next heartbeat", async () => {
  const job = new Job("dig");
  const client = await connectTestClient(plainServer(job));
  client.startRequest("tools/call", { name: "dig", ...TOKEN });
  await turn();
  await vi.advanceTimersByTimeAsync(15_000);
  job.calls[0]?.progress(0, "starting");
  job.calls[0]?.progress(0, "again");
  await vi.advanceTimersByTimeAsync(14_000);
  job.calls[0]?.progress(0.5, "half", 1);
  await vi.advanceTimersByTimeAsync(14_999);
  expect(client.received("notifications/progress").map(({ params }) => params)).toEqual([
    { progressToken: "p", progress: 0, message: "still running (15 s)" },
    { progressToken: "p", progress: 1e-9, message: "starting" },
    { progressToken: "p", progress: 0.5, total: 1, message: "half" },
  ]);
  await vi.advanceTimersByTimeAsync(1);
  expect(client.received("notifications/progress").at(-1)?.["params"]).toEqual({
    progressToken: "p",
    progress: 0.5 + 1e-9,
    message: "still running (44 s)",
  });
});

test("a heartbeat does not extend the timeout", async () => {
  const job = new Job("dig");
  const client = await connectTestClient(plainServer(job, { limits: { callTimeoutMs: 20_000, heartbeatMs: 1000 } }));
  const { response: answer } = client.startRequest("tools/call", { name: "dig", ...TOKEN });
  await turn();
  await vi.advanceTimersByTimeAsync(21_000);
  expect((await answer)["result"]).toMatchObject({ isError: true, structuredContent: { code: "TIMEOUT" } });
});

test("without a progress token, and for quick calls, there is no heartbeat", async () => {
  const job = new Job("dig");
  const quick = tool({ name: "quick", description: "Ends at once.", run: () => "done" });
  const client = await connectTestClient(taskServer([job.tool, quick], {}, { tasks: false }));
  client.startRequest("tools/call", { name: "dig" });
  await client.request("tools/call", { name: "quick", ...TOKEN });
  await turn();
  await vi.advanceTimersByTimeAsync(29_000);
  expect(client.received("notifications/progress")).toEqual([]);
});

test("prompts have heartbeats too", async () => {
  const job = new Job("dig");
  const prompt = { name: "slow", description: "Slow.", run: () => new Promise<string>(() => undefined) };
  const client = await connectTestClient(plainServer(job, { prompts: [prompt] }));
  client.startRequest("prompts/get", { name: "slow", ...TOKEN });
  await turn();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(client.received("notifications/progress")).toHaveLength(1);
});

test("a task of a handshake client has related heartbeats; one of a stateless client has none [PROG-05 TSX-14]", async () => {
  const job = new Job("dig", "required");
  const server = taskServer([job.tool]);
  const older = await connectTestClient(server, { revision: CORE });
  const taskId = await beginTask(older, "dig", TOKEN);
  await turn();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(older.received("notifications/progress").map(({ params }) => params)).toEqual([
    { progressToken: "p", progress: 0, message: "still running (15 s)", _meta: { [RELATED]: { taskId } } },
  ]);
  const newer = await connectTestClient(server, { capabilities: TASK_CLIENT });
  await beginTask(newer, "dig", TOKEN);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(newer.received("notifications/progress")).toEqual([]);
});
