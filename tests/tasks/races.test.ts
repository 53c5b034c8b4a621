import { type JsonObject, MemoryTaskStore, type TaskRecord, type TaskStore, ToolError, tool } from "@toolwright/engine";
import { connect, type TestClient } from "@toolwright/engine/testing";
import { expect, test } from "vitest";
import { settled } from "../features/wire.js";
import { Dice } from "../fuzz/dice.js";
import { expectLegal } from "../support/every-revision.js";
import { beginTask, CORE, FOLLOWS, getTask, Job, taskServer, untilStatus } from "./bench.js";

const ROUNDS = 60;
const FINAL = new Set<unknown>(["completed", "failed", "cancelled"]);

/** A store that takes a moment for everything, now before it is done and now after. */
class HesitantStore implements TaskStore {
  readonly #inner = new MemoryTaskStore();
  readonly #dice: Dice;

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  async create(record: TaskRecord): Promise<void> {
    await this.#hesitate();
    this.#inner.create(record);
    await this.#hesitate();
  }

  async get(id: string): Promise<TaskRecord | undefined> {
    await this.#hesitate();
    return this.#inner.get(id);
  }

  async change(...[id, to]: Parameters<TaskStore["change"]>): Promise<Awaited<ReturnType<TaskStore["change"]>>> {
    await this.#hesitate();
    const change = this.#inner.change(id, to);
    await this.#hesitate();
    return change;
  }

  async list(...[owner, after, most]: Parameters<TaskStore["list"]>): Promise<readonly TaskRecord[]> {
    await this.#hesitate();
    return this.#inner.list(owner, after, most);
  }

  async #hesitate(): Promise<void> {
    const turns = this.#dice.roll(4);
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
  }
}

/** Waits until a task is final, and gives it. */
async function ended(client: TestClient, taskId: string): Promise<JsonObject> {
  for (;;) {
    const task = await getTask(client, taskId);
    if (FINAL.has(task["status"])) return task;
    await settled(1);
  }
}

test("whatever races, a task of a handshake client ends once, and everybody agrees how [TSK-05 TSK-07 TSK-09]", async () => {
  const ends = new Set<unknown>();
  for (let seed = 1; seed <= ROUNDS; seed += 1) {
    const dice = new Dice(seed);
    const job = new Job("dig", true);
    const client = await connect(taskServer([job.tool], { store: new HesitantStore(dice) }), { revision: CORE });
    const taskId = await beginTask(client, "dig");
    const waiting = client.start("tasks/result", { taskId }).answer;
    const cancelling: Promise<JsonObject>[] = [];
    const deeds = [
      () => (dice.oneIn(2) ? job.end("gold") : job.fail(new ToolError("sand"))),
      () => void cancelling.push(client.start("tasks/cancel", { taskId }).answer),
    ];
    if (dice.oneIn(2)) deeds.reverse();
    for (const deed of deeds) {
      deed();
      for (let turns = dice.roll(6); turns > 0; turns -= 1) await new Promise((resolve) => void setImmediate(resolve));
    }
    const { status } = await ended(client, taskId);
    ends.add(status);
    const [cancelled] = await Promise.all(cancelling);
    expect(cancelled?.["error"] === undefined, `seed ${seed}`).toBe(status === "cancelled");
    const { result, error } = (await waiting) as { result?: JsonObject; error?: JsonObject };
    const said = error === undefined ? (result?.["isError"] === true ? "failed" : "completed") : "cancelled";
    expect(said, `seed ${seed}`).toBe(status);
    await settled(1);
    const told = client.heard("notifications/tasks/status").map(({ params }) => (params as JsonObject)["status"]);
    expect(told, `seed ${seed}`).toEqual([status]);
    client.close();
    expectLegal(client);
  }
  expect(ends.size).toBeGreaterThan(1);
});

test("whatever races, a task that asks takes each answer once, and ends [TSX-11 TSX-12]", async () => {
  const names = ["one", "two", "three"];
  const asks = tool({
    name: "asks",
    description: "Asks.",
    long: "task-only",
    run: async (_input, call) => {
      const form = { type: "object", properties: { at: { type: "integer" } }, required: ["at"] } as const;
      const answers = await Promise.all(names.map((name) => call.ask(name, `${name}?`, form)));
      return answers.map((answer) => answer?.at).join();
    },
  });
  for (let seed = 1; seed <= ROUNDS; seed += 1) {
    const dice = new Dice(seed);
    const store = new HesitantStore(dice);
    const client = await connect(taskServer([asks], { store }), { capabilities: FOLLOWS });
    const taskId = await beginTask(client, "asks");
    await untilStatus(client, taskId, "input_required");
    const isCancelled = dice.oneIn(4);
    await Promise.all(
      [...names, ...names].map(async (name, at) => {
        const inputResponses = { [name]: { action: "accept", content: { at } } };
        for (let turns = dice.roll(3); turns > 0; turns -= 1)
          await new Promise((resolve) => void setImmediate(resolve));
        expect(await client.request("tasks/update", { taskId, inputResponses })).toMatchObject({
          resultType: "complete",
        });
        if (isCancelled && at === 1) await client.request("tasks/cancel", { taskId });
      }),
    );
    const task = await ended(client, taskId);
    const words = (task["result"] as { content: { text: string }[] } | undefined)?.content[0]?.text;
    if (task["status"] === "cancelled") expect([isCancelled, words], `seed ${seed}`).toEqual([true, undefined]);
    else expect(words, `seed ${seed}`).toMatch(/^[03],[14],[25]$/);
    expect(await store.get(taskId), `seed ${seed}`).not.toHaveProperty("answers");
    client.close();
  }
});
