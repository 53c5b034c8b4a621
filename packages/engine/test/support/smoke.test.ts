import { createServer, tool } from "@toolwright/engine";
import { expect } from "vitest";
import { everyRevision } from "./every-revision.js";

const greet = tool({
  name: "greet",
  description: "Greets.",
  input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  run: ({ name }) => `Hello, ${name}!`,
});

everyRevision("a tool is listed and called", async (open) => {
  const client = await open(createServer({ name: "test", version: "1.0.0", tools: [greet] }));
  expect((await client.listTools()).map((entry) => entry["name"])).toEqual(["greet"]);
  expect((await client.callTool("greet", { name: "Ada" }))["content"]).toEqual([{ type: "text", text: "Hello, Ada!" }]);
});
