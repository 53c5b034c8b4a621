import { createServer, prompt, RpcError, resource, type ServerOptions, ToolError, tool } from "@toolwright/engine";
import { MemoryTaskStore } from "@toolwright/engine/tasks";
import { connectTestClient, type TestClient } from "@toolwright/engine/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { everyRevision, onRevisions } from "../support/every-revision.js";

beforeEach(() => vi.stubEnv("SHOP_API_KEY", "k-12345678"));
afterEach(() => vi.unstubAllEnvs());

/** A message with a secret of the environment, by its name and by itself. */
const LEAKS = "cannot log in with SHOP_API_KEY=k-12345678 or k-12345678";
const CLEAN = "cannot log in with SHOP_API_KEY=[redacted] or [redacted]";
const DETAILS = { file: "orders.db", token: "t-1", deep: [{ key: "k-12345678" }], free: 0 };
const CLEAN_DETAILS = { file: "orders.db", token: "[redacted]", deep: [{ key: "[redacted]" }], free: 0 };

const failures: readonly [name: string, make: () => Error][] = [
  ["for the model", () => new ToolError(LEAKS, { code: "NO_FILE", details: DETAILS })],
  ["of the protocol", () => new RpcError(-32603, LEAKS, DETAILS)],
];

function shop(make: () => Error, options: Partial<ServerOptions> = {}) {
  const fail = (): never => {
    throw make();
  };
  const failLater = async (): Promise<never> => fail();
  return createServer({
    name: "shop",
    version: "1.0.0",
    tools: [
      tool({ name: "now", description: "Fails.", run: fail }),
      tool({ name: "later", description: "Fails after a moment.", run: failLater }),
      tool({
        name: "checked",
        description: "Has an output schema.",
        output: z.object({ n: z.number() }),
        run: failLater,
      }),
    ],
    prompts: [
      prompt({
        name: "order",
        description: "Fails.",
        input: { type: "object", properties: { which: { type: "string" } } },
        complete: { which: failLater },
        run: failLater,
      }),
    ],
    resources: [resource({ uri: "shop://orders", name: "orders", read: fail })],
    log: () => undefined,
    ...options,
  });
}

const wordsOf = (client: TestClient) =>
  JSON.stringify(client.conversation.flatMap(({ from, message }) => (from === "server" ? [message] : [])));

const secrets = /k-12345678|t-1/;

describe.each(failures)("the secrets in an error %s", (_how, make) => {
  everyRevision("are redacted in the response of a tool [TOOL-21]", async (open) => {
    const client = await open(shop(make));
    const params = (name: string) => ({ name, arguments: {} });
    const answers = await Promise.all(
      ["now", "later", "checked"].map((name) => client.startRequest("tools/call", params(name)).response),
    );
    for (const { result, error } of answers) {
      const [block] = ((result as { content?: { text: string }[] })?.content ?? []) as { text: string }[];
      expect((error as { message?: string } | undefined)?.message ?? block?.text).toBe(CLEAN);
    }
    expect(wordsOf(client)).not.toMatch(secrets);
  });

  everyRevision("are redacted in the response of a prompt, a completion and a resource", async (open) => {
    const client = await open(shop(make));
    const ref = { type: "ref/prompt", name: "order" };
    const answers = await Promise.all([
      client.startRequest("prompts/get", { name: "order" }).response,
      client.startRequest("completion/complete", { ref, argument: { name: "which", value: "" } }).response,
      client.startRequest("resources/read", { uri: "shop://orders" }).response,
    ]);
    for (const { error } of answers) expect(error).toMatchObject({ message: CLEAN, data: CLEAN_DETAILS });
    expect(wordsOf(client)).not.toMatch(secrets);
  });
});

describe("the secrets in error details", () => {
  const [[, make]] = failures as [[string, () => Error]];

  onRevisions(["2025-06-18", "2025-11-25", "2026-07-28"], "are redacted like those in the message", async (open) => {
    const client = await open(shop(make));
    expect((await client.callTool("now"))["structuredContent"]).toEqual({ code: "NO_FILE", ...CLEAN_DETAILS });
    expect((await client.callTool("checked"))["_meta"]).toMatchObject({
      "toolwright/failure": { code: "NO_FILE", ...CLEAN_DETAILS },
    });
  });
});

everyRevision("the message of a ToolError is sent unchanged", async (open) => {
  const message = "ENOENT: no such file, open '/home/ada/my notes.txt' (select * from files)";
  const client = await open(shop(() => new ToolError(message)));
  expect(await client.callTool("now")).toMatchObject({ isError: true, content: [{ text: message }] });
});

everyRevision("an unexpected error is sent as a reference, without its message", async (open) => {
  const client = await open(shop(() => new Error("/home/ada/shop/orders.db is locked")));
  const { content } = await client.callTool("now");
  const [block] = content as { text: string }[];
  expect(block?.text).toMatch(/^The tool failed unexpectedly\. Reference: [0-9a-f]{8}$/);
});

everyRevision("the secrets in validation issues are redacted", async (open) => {
  const picking = tool({
    name: "pick",
    description: "Picks a file.",
    input: z.object({ file: z.string().refine((file) => file === "a", "not one of those of k-12345678") }),
    run: () => "picked",
  });
  const client = await open(createServer({ name: "files", version: "1.0.0", tools: [picking] }));
  const { content } = await client.callTool("pick", { file: "b" });
  const [block] = content as { text: string }[];
  expect(block?.text).toContain("not one of those of [redacted]");
});

describe("a failed task", () => {
  test.each(failures)("stores no secrets of an error %s", async (_how, make) => {
    const failing = tool({
      name: "dig",
      description: "Fails.",
      taskSupport: "optional",
      run: async () => {
        throw make();
      },
    });
    const store = new MemoryTaskStore();
    const server = createServer({
      name: "shop",
      version: "1.0.0",
      tools: [failing],
      tasks: { store },
      log: () => undefined,
    });
    const client = await connectTestClient(server, { revision: "2025-11-25" });
    const { task } = (await client.request("tools/call", { name: "dig", task: {} })) as { task: { taskId: string } };
    await vi.waitFor(() => {
      const record = store.get(task.taskId);
      expect(record?.status).toMatch(/completed|failed/);
      expect(JSON.stringify(record)).not.toMatch(secrets);
      expect(record?.result?.content ?? record?.error?.message).toBe(CLEAN);
    });
    client.close();
    await server.close();
  });
});
