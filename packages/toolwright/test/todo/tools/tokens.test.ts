import type { JsonObject } from "@toolwright/engine";
import { connectTestClient } from "@toolwright/engine/testing";
import { getEncoding } from "js-tiktoken";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder, openBench, textOf } from "../../../../todo/test/kit.js";
import { createMemoryServer } from "../../../src/cli/memory-server.js";
import { loadServeConfig } from "../../../src/cli/serve-config.js";

const LISTED_BY_DEFAULT = [
  "create_task",
  "list_tasks",
  "get_task",
  "update_task",
  "delete_task",
  "add_blocker",
  "remove_blocker",
  "claim_task",
];

test("the tools that are listed by default cost at most 950 tokens", async () => {
  const { client } = await openBench();
  const encoding = getEncoding("cl100k_base");
  const tools = (await client.listTools()).filter(({ name }) => LISTED_BY_DEFAULT.includes(name as string));
  const costs = tools.map(({ name, description, inputSchema }) => ({
    name: name as string,
    tokens: encoding.encode(JSON.stringify({ name, description, inputSchema })).length,
  }));
  const table = costs.map(({ name, tokens }) => `${String(tokens).padStart(5)}  ${name}`).join("\n");
  const sum = costs.reduce((before, { tokens }) => before + tokens, 0);
  expect(costs.map(({ name }) => name)).toEqual(LISTED_BY_DEFAULT);
  expect(sum, `${sum} tokens:\n${table}`).toBeLessThanOrEqual(950);
});

test("every tool of the source document can be called, whether or not it is listed", async () => {
  const { call, make } = await openBench();
  const [id, blocker] = [await make("one"), await make("two")];
  await call("add_blocker", { task_id: id, blocked_by_id: blocker });
  expect(await call("get_blockers", { task_id: id })).toMatchObject({ tasks: [{ id: blocker }], total: 1 });
  expect(await call("ready_tasks")).toMatchObject({ tasks: [{ id: blocker }] });
  expect(await call("search_tasks", { query: "one" })).toMatchObject({ tasks: [{ id }] });
  await call("claim_task", { id: blocker });
  expect(await call("release_task", { id: blocker })).toMatchObject({ status: "pending" });
});

test("every schema rejects unknown properties, and describes all that it has", async () => {
  const { client } = await openBench();
  const tools = (await client.listTools()).filter(({ name }) => name !== "read_result");
  for (const { inputSchema, title, outputSchema, ...tool } of tools) {
    const name = textOf(tool, "name");
    const { additionalProperties } = inputSchema as JsonObject;
    expect(additionalProperties, name).toBe(false);
    expect(undescribed(inputSchema as JsonObject, name)).toEqual([]);
    expect(title, name).toBeTypeOf("string");
    expect(outputSchema, name).toMatchObject({ type: "object" });
  }
});

/** The properties of a schema without a description. */
function undescribed({ properties = {} }: JsonObject, place: string): readonly string[] {
  return Object.entries(properties as Record<string, JsonObject>).flatMap(([name, property]) => [
    ...(typeof property["description"] === "string" ? [] : [`${place}.${name}`]),
    ...undescribed(property, `${place}.${name}`),
  ]);
}

test("every tool states all four hints", async () => {
  const { client } = await openBench();
  const tools = (await client.listTools()).filter(({ name }) => name !== "read_result");
  const hints = tools.map(({ annotations, ...tool }) => {
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations as Record<string, boolean>;
    const letters = [readOnlyHint ? "R" : "W", destructiveHint && "D", idempotentHint && "I", openWorldHint && "X"];
    expect([readOnlyHint, destructiveHint, idempotentHint, openWorldHint]).not.toContain(undefined);
    return `${textOf(tool, "name")} ${letters.filter(Boolean).join("")}`;
  });
  expect(hints).toEqual([
    "create_task W",
    "list_tasks RI",
    "get_task RI",
    "update_task WI",
    "delete_task WDI",
    "add_blocker WI",
    "remove_blocker WI",
    "claim_task W",
    "task_tree RI",
    "task_history RI",
    "undo_last_task WD",
    "check_task WDX",
    "export_tasks RI",
    "import_tasks WDI",
  ]);
});

test.each([
  ["packs.workstation=false", { undone: [{ kind: "created" }] }],
  ['tools.without=["undo_last"]', "undo_last"],
])("undo_last undoes a change of tasks only if no other pack has a tool of this name: %s", async (setting, gives) => {
  const state = await makeFolder();
  const words = ["--no-config", "--root", state, "--set", setting, "--all-tools"];
  const config = await loadServeConfig(words, { env: {}, folder: state });
  const server = await createMemoryServer(config, state, "1.0.0");
  const client = await connectTestClient(server);
  onTestFinished(async () => {
    client.close();
    await server.close();
  });
  await client.callTool("create_task", { description: "precious" });
  const undone = client.callTool("undo_last", {});
  if (typeof gives === "string") await expect(undone).rejects.toThrow(gives);
  else expect((await undone)["structuredContent"]).toMatchObject(gives);
});
