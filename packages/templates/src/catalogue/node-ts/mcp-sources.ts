/** The first code of a server. */
export const SERVER_SOURCE = `import { realpathSync } from "node:fs";
import { createServer, prompt, resource, serveStdio, tool } from "@toolwright/engine";

const greet = tool({
  name: "greet",
  description: "Greets somebody by name.",
  annotations: { readOnlyHint: true },
  input: {
    type: "object",
    properties: { name: { type: "string", description: "Who is greeted." } },
    required: ["name"],
  },
  run: ({ name }) => \`Hello, \${name}!\`,
});

const manners = resource({
  uri: "guide://manners",
  name: "manners",
  description: "How greetings are written here.",
  mimeType: "text/plain",
  read: () => "Greet people by name, in one short sentence.",
});

const welcome = prompt({
  name: "welcome",
  description: "Welcomes somebody to the team.",
  input: {
    type: "object",
    properties: { name: { type: "string", description: "Who is new." } },
    required: ["name"],
  },
  run: ({ name }) => \`Write a short welcome for \${name}. Keep to guide://manners.\`,
});

/** The server, which serves nobody yet. */
export const server = createServer({
  name: "{{ project_name | kebab }}",
  version: "0.1.0",
  tools: [greet],
  resources: [manners],
  prompts: [welcome],
});

// Tests import this file; npm starts it through a link.
const started = process.argv[1];
if (started !== undefined && realpathSync(started) === import.meta.filename) await serveStdio(server);
`;

/** Its first tests. */
export const SERVER_TEST = `import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { connectTestClient, type TestClient } from "@toolwright/engine/testing";
import { server } from "./server.js";

let client: TestClient;
before(async () => {
  client = await connectTestClient(server);
});
after(async () => {
  client.close();
  await server.close();
});

test("greets by name", async () => {
  const { content } = await client.callTool("greet", { name: "Ada" });
  assert.deepEqual(content, [{ type: "text", text: "Hello, Ada!" }]);
});

test("says what is missing", async () => {
  const { isError } = await client.callTool("greet", {});
  assert.equal(isError, true);
});

test("has a guide to read", async () => {
  const { contents } = await client.readResource("guide://manners");
  assert.match(JSON.stringify(contents), /by name/);
});

test("writes a prompt", async () => {
  const { messages } = await client.getPrompt("welcome", { name: "Ada" });
  assert.match(JSON.stringify(messages), /welcome for Ada/);
});
`;

/** The first code of a pack. */
export const PACK_SOURCE = `import { pack as definePack, tool } from "@toolwright/engine";

const greet = (greeting: string) =>
  tool({
    name: "greet",
    description: "Greets somebody by name.",
    annotations: { readOnlyHint: true },
    input: {
      type: "object",
      properties: { name: { type: "string", description: "Who is greeted." } },
      required: ["name"],
    },
    run: ({ name }) => \`\${greeting}, \${name}!\`,
  });

/** The pack: tools from settings. */
export const pack = definePack({
  name: "{{ project_name | kebab }}",
  settings: {
    type: "object",
    properties: { greeting: { type: "string", default: "Hello", description: "How greetings begin." } },
  },
  open: ({ greeting = "Hello" }) => ({ tools: [greet(greeting)] }),
});
`;

/** Its first tests. */
export const PACK_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { createServer } from "@toolwright/engine";
import { connectTestClient } from "@toolwright/engine/testing";
import { pack } from "./index.js";

test("greets as it was told to", async () => {
  const server = createServer({ name: "test", version: "1.0.0", packs: [pack({ greeting: "Good day" })] });
  const client = await connectTestClient(server);
  const { content } = await client.callTool("greet", { name: "Ada" });
  assert.deepEqual(content, [{ type: "text", text: "Good day, Ada!" }]);
  client.close();
  await server.close();
});

test("refuses settings that it does not know", async () => {
  const faults = await pack({ greting: "Hi" }).validateSettings?.();
  assert.equal(faults?.length, 1);
});
`;
