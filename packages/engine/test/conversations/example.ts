import {
  content,
  createServer,
  embeddedResource,
  resourceLink,
  type Server,
  ToolError,
  text,
  tool,
} from "@toolwright/engine";

const greet = tool({
  name: "greet",
  title: "Greet",
  description: "Greets a person.",
  input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  annotations: { readOnlyHint: true, openWorldHint: false },
  icons: [{ src: "https://example.com/greet.png", mimeType: "image/png" }],
  meta: { "example.com/kind": "greeting" },
  run: ({ name }) => `Hello, ${name}!`,
});

const add = tool({
  name: "add",
  description: "Adds two numbers.",
  input: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  },
  output: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
  run: ({ a, b }) => ({ sum: a + b }),
});

const look = tool({
  name: "look",
  description: "Shows what content there is.",
  run: () =>
    content(
      {
        ...text("Plain words."),
        annotations: { audience: ["user"], priority: 1, lastModified: "2026-01-01T00:00:00Z" },
      },
      { type: "audio", data: "UklGRg==", mimeType: "audio/wav" },
      resourceLink("file:///notes.md", "notes", { title: "Notes", mimeType: "text/markdown" }),
      embeddedResource("file:///a.txt", { text: "a" }, "text/plain"),
    ),
});

const refuse = tool({
  name: "refuse",
  description: "Fails with words for the model.",
  run: () => {
    throw new ToolError("The door is locked. Try the window.", { code: "LOCKED" });
  },
});

const crash = tool({
  name: "crash",
  description: "Fails unexpectedly.",
  run: () => {
    throw new Error("secret internals");
  },
});

const walk = tool({
  name: "walk",
  description: "Reports on its way.",
  run: (_, call) => {
    call.log("debug", "lacing boots", "walker");
    call.progress(0.5, "half way", 1);
    call.log("warning", { weather: "rain", apiKey: "k" }, "walker");
    call.progress(1);
    return "Arrived.";
  },
});

const wait = tool({
  name: "wait",
  description: "Waits until it is cancelled.",
  run: () => new Promise<string>(() => undefined),
});

const deploy = tool({
  name: "deploy",
  description: "Deploys after a question.",
  input: {
    type: "object",
    properties: { env: { type: "string", enum: ["staging", "production"] } },
    required: ["env"],
  },
  run: async ({ env }, call) => {
    const answer = await call.elicit("confirm", `Deploy to ${env}?`, {
      type: "object",
      properties: { sure: { type: "boolean", title: "Really?" }, note: { type: "string", default: "none" } },
      required: ["sure"],
    });
    return answer?.["sure"] === true ? `Deployed to ${env}.` : "Left alone.";
  },
});

const extra = tool({ name: "extra", description: "Comes and goes.", run: () => "Here." });

/** Adds the tool `extra`, or takes it away. */
const toggle = (server: () => Server) =>
  tool({
    name: "toggle",
    description: "Adds or removes a tool.",
    run: () => {
      const isThere = server().tools.some(({ name }) => name === "extra");
      if (isThere) server().removeTool("extra");
      else server().addTool(extra);
      return isThere ? "Removed." : "Added.";
    },
  });

/** The server of the conversations: always the same, so that they are. */
export function createExample(): Server {
  const server: Server = createServer({
    name: "example",
    version: "1.0.0",
    title: "Example",
    websiteUrl: "https://example.com",
    instructions: "Greet first.",
    dynamic: true,
    limits: { pageSize: 5 },
    log: () => undefined,
    tools: [greet, add, look, refuse, crash, walk, wait, deploy, toggle(() => server)],
  });
  return server;
}
