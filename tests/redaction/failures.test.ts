import {
  createServer,
  MemoryTaskStore,
  prompt,
  RpcError,
  resource,
  type ServerOptions,
  ToolError,
  tool,
} from "@toolwright/engine";
import { connect, type TestClient } from "@toolwright/engine/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { everyRevision, onRevisions } from "../support/every-revision.js";

beforeEach(() => vi.stubEnv("SHOP_API_KEY", "k-12345678"));
afterEach(() => vi.unstubAllEnvs());

/** All that must not leave, in one message. */
const LEAKS = [
  "no such file: /home/ada/shop/orders.db",
  "in select name from orders where id = 5;",
  "with SHOP_API_KEY=k-12345678 and k-12345678",
  "",
  "    at read (/home/ada/shop/read.js:3:5)",
  "    at async /home/ada/shop/main.js:1:2",
].join("\n");
const CLEAN = ["no such file: …/orders.db", "in [SQL]", "with SHOP_API_KEY=[redacted] and [redacted]"].join("\n");
const DETAILS = { file: "/home/ada/shop/orders.db", token: "t-1", deep: [{ key: "k-12345678" }], free: 0 };
const CLEAN_DETAILS = { file: "…/orders.db", token: "[redacted]", deep: [{ key: "[redacted]" }], free: 0 };

const failures: readonly [name: string, make: () => Error][] = [
  ["in words for the model", () => new ToolError(LEAKS, { code: "NO_FILE", details: DETAILS })],
  ["as an error of the protocol", () => new RpcError(-32603, LEAKS, DETAILS)],
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

const secrets = /home\/ada|orders where|k-12345678|read\.js|t-1/;

describe.each(failures)("a failure that its author tells %s", (_how, make) => {
  everyRevision("leaves without stack, path, SQL and environment, from a tool [TOOL-21]", async (open) => {
    const client = await open(shop(make));
    const params = (name: string) => ({ name, arguments: {} });
    const answers = await Promise.all(
      ["now", "later", "checked"].map((name) => client.start("tools/call", params(name)).answer),
    );
    for (const { result, error } of answers) {
      const [block] = ((result as { content?: { text: string }[] })?.content ?? []) as { text: string }[];
      expect((error as { message?: string } | undefined)?.message ?? block?.text).toBe(CLEAN);
    }
    expect(wordsOf(client)).not.toMatch(secrets);
  });

  everyRevision("leaves in the same way from a prompt, a completion and a resource", async (open) => {
    const client = await open(shop(make));
    const ref = { type: "ref/prompt", name: "order" };
    const answers = await Promise.all([
      client.start("prompts/get", { name: "order" }).answer,
      client.start("completion/complete", { ref, argument: { name: "which", value: "" } }).answer,
      client.start("resources/read", { uri: "shop://orders" }).answer,
    ]);
    for (const { error } of answers) expect(error).toMatchObject({ message: CLEAN, data: CLEAN_DETAILS });
    expect(wordsOf(client)).not.toMatch(secrets);
  });
});

describe("details for programs", () => {
  const [[, make]] = failures as [[string, () => Error]];

  onRevisions(["2025-06-18", "2025-11-25", "2026-07-28"], "are cleaned like the words", async (open) => {
    const client = await open(shop(make));
    expect((await client.callTool("now"))["structuredContent"]).toEqual({ code: "NO_FILE", ...CLEAN_DETAILS });
    expect((await client.callTool("checked"))["_meta"]).toMatchObject({
      "toolwright/failure": { code: "NO_FILE", ...CLEAN_DETAILS },
    });
  });

  everyRevision("and words leave as they are where the server is told so", async (open) => {
    const client = await open(shop(make, { sanitise: false }));
    const { content } = (await client.callTool("now")) as { content?: { text: string }[] };
    expect(content?.[0]?.text).toBe(LEAKS);
  });
});

describe("what the client itself has sent", () => {
  const reading = tool({
    name: "read",
    description: "Reads a file.",
    input: z.object({ path: z.string() }),
    run({ path }) {
      throw new ToolError(`ENOENT: no such file or directory, open '${path}' (root /home/ada/files)`);
    },
  });

  everyRevision("is no news to it", async (open) => {
    const client = await open(createServer({ name: "files", version: "1.0.0", tools: [reading] }));
    const result = await client.callTool("read", { path: "/home/ada/files/my notes.txt" });
    expect(result).toMatchObject({
      isError: true,
      content: [
        {
          text: "ENOENT: no such file or directory, open '/home/ada/files/my notes.txt' (root /home/ada/files)",
        },
      ],
    });
    expect(await client.callTool("read", { path: "notes.txt" })).toMatchObject({
      content: [{ text: "ENOENT: no such file or directory, open 'notes.txt' (root …/files)" }],
    });
  });
});

describe("faults of arguments", () => {
  const picking = tool({
    name: "pick",
    description: "Picks a file.",
    input: z.object({
      folder: z.enum(["/var/log/shop", "/var/log/web"]),
      file: z.string().refine((file) => file === "a", "not among those in /home/ada/shop"),
    }),
    run: () => "picked",
  });

  everyRevision("keep what the schema shows to everybody, and nothing else of the host", async (open) => {
    const client = await open(createServer({ name: "files", version: "1.0.0", tools: [picking] }));
    const { content } = await client.callTool("pick", { folder: "/var/log/sho", file: "b" });
    const [block] = content as { text: string }[];
    expect(block?.text).toContain("/var/log/web");
    expect(block?.text).not.toContain("/home/ada");
    expect(block?.text).toContain("not among those in …/shop");
  });
});

test("Failures that wait for their words are each answered once", async () => {
  const client = await connect(shop(() => new ToolError("see /home/ada/x")));
  const calls = Array.from({ length: 20 }, () => client.start("tools/call", { name: "now" }));
  const answers = await Promise.all(calls.map(({ answer }) => answer));
  for (const { result } of answers) expect(result).toMatchObject({ content: [{ text: "see …/x" }] });
  const ids = client.conversation.flatMap(({ from, message }) =>
    from === "server" && "id" in (message as object) ? [(message as { id: unknown }).id] : [],
  );
  expect(new Set(ids).size).toBe(ids.length);
  client.close();
});

describe("a task that failed", () => {
  test.each(failures)("keeps what may leave, and nothing else, of a failure %s", async (_how, make) => {
    const failing = tool({
      name: "dig",
      description: "Fails.",
      long: true,
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
    const client = await connect(server, { revision: "2025-11-25" });
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
