import { expect, test } from "vitest";
import { openBench } from "../kit.js";

const FILES = {
  "src/stack.ts": "export class Stack {\n  push(x: number) { return x; }\n  pop() {}\n}\nexport function peek() {}\n",
  "src/notes.md": "# notes\n",
};

test("refactor-function leads through the tools of the pack", async () => {
  const { client } = await openBench({ files: FILES });
  const { messages } = await client.getPrompt("refactor-function", { file: "src/stack.ts", function: "Stack.push" });
  const said = JSON.stringify(messages);
  const { tools } = await client.request("tools/list", {});
  const names = (tools as { name: string }[]).map(({ name }) => name);
  for (const [name] of said.matchAll(/analyze_\w+/g)) expect(names).toContain(name);
  expect(said).toContain(
    '{\\\\\\"project_path\\\\\\":\\\\\\"src/stack.ts\\\\\\",\\\\\\"explain\\\\\\":true'.replaceAll("\\\\\\", "\\"),
  );
});

test("review-hotspots is about the project that was given", async () => {
  const { client } = await openBench({ files: FILES });
  const said = JSON.stringify((await client.getPrompt("review-hotspots", { project_path: 'a "b"' }))["messages"]);
  expect(said).toContain('Review the project in \\"a \\\\\\"b\\\\\\"\\"');
  expect(JSON.stringify(await client.getPrompt("review-hotspots", {}))).toContain('the project in \\".\\"');
});

test("files and functions are suggested", async () => {
  const { client } = await openBench({ files: FILES });
  const ref = { type: "ref/prompt", name: "refactor-function" };
  const suggest = async (name: string, value: string, file?: string) => {
    const context = file === undefined ? {} : { context: { arguments: { file } } };
    const { completion } = await client.request("completion/complete", { ref, argument: { name, value }, ...context });
    return (completion as { values: string[] }).values;
  };
  expect(await suggest("file", "")).toEqual(["src/"]);
  expect(await suggest("file", "src/")).toEqual(["src/stack.ts"]);
  expect(await suggest("file", "../")).toEqual([]);
  expect(await suggest("function", "p", "src/stack.ts")).toEqual(["Stack.push", "Stack.pop", "peek"]);
  expect(await suggest("function", "Stack.po", "src/stack.ts")).toEqual(["Stack.pop"]);
  expect(await suggest("function", "p", "src/gone.ts")).toEqual([]);
});
