import {
  createLogger,
  createServer,
  type LogEntry,
  prompt,
  type ServerOptions,
  ToolError,
  tool,
} from "@toolwright/engine";
import { connectTestClient } from "@toolwright/engine/testing";
import type { LogLevel } from "@toolwright/engine/types";
import { expect, test } from "vitest";

const input = { type: "object", properties: {} } as const;
const echo = tool({ name: "echo", description: "Echoes.", input, run: () => "hello" });
const fails = tool({
  name: "fails",
  description: "Fails.",
  input,
  run: () => {
    throw new ToolError("No.", { code: "NO" });
  },
});
const greet = prompt({ name: "greet", description: "Greets.", run: () => "Hello." });

async function converse(options: Partial<ServerOptions>): Promise<void> {
  const server = createServer({ name: "test", version: "1.0.0", tools: [echo, fails], prompts: [greet], ...options });
  const client = await connectTestClient(server, { principal: "ada" });
  await client.callTool("echo", {});
  await client.callTool("fails", {});
  await client.getPrompt("greet");
  await client.listTools();
  client.close();
}

/** What a log of this level writes of the conversation, with the durations taken out. */
async function linesOf(level: LogLevel): Promise<string[]> {
  const lines: string[] = [];
  await converse({ log: createLogger({ level, write: (line) => void lines.push(line) }) });
  return lines.map((line) => line.replace(/\[[\d.]+ ms\]/, "[n ms]"));
}

test("each call is logged if the level is enabled", async () => {
  expect(await linesOf("info")).toEqual([
    "[INFO] [req_id=1] [tool=echo] [principal=ada] [n ms] tools/call echo ok",
    "[INFO] [req_id=2] [tool=fails] [principal=ada] [n ms] tools/call fails failed (NO)",
    "[INFO] [req_id=3] [principal=ada] [n ms] prompts/get greet ok",
  ]);
  expect(await linesOf("notice")).toEqual([]);
});

test("single calls are not logged to a logger without levels", async () => {
  const entries: LogEntry[] = [];
  await converse({ log: (entry) => void entries.push(entry) });
  expect(entries).toEqual([]);
});
