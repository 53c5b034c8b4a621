// A process of its own that keeps a result on disk: node <this, bundled> <folder>. It says what came of it, and stays.
import { createServer, type LogEntry, tool } from "@toolwright/engine";
import { connect } from "@toolwright/engine/testing";
import { cutOf } from "./server.js";

async function run(directory: string): Promise<void> {
  const entries: LogEntry[] = [];
  const server = createServer({
    name: "test",
    version: "1.0.0",
    log: (entry) => void entries.push(entry),
    results: { budgetBytes: 100, memoryBytes: 500, directory },
    tools: [tool({ name: "it", description: "It.", run: () => "x".repeat(1000) })],
  });
  const client = await connect(server);
  const { handle } = cutOf(await client.callTool("it"));
  console.log(JSON.stringify({ isKept: handle !== undefined, logged: entries.map(({ message }) => message) }));
  setInterval(() => undefined, 1000);
}

await run(process.argv[2] ?? "");
