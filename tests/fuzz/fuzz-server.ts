import { setTimeout as sleep } from "node:timers/promises";
import {
  audio,
  content,
  createServer,
  embeddedResource,
  image,
  prompt,
  resource,
  resourceLink,
  resourceTemplate,
  type Server,
  ToolError,
  text,
  tool,
  user,
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
      const answer = await call.elicit("sure", "Sure?", {
        type: "object",
        properties: { sure: { type: "boolean" } },
        required: ["sure"],
      });
      return `sure: ${String(answer?.["sure"])}`;
    },
  }),
  tool({
    name: "sample",
    description: "Has a model answer.",
    run: async (_input, call) => (await call.sample("said", { prompt: "Say something." })).text,
  }),
  tool({
    name: "roots",
    description: "Tells where the client works.",
    run: async (_input, call) => (await call.roots()).map(({ uri }) => uri),
  }),
  tool({ name: "long", description: "Takes long.", taskSupport: "optional", run: () => sleep(3, "done") }),
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

const resources = [
  resource({ uri: "bench://text", name: "text", read: () => "text" }),
  resource({ uri: "bench://bytes", name: "bytes", read: () => sleep(1, Uint8Array.of(1, 2, 3)) }),
  resourceTemplate({
    uri: "bench://item/{id}{?part}",
    name: "item",
    variables: {
      type: "object",
      properties: { id: { type: "integer" }, part: { type: "string" } },
      required: ["id"],
    },
    complete: { part: ["first", "last"] },
    list: (cursor) => ({
      resources: [{ uri: "bench://item/1", name: cursor ?? "one" }],
      ...(cursor ? {} : { nextCursor: "two" }),
    }),
    read: ({ id, part }) => (id > 100 ? undefined : `${id} ${part ?? ""}`),
  }),
];

const prompts = [
  prompt({
    name: "write",
    description: "Has something written.",
    input: {
      type: "object",
      properties: { about: { type: "string" }, words: { type: "integer" }, tone: { enum: ["dry", "warm"] } },
      required: ["about"],
    },
    complete: { about: (typed) => sleep(1, [`${typed}!`]) },
    run: ({ about }) => [user(`Write about ${about}.`), user(audio("aGk=", "audio/wav"))],
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
    resources,
    prompts,
    tasks: { graceMs: 1 },
    limits: { messageBytes: 100_000, drainMs: 5000 },
    log: () => undefined,
  });
}
