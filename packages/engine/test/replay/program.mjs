// A server that records itself, over stdin and stdout. Its tools say what the environment wants them to say.
import { randomUUID } from "node:crypto";
import { createServer, serveStdio, tool } from "@toolwright/engine";
import { recordTo } from "@toolwright/engine/observability";

const { RECORD, GREETING = "Hello", WITHOUT } = process.env;
const notes = new Map();

const tools = [
  tool({
    name: "greet",
    description: "Says hello.",
    input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    run: ({ name }) => `${GREETING} ${name},\nhow are you?\nBye`,
  }),
  tool({
    name: "keep",
    description: "Keeps a note, and gives its id.",
    input: { type: "object", properties: { text: { type: "string" }, password: { type: "string" } } },
    run({ text }) {
      const id = randomUUID();
      notes.set(id, text);
      return { id };
    },
  }),
  tool({
    name: "find",
    description: "Finds a note.",
    input: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
    run: ({ id }) => notes.get(id) ?? "There is none.",
  }),
];

const server = createServer({
  name: "notes",
  version: "1.0.0",
  tools: tools.filter(({ name }) => name !== WITHOUT),
});
if (RECORD !== undefined) await recordTo(server, { file: RECORD });
await serveStdio(server);
