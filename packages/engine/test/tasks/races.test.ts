import { type JsonObject, ToolError, tool } from "@toolwright/engine";
import { MemoryTaskStore, type TaskRecord, type TaskStore } from "@toolwright/engine/tasks";
import { connectTestClient, type TestClient } from "@toolwright/engine/testing";
import { expect, test } from "vitest";
import { Random } from "../../../../tests/fuzz/random.js";
import { settled } from "../features/wire.js";
import { expectLegal } from "../support/every-revision.js";
import { beginTask, CORE, getTask, Job, TASK_CLIENT, taskServer, untilStatus } from "./task-server.js";

const ROUNDS = 60;
const FINAL = new Set<unknown>(["completed", "failed", "cancelled"]);

/** A store with random delays before and after each operation. */
class SlowStore implements TaskStore {
  readonly #inner = new MemoryTaskStore();
  readonly #dice: Random;

  constructor(dice: Random) {
    this.#dice = dice;
  }

  async create(record: TaskRecord): Promise<void> {
    await this.#delay();
    this.#inner.create(record);
    await this.#delay();
  }

  async get(id: string): Promise<TaskRecord | undefined> {
    await this.#delay();
    return this.#inner.get(id);
  }

  async update(...[id, to]: Parameters<TaskStore["update"]>): Promise<Awaited<ReturnType<TaskStore["update"]>>> {
    await this.#delay();
    const change = this.#inner.update(id, to);
    await this.#delay();
    return change;
  }

  async list(...[owner, after, most]: Parameters<TaskStore["list"]>): Promise<readonly TaskRecord[]> {
    await this.#delay();
    return this.#inner.list(owner, after, most);
  }

  async #delay(): Promise<void> {
    const turns = this.#dice.below(4);
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
  }
}

/** Waits until a task is final, and returns it. */
async function untilFinal(client: TestClient, taskId: string): Promise<JsonObject> {
  for (;;) {
    const task = await getTask(client, taskId);
    if (FINAL.has(task["status"])) return task;
    await settled(1);
  }
}

test("in every race a task of a handshake client ends once, with one outcome [TSK-05 TSK-07 TSK-09]", async () => {
  const ends = new Set<unknown>();
  for (let seed = 1; seed <= ROUNDS; seed += 1) {
    const dice = new Random(seed);
    const job = new Job("dig", "optional");
    const client = await connectTestClient(taskServer([job.tool], { store: new SlowStore(dice) }), {
      revision: CORE,
    });
    const taskId = await beginTask(client, "dig");
    const waiting = client.startRequest("tasks/result", { taskId }).response;
    const cancelling: Promise<JsonObject>[] = [];
    const actions = [
      () => (dice.oneIn(2) ? job.end("gold") : job.fail(new ToolError("sand"))),
      () => void cancelling.push(client.startRequest("tasks/cancel", { taskId }).response),
    ];
    if (dice.oneIn(2)) actions.reverse();
    for (const action of actions) {
      action();
      for (let turns = dice.below(6); turns > 0; turns -= 1) await new Promise((resolve) => void setImmediate(resolve));
    }
    const { status } = await untilFinal(client, taskId);
    ends.add(status);
    const [cancelled] = await Promise.all(cancelling);
    expect(cancelled?.["error"] === undefined, `seed ${seed}`).toBe(status === "cancelled");
    const { result, error } = (await waiting) as { result?: JsonObject; error?: JsonObject };
    const outcome = error === undefined ? (result?.["isError"] === true ? "failed" : "completed") : "cancelled";
    expect(outcome, `seed ${seed}`).toBe(status);
    await settled(1);
    const statuses = client
      .received("notifications/tasks/status")
      .map(({ params }) => (params as JsonObject)["status"]);
    expect(statuses, `seed ${seed}`).toEqual([status]);
    client.close();
    expectLegal(client);
  }
  expect(ends.size).toBeGreaterThan(1);
});

test("in every race a task accepts each response once, and ends [TSX-11 TSX-12]", async () => {
  const names = ["one", "two", "three"];
  const elicits = tool({
    name: "elicits",
    description: "Asks.",
    taskSupport: "required",
    run: async (_input, call) => {
      const form = { type: "object", properties: { at: { type: "integer" } }, required: ["at"] } as const;
      const answers = await Promise.all(names.map((name) => call.elicit(name, `${name}?`, form)));
      return answers.map((answer) => answer?.at).join();
    },
  });
  for (let seed = 1; seed <= ROUNDS; seed += 1) {
    const dice = new Random(seed);
    const store = new SlowStore(dice);
    const client = await connectTestClient(taskServer([elicits], { store }), { capabilities: TASK_CLIENT });
    const taskId = await beginTask(client, "elicits");
    await untilStatus(client, taskId, "input_required");
    const isCancelled = dice.oneIn(4);
    await Promise.all(
      [...names, ...names].map(async (name, at) => {
        const inputResponses = { [name]: { action: "accept", content: { at } } };
        for (let turns = dice.below(3); turns > 0; turns -= 1)
          await new Promise((resolve) => void setImmediate(resolve));
        expect(await client.request("tasks/update", { taskId, inputResponses })).toMatchObject({
          resultType: "complete",
        });
        if (isCancelled && at === 1) await client.request("tasks/cancel", { taskId });
      }),
    );
    const task = await untilFinal(client, taskId);
    const text = (task["result"] as { content: { text: string }[] } | undefined)?.content[0]?.text;
    if (task["status"] === "cancelled") expect([isCancelled, text], `seed ${seed}`).toEqual([true, undefined]);
    else expect(text, `seed ${seed}`).toMatch(/^[03],[14],[25]$/);
    expect(await store.get(taskId), `seed ${seed}`).not.toHaveProperty("inputResponses");
    client.close();
  }
});
