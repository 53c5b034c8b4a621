import { createServer, tool } from "@toolwright/engine";
import { openMemoryConnection } from "@toolwright/engine/transport";
import { expect, test, vi } from "vitest";

const whoami = tool({
  name: "whoami",
  description: "Returns the caller.",
  run: (_input, { caller }) => caller.info ?? {},
});

interface Response {
  readonly result: { readonly structuredContent?: unknown };
  readonly error?: { readonly message: string };
}

/** Sends `initialize`. */
async function initialize(clientInfo: object, capabilities: object = {}) {
  const responses: string[] = [];
  const server = createServer({ name: "test", version: "1.0.0", tools: [whoami] });
  const connection = await openMemoryConnection(server, (text) => void responses.push(text));
  const send = async (id: number, method: string, params: object): Promise<Response> => {
    connection.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    await vi.waitFor(() => expect(responses).toHaveLength(id));
    return JSON.parse(responses.at(-1) ?? "") as Response;
  };
  const initialized = await send(1, "initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo });
  return {
    initialized,
    send,
    caller: async () => (await send(2, "tools/call", { name: "whoami" })).result.structuredContent,
  };
}

test("a session keeps at most 4 KB of what a client says about itself", async () => {
  const clientInfo = { name: "n".repeat(5000), version: "1", title: "t".repeat(9_000_000), icons: [{ src: "x" }] };
  const { initialized, caller } = await initialize(clientInfo);
  expect(initialized.error).toBeUndefined();
  expect(await caller()).toEqual({ name: "n".repeat(200), version: "1", title: "t".repeat(200) });
});

test("client information of a usual size is kept as it is", async () => {
  const clientInfo = { name: "editor", version: "1.2", icons: [{ src: "https://editor.example/icon.png" }] };
  const { caller } = await initialize(clientInfo);
  expect(await caller()).toEqual(clientInfo);
});

test("capabilities of more than 16 KB are rejected", async () => {
  const { initialized } = await initialize({ name: "n", version: "1" }, { experimental: { x: "x".repeat(17_000) } });
  expect(initialized.error?.message).toBe("Invalid params: capabilities must have at most 16384 characters of JSON");
});
