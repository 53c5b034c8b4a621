import type { JsonObject } from "@toolwright/engine";
import { expect, test } from "vitest";
import { type Bench, openBench } from "../kit.js";

const read = async ({ client }: Bench, uri: string): Promise<readonly [JsonObject, string]> => {
  const { contents } = await client.readResource(uri);
  const [json, text] = contents as { uri: string; mimeType: string; text: string }[];
  expect([json?.uri, json?.mimeType, text?.uri, text?.mimeType]).toEqual([
    uri,
    "application/json",
    uri,
    "text/markdown",
  ]);
  return [JSON.parse(json?.text ?? "") as JsonObject, text?.text ?? ""];
};

test("a task can be read as JSON and as text, with subtasks and blockers", async () => {
  const bench = await openBench();
  const id = await bench.make("Build it", { context: "by hand" });
  await bench.call("create_task", { description: "A part", parent_id: id });
  const [task, text] = await read(bench, `task://${id}`);
  expect(task).toMatchObject({ id, children: [{ description: "A part" }], blocked_by: [], blocking: [] });
  expect(text).toContain("# Build it");
  expect(text).toContain("## Context\nby hand");
  expect(text).toContain("(priority 3, pending): A part");
  await expect(bench.client.readResource("task://task_xyz")).rejects.toMatchObject({ code: -32602 });
});

test("the board has a column for each status, and ready tasks in the order of claims", async () => {
  const bench = await openBench();
  const id = await bench.make("first");
  await bench.call("create_task", { description: "second" });
  await bench.call("create_task", { description: "waits", blocked_by: [id] });
  const [board, text] = await read(bench, "tasks://board");
  expect(board).toMatchObject({ ready: 2, blocked: 1, seq: 4 });
  expect((board["columns"] as JsonObject[]).map(({ status, total }) => [status, total])).toEqual([
    ["pending", 3],
    ["in_progress", 0],
    ["completed", 0],
    ["failed", 0],
  ]);
  expect(text).toContain("# Tasks: 2 ready, 1 blocked");
  const [ready, lines] = await read(bench, "tasks://ready");
  expect((ready["tasks"] as JsonObject[]).map(({ description }) => description)).toEqual(["first", "second"]);
  expect(lines).toContain("# Ready (2)");
});

test("the board counts a started task that is blocked", async () => {
  const bench = await openBench();
  const id = await bench.make("first");
  const waits = await bench.make("waits", { blocked_by: [id] });
  await bench.call("update_task", { id: waits, status: "in_progress" });
  expect((await read(bench, "tasks://board"))[0]).toMatchObject({ ready: 1, blocked: 1 });
  await bench.call("update_task", { id: waits, status: "completed" });
  expect((await read(bench, "tasks://board"))[0]).toMatchObject({ ready: 1, blocked: 0 });
});

test("tasks are listed, and their ids support completion", async () => {
  const bench = await openBench();
  const ids: string[] = [];
  for (const name of ["one", "two"]) ids.unshift(await bench.make(name));
  const resources = await bench.client.listResources();
  expect(resources.map(({ uri, name }) => [uri, name])).toEqual([
    ["tasks://board", "board"],
    ["tasks://ready", "ready"],
    [`task://${ids[0]}`, "two"],
    [`task://${ids[1]}`, "one"],
  ]);
  const complete = async (value: string): Promise<unknown> => {
    const { completion } = await bench.client.request("completion/complete", {
      ref: { type: "ref/resource", uri: "task://{id}" },
      argument: { name: "id", value },
    });
    return (completion as JsonObject)["values"];
  };
  expect(await complete("")).toEqual(ids);
  expect(await complete("task")).toEqual(ids);
  expect(await complete(ids[1] ?? "")).toEqual([ids[1]]);
  expect(await complete((ids[0] ?? "").slice("task_".length))).toEqual([ids[0]]);
  expect(await complete("zzz")).toEqual([]);
});

test("prompts contain the current board", async () => {
  const bench = await openBench();
  const textOf = async (name: string, args: Record<string, string>): Promise<string> => {
    const { messages } = await bench.client.getPrompt(name, args);
    const [message] = messages as { role: string; content: { text: string } }[];
    expect(message?.role).toBe("user");
    return message?.content.text ?? "";
  };
  const id = await bench.make("Mend the parser");
  const plan = await textOf("plan-work", { goal: "a faster parser" });
  expect(plan).toContain("Plan the work for this goal: a faster parser");
  expect(plan).toContain(`- ${id} (priority 3, pending): Mend the parser`);
  bench.clock.pass(3 * 3600);
  await bench.call("update_task", { id, status: "in_progress" });
  const report = await textOf("stand-up", { hours: "2" });
  expect(report).toContain(`toolwright-test: updated ${id}, pending → in_progress`);
  expect(report).not.toContain(`created ${id}`);
  expect(await textOf("stand-up", {})).toContain(`created ${id}`);
});
