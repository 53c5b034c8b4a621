import { describe, expect, test } from "vitest";
import { createServer, revisions, type Tool, tool } from "./index.js";
import { connect, expectAsksFirst, RequestRefused } from "./testing.js";

const serve = (...tools: Tool[]) => createServer({ name: "test", version: "1.0.0", log: () => undefined, tools });
const form = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] } as const;
const erase = (run: Tool["run"]) => serve(tool({ name: "erase", description: "Deletes.", run }));
const answers = { first: { ok: true }, second: { ok: true } };

describe("connect", () => {
  test("refuses an option that it does not know", async () => {
    const options = { answer: answers };
    await expect(connect(serve(), options as never)).rejects.toThrow(
      new TypeError("Cannot connect: answer is unknown; did you mean answers?"),
    );
  });

  test("tells the tool, not the server, when the test has no answer to a question", async () => {
    const client = await connect(
      erase(async (_input, call) => ((await call.ask("first", "Delete?", form))?.ok ? "Deleted." : "Left alone.")),
      { revision: "2025-11-25" },
    );
    expect(await client.callTool("erase")).toMatchObject({
      content: [{ text: 'The client could not ask: The test has no answer to the question "first"' }],
      isError: true,
    });
  });
});

describe("expectAsksFirst", () => {
  const deleted: string[] = [];
  const effects = () => deleted;
  const check = (run: Tool["run"], given: Parameters<typeof expectAsksFirst>[1]["answers"] = answers) => {
    deleted.length = 0;
    return expectAsksFirst(erase(run), { tool: "erase", answers: given, effects });
  };

  test("passes a tool that asks first and acts after, and gives its result", async () => {
    const result = await check(async (_input, call) => {
      const first = await call.ask("first", "Delete?", form);
      const second = await call.ask("second", "Really?", form);
      if (first?.ok && second?.ok) deleted.push("file");
      return "Deleted.";
    });
    expect(result["content"]).toEqual([{ type: "text", text: "Deleted." }]);
    expect(deleted).toEqual(["file"]);
  });

  test("passes a tool that is told no and does nothing", async () => {
    const result = await check(
      async (_input, call) => {
        const first = await call.ask("first", "Delete?", form);
        if (first?.ok) deleted.push("file");
        return first === undefined ? "Left alone." : "Deleted.";
      },
      { first: "decline" },
    );
    expect(result["content"]).toEqual([{ type: "text", text: "Left alone." }]);
  });

  test("fails a tool that acts before it asks", async () => {
    await expect(
      check(async (_input, call) => {
        deleted.push("file");
        await call.ask("first", "Delete?", form);
        return "Deleted.";
      }),
    ).rejects.toThrow('The tool "erase" acted before its question "first" was answered: [] became ["file"]');
  });

  test("fails a tool that acts between two questions", async () => {
    await expect(
      check(async (_input, call) => {
        await call.ask("first", "Delete?", form);
        deleted.push("file");
        await call.ask("second", "Really?", form);
        return "Deleted.";
      }),
    ).rejects.toThrow('The tool "erase" acted before its question "second" was answered');
  });

  test("fails a tool that swallows the open question and acts", async () => {
    await expect(
      check(async (_input, call) => {
        await call.ask("first", "Delete?", form).catch(() => undefined);
        deleted.push("file");
        return "Deleted.";
      }),
    ).rejects.toThrow('The tool "erase" acted before its question "first" was answered');
  });

  test("fails a tool that asks nothing, for nothing was checked", async () => {
    await expect(check(() => "Deleted.")).rejects.toThrow('The tool "erase" asked nothing');
  });

  test("says which answer the test does not have", async () => {
    await expect(check((_input, call) => call.ask("third", "What?", form))).rejects.toThrow(
      'The test has no answer to the question "third"',
    );
  });

  test("fails a tool that acts before the client's model has answered", async () => {
    const run: Tool["run"] = async (_input, call) => {
      deleted.push("file");
      return (await call.sample("first", { prompt: "Delete it?" })).text;
    };
    deleted.length = 0;
    const told = { tool: "erase", answers: {}, samples: { first: "yes" }, effects };
    await expect(expectAsksFirst(erase(run), told)).rejects.toThrow(
      'The tool "erase" acted before its question "first" was answered: [] became ["file"]',
    );
  });

  test("looks at what a model and a person are asked alike", async () => {
    const server = erase(async (_input, call) => {
      const [root] = await call.roots();
      const { text } = await call.sample("first", { prompt: "Delete it?" });
      deleted.push("file");
      const sure = await call.visit("second", "Confirm there.", "https://example.com/");
      return `${root?.uri} ${text} ${sure}`;
    });
    const told = { tool: "erase", samples: { first: "yes" }, roots: [{ uri: "file:///a" }], effects };
    const capabilities = { elicitation: { url: {} }, sampling: {}, roots: {} };
    deleted.length = 0;
    await expect(expectAsksFirst(server, { ...told, answers: { second: "accept" }, capabilities })).rejects.toThrow(
      'The tool "erase" acted before its question "second" was answered: [] became ["file"]',
    );
    expect(
      await expectAsksFirst(server, { ...told, answers: { second: "accept" }, capabilities, effects: () => 0 }),
    ).toMatchObject({
      content: [{ text: "file:///a yes true" }],
    });
  });

  test("passes the input on and takes answers from a function", async () => {
    const echo = tool({
      name: "echo",
      description: "Echoes.",
      input: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
      run: async ({ word }, call) => `${word} ${(await call.ask("first", word, form))?.ok}`,
    });
    const result = await expectAsksFirst(serve(echo), {
      tool: "echo",
      input: { word: "hello" },
      answers: (name, { message }) => ({ ok: name === "first" && message === "hello" }),
      effects: () => undefined,
    });
    expect(result["content"]).toEqual([{ type: "text", text: "hello true" }]);
  });
});

describe("connect", () => {
  const hello = tool({ name: "hello", description: "Greets.", run: () => "Hello." });

  test.each(revisions.map(({ version }) => version))("speaks %s", async (revision) => {
    const client = await connect(serve(hello), { revision });
    expect(client.revision).toBe(revision);
    expect((await client.callTool("hello"))["content"]).toEqual([{ type: "text", text: "Hello." }]);
  });

  test("speaks the newest revision by default, and no unknown one", async () => {
    expect((await connect(serve(hello))).revision).toBe(revisions[0]?.version);
    await expect(connect(serve(hello), { revision: "1999-01-01" })).rejects.toThrow(
      "Cannot connect: revision 1999-01-01 is unknown",
    );
  });

  test("throws what the server refused", async () => {
    const client = await connect(serve(hello));
    const refusal = await client.callTool("nobody").catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(RequestRefused);
    expect(refusal).toMatchObject({ code: -32602, message: "Unknown tool: nobody" });
  });

  test.each(revisions.map(({ version }) => version))("leaves no request of %s open at the end", async (revision) => {
    const never = tool({ name: "never", description: "Never ends.", run: () => new Promise<string>(() => undefined) });
    const servers = [serve(never), serve(never)] as const;
    const [closed, left] = await Promise.all(servers.map((server) => connect(server, { revision })));
    const open = closed?.callTool("never");
    closed?.close();
    await servers[1].close();
    for (const request of [open, closed?.listTools(), left?.listTools()])
      await expect(request).rejects.toThrow("the connection was closed");
  });

  test("keeps the whole conversation", async () => {
    const client = await connect(serve(hello));
    await client.listTools();
    expect(client.conversation.map(({ from }) => from)).toEqual(["client", "server"]);
  });
});
