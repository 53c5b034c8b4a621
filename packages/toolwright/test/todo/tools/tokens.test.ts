import type { JsonObject } from "@toolwright/engine";
import { connectTestClient } from "@toolwright/engine/testing";
import { getEncoding } from "js-tiktoken";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder, openBench, textOf } from "../../../../todo/test/kit.js";
import { createMemoryServer } from "../../../src/cli/memory-server.js";
import { loadServeConfig } from "../../../src/cli/serve-config.js";

const SOURCE = [
  "create_task",
  "list_tasks",
  "get_task",
  "update_task",
  "delete_task",
  "add_blocker",
  "remove_blocker",
  "get_blockers",
];

test("what a model is given of the pack stays under 2,600 tokens, and the eight of the source under 1,300", async () => {
  const { client } = await openBench();
  const encoding = getEncoding("cl100k_base");
  const tools = (await client.listTools()).filter(({ name }) => name !== "read_result");
  const costs = tools.map(({ name, description, inputSchema }) => ({
    name: name as string,
    tokens: encoding.encode(JSON.stringify({ name, description, inputSchema })).length,
  }));
  const table = costs.map(({ name, tokens }) => `${String(tokens).padStart(5)}  ${name}`).join("\n");
  const sum = (some: typeof costs): number => some.reduce((before, { tokens }) => before + tokens, 0);
  expect(costs.map(({ name }) => name).slice(0, 8)).toEqual(SOURCE);
  expect(costs).toHaveLength(18);
  expect(sum(costs), `${sum(costs)} tokens:\n${table}`).toBeLessThan(2600);
  expect(sum(costs.slice(0, 8)), table).toBeLessThan(1300);
});

test("every schema refuses what it does not know, says what is required, and describes every property", async () => {
  const { client } = await openBench();
  const tools = (await client.listTools()).filter(({ name }) => name !== "read_result");
  for (const { inputSchema, title, outputSchema, ...tool } of tools) {
    const name = textOf(tool, "name");
    const faults = undescribed(inputSchema as JsonObject, name);
    expect(faults).toEqual([]);
    expect(title, name).toBeTypeOf("string");
    expect(outputSchema, name).toMatchObject({ type: "object" });
  }
});

/** The places of a schema that say too little. */
function undescribed(schema: JsonObject, place: string): readonly string[] {
  const { additionalProperties, required, properties = {} } = schema;
  const own = [
    ...(additionalProperties === false ? [] : [`${place} takes anything`]),
    ...(Array.isArray(required) ? [] : [`${place} does not say what is required`]),
  ];
  const below = Object.entries(properties as Record<string, JsonObject>).flatMap(([name, property]) => [
    ...(typeof property["description"] === "string" ? [] : [`${place}.${name} has no description`]),
    ...(property["properties"] === undefined ? [] : undescribed(property, `${place}.${name}`)),
  ]);
  return [...own, ...below];
}

test("tools say truly what they do, and those that write are left out where nothing may be changed", async () => {
  const shown = async (settings: JsonObject): Promise<readonly string[]> => {
    const { client } = await openBench({ settings });
    const tools = (await client.listTools()).filter(({ name }) => name !== "read_result");
    return tools.map(({ annotations, ...tool }) => {
      const hints = annotations as Record<string, boolean | undefined>;
      const letters = [
        hints["readOnlyHint"] ? "R" : "W",
        hints["destructiveHint"] ? "D" : "",
        hints["idempotentHint"] ? "I" : "",
        hints["openWorldHint"] ? "X" : "",
      ];
      return `${textOf(tool, "name")} ${letters.join("")}`;
    });
  };
  expect(await shown({})).toEqual([
    "create_task W",
    "list_tasks RI",
    "get_task RI",
    "update_task WI",
    "delete_task WD",
    "add_blocker WI",
    "remove_blocker WI",
    "get_blockers RI",
    "ready_tasks RI",
    "claim_task W",
    "release_task W",
    "search_tasks RI",
    "task_tree RI",
    "task_history RI",
    "undo_last_task WD",
    "export_tasks RI",
    "import_tasks WDI",
    "check_task WDX",
  ]);
  expect(await shown({ read_only: true })).toEqual([
    "list_tasks RI",
    "get_task RI",
    "get_blockers RI",
    "ready_tasks RI",
    "search_tasks RI",
    "task_tree RI",
    "task_history RI",
    "export_tasks RI",
  ]);
});

test.each([
  ["packs.workstation=false", { undone: [{ kind: "created" }] }],
  ['packs.workstation={"read_only":true}', "undo_last"],
  ['packs.workstation={"tools":{"undo_last":false}}', "undo_last"],
])("undo_last takes back a task only where nobody works on files: %s", async (setting, gives) => {
  const state = await makeFolder();
  const words = ["--no-config", "--root", state, "--set", setting];
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
