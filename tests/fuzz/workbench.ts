import { setTimeout as sleep } from "node:timers/promises";
import {
  audio,
  content,
  createServer,
  embeddedResource,
  image,
  resourceLink,
  type Server,
  ToolError,
  text,
  tool,
} from "@toolwright/engine";

const tools = [
  tool({
    name: "echo",
    description: "Gives back the text.",
    input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    run: (input) => input.text,
  }),
  tool({
    name: "add",
    title: "Add",
    description: "Adds.",
    input: {
      type: "object",
      properties: { a: { type: "integer", minimum: -1e6, maximum: 1e6 }, b: { type: "number" } },
      required: ["a", "b"],
    },
    output: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
    annotations: { readOnlyHint: true },
    run: ({ a, b }) => ({ sum: a + b }),
  }),
  tool({
    name: "order",
    description: "Takes an order.",
    input: {
      type: "object",
      properties: {
        items: {
          type: "array",
          items: {
            type: "object",
            properties: { sku: { type: "string", pattern: "^[a-z]-\\d+$" }, count: { type: "integer" } },
            required: ["sku"],
          },
          maxItems: 5,
        },
        kind: { enum: ["small", "large"] },
        rush: { type: "boolean" },
        note: { type: ["string", "null"] },
      },
      required: ["items"],
      additionalProperties: false,
    },
    run: (input) => input as object,
  }),
  tool({ name: "later", description: "Takes a moment.", run: () => sleep(1, "later") }),
  tool({
    name: "ask",
    description: "Asks.",
    run: async (_input, call) => {
      const answer = await call.ask("sure", "Sure?", {
        type: "object",
        properties: { sure: { type: "boolean" } },
        required: ["sure"],
      });
      return `sure: ${String(answer?.["sure"])}`;
    },
  }),
  tool({
    name: "fail",
    description: "Fails.",
    run: () => {
      throw new ToolError("It failed.", { code: "FAILED", details: { why: "fuzz" } });
    },
  }),
  tool({
    name: "crash",
    description: "Fails by accident.",
    run: () => {
      throw new TypeError("an accident");
    },
  }),
  tool({
    name: "blocks",
    description: "Returns each kind of content.",
    run: () =>
      content(
        text("text"),
        image("aGk=", "image/png"),
        audio("aGk=", "audio/wav"),
        resourceLink("file:///a", "a", { title: "A" }),
        embeddedResource("file:///b", { text: "b" }),
      ),
  }),
  tool({
    name: "tell",
    description: "Reports and logs.",
    run: (_input, call) => {
      call.progress(1, "half", 2);
      call.log("warning", { said: "something" }, "fuzz");
      return [1, "two", null];
    },
  }),
];

/** A server with a tool for each path through the engine. */
export function createWorkbench(): Server {
  return createServer({
    name: "workbench",
    version: "1.0.0",
    title: "Workbench",
    instructions: "Spoil me.",
    dynamic: true,
    tools,
    limits: { messageBytes: 100_000, drainMs: 5000 },
    log: () => undefined,
  });
}
