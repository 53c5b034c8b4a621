import {
  createLog,
  createServer,
  type LogEntry,
  type LogLevel,
  prompt,
  type ServerOptions,
  ToolError,
  tool,
} from "@toolwright/engine";
import { connect } from "@toolwright/engine/testing";
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
  const client = await connect(server, { principal: "ada" });
  await client.callTool("echo", {});
  await client.callTool("fails", {});
  await client.getPrompt("greet");
  await client.listTools();
  client.close();
}

/** What a log of this level writes of the conversation, with the durations taken out. */
async function linesOf(level: LogLevel): Promise<string[]> {
  const lines: string[] = [];
  await converse({ log: createLog({ level, write: (line) => void lines.push(line) }) });
  return lines.map((line) => line.replace(/\[[\d.]+ ms\]/, "[n ms]"));
}

test("each call is a line of the log, where that wants to know so much", async () => {
  expect(await linesOf("info")).toEqual([
    "[INFO] [req_id=1] [tool=echo] [principal=ada] [n ms] tools/call echo ok",
    "[INFO] [req_id=2] [tool=fails] [principal=ada] [n ms] tools/call fails failed (NO)",
    "[INFO] [req_id=3] [principal=ada] [n ms] prompts/get greet ok",
  ]);
  expect(await linesOf("notice")).toEqual([]);
});

test("a log that says nothing of levels hears of no single call", async () => {
  const entries: LogEntry[] = [];
  await converse({ log: (entry) => void entries.push(entry) });
  expect(entries).toEqual([]);
});
