// A server of its own over the same folder and journal: calls the tools that it is told of, a line each, and prints what they gave.
import { createInterface } from "node:readline";
import { createServer, type JsonObject } from "@toolwright/engine";
import { connectTestClient } from "@toolwright/engine/testing";
import { createTestPack } from "../test-pack.js";

const [root = "", state = "", principal] = process.argv.slice(2);
const server = createServer({ name: "other", version: "1.0.0", packs: [createTestPack({ root, state })] });
const client = await connectTestClient(server, principal === undefined ? {} : { principal });
for await (const line of createInterface({ input: process.stdin })) {
  const [name, args] = JSON.parse(line) as [string, JsonObject];
  const { structuredContent, content } = await client.callTool(name, args);
  process.stdout.write(`${JSON.stringify(structuredContent ?? content)}\n`);
}
