import { createServer, tool } from "@toolwright/engine";
import { expect, test } from "vitest";
import { Wire } from "../features/wire.js";

const quick = tool({ name: "quick", description: "Ends.", run: () => "done" });
const endless = tool({
  name: "endless",
  description: "Ends when it is stopped.",
  run: (_, { signal }) =>
    new Promise<string>((resolve) => signal.addEventListener("abort", () => resolve("too late"), { once: true })),
});

test("limits.batchTimeoutMs stops the requests of a batch that have not finished, and the batch is answered", async () => {
  const server = createServer({
    name: "test",
    version: "1.0.0",
    tools: [quick, endless],
    limits: { batchTimeoutMs: 50 },
  });
  await server.start();
  const wire = new Wire(server, "2025-03-26");
  wire.initialize();
  const call = (id: number, name: string) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name } });
  const before = wire.texts.length;
  wire.sendText(JSON.stringify([call(1, "endless"), call(2, "quick"), call(3, "endless")]));
  await expect.poll(() => wire.texts.length, { timeout: 10_000 }).toBe(before + 1);
  const text =
    "The batch did not finish within 50 ms, so its unfinished requests were stopped. " +
    "Send fewer requests at once, or increase limits.batchTimeoutMs.";
  expect(JSON.parse(wire.texts.at(-1) ?? "")).toEqual([
    { jsonrpc: "2.0", id: 2, result: { content: [{ type: "text", text: "done" }], isError: false } },
    { jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text }], isError: true } },
    { jsonrpc: "2.0", id: 3, result: { content: [{ type: "text", text }], isError: true } },
  ]);
  await server.close();
});
