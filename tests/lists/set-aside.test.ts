import { createServer, type LogEntry, pack, type Tool } from "@toolwright/engine";
import { expect, test } from "vitest";
import { everyRevision } from "../support/every-revision.js";
import { namesOf, saying } from "./server.js";

const broken = { ...saying("broken"), input: { type: "object", properties: { a: { type: "nonsense" } } } } as Tool;
const brought = pack({
  name: "brought",
  open: () => ({ tools: [saying("one"), broken, saying("given"), saying("two")] }),
});

everyRevision("one bad tool of a pack leaves the others alone", async (open) => {
  const entries: LogEntry[] = [];
  const server = createServer({
    name: "s",
    version: "1.0.0",
    tools: [saying("given")],
    packs: [brought()],
    badTools: "set-aside",
    log: (entry) => entries.push(entry),
  });
  const client = await open(server);
  expect(namesOf(await client.listTools())).toEqual(["given", "one", "two"]);
  expect(entries.map(({ level, message }) => [level, message.replace(/: type must.*/, "")])).toEqual([
    ["warning", 'a tool is left out: Cannot register tool "broken": cannot read the input schema at #/properties/a'],
    ["warning", 'a tool is left out: Cannot register tool "given": the name "given" is taken'],
  ]);
  await server.close();
});

test("a bad tool fails the start where nothing else is said", async () => {
  const server = createServer({ name: "s", version: "1.0.0", packs: [brought()], log: () => undefined });
  await expect(server.start()).rejects.toThrow('Cannot register tool "broken"');
});

test("a bad tool that is added by itself is refused, whatever happens to those of packs", async () => {
  const server = createServer({ name: "s", version: "1.0.0", dynamic: true, badTools: "set-aside" });
  await server.start();
  expect(() => server.addTool(broken)).toThrow('Cannot register tool "broken"');
  await server.close();
});
