import { createServer, type LogEntry, pack, type Tool } from "@toolwright/engine";
import { expect, test } from "vitest";
import { everyRevision } from "../support/every-revision.js";
import { namedTool, namesOf } from "./server.js";

const broken = { ...namedTool("broken"), input: { type: "object", properties: { a: { type: "nonsense" } } } } as Tool;
const brought = pack({
  name: "brought",
  open: () => ({ tools: [namedTool("one"), broken, namedTool("input"), namedTool("two")] }),
});

everyRevision("with onInvalidTool: skip, one invalid tool of a pack does not affect the others", async (open) => {
  const entries: LogEntry[] = [];
  const server = createServer({
    name: "s",
    version: "1.0.0",
    tools: [namedTool("input")],
    packs: [brought()],
    toolOptions: { onInvalidTool: "skip" },
    log: (entry) => entries.push(entry),
  });
  const client = await open(server);
  expect(namesOf(await client.listTools())).toEqual(["input", "one", "two"]);
  expect(entries.map(({ level, message }) => [level, message.replace(/: type must.*/, "")])).toEqual([
    [
      "warning",
      'skipped an invalid tool: Cannot register tool "broken": cannot read the input schema at #/properties/a',
    ],
    ["warning", 'skipped an invalid tool: Cannot register tool "input": the name "input" is already taken'],
  ]);
  await server.close();
});

test("an invalid tool fails the start by default", async () => {
  const server = createServer({ name: "s", version: "1.0.0", packs: [brought()], log: () => undefined });
  await expect(server.start()).rejects.toThrow('Cannot register tool "broken"');
});

test("addTool rejects an invalid tool, also with onInvalidTool: skip", async () => {
  const server = createServer({ name: "s", version: "1.0.0", dynamic: true, toolOptions: { onInvalidTool: "skip" } });
  await server.start();
  expect(() => server.addTool(broken)).toThrow('Cannot register tool "broken"');
  await server.close();
});
