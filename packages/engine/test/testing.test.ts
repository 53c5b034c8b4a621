import { describe, expect, test } from "vitest";
import { createServer, revisions, type Tool, tool } from "../src/index.js";
import { connectTestClient, expectAsksBeforeActing, ResponseError } from "../src/testing.js";

const serve = (...tools: Tool[]) => createServer({ name: "test", version: "1.0.0", log: () => undefined, tools });
const form = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] } as const;
const erase = (run: Tool["run"]) => serve(tool({ name: "erase", description: "Deletes.", run }));
const responses = { first: { ok: true }, second: { ok: true } };

describe("connectTestClient", () => {
  test("rejects an unknown option", async () => {
    const options = { response: responses };
    await expect(connectTestClient(serve(), options as never)).rejects.toThrow(
      new TypeError("Cannot connect: unknown option response; did you mean responses?"),
    );
  });

  test("reports a missing response to the tool", async () => {
    const client = await connectTestClient(
      erase(async (_input, call) => ((await call.elicit("first", "Delete?", form))?.ok ? "Deleted." : "Left alone.")),
      { revision: "2025-11-25" },
    );
    expect(await client.callTool("erase")).toMatchObject({
      content: [
        { text: 'The client rejected elicitation/create: The test has no response for the input request "first"' },
      ],
      isError: true,
    });
  });
});

describe("expectAsksBeforeActing", () => {
  const deleted: string[] = [];
  const snapshot = () => deleted;
  const check = (
    run: Tool["run"],
    testResponses: Parameters<typeof expectAsksBeforeActing>[1]["responses"] = responses,
  ) => {
    deleted.length = 0;
    return expectAsksBeforeActing(erase(run), { tool: "erase", responses: testResponses, snapshot });
  };

  test("returns the result of a tool that acts after its last input request", async () => {
    const result = await check(async (_input, call) => {
      const first = await call.elicit("first", "Delete?", form);
      const second = await call.elicit("second", "Really?", form);
      if (first?.ok && second?.ok) deleted.push("file");
      return "Deleted.";
    });
    expect(result["content"]).toEqual([{ type: "text", text: "Deleted." }]);
    expect(deleted).toEqual(["file"]);
  });

  test("accepts a tool that does nothing after a declined request", async () => {
    const result = await check(
      async (_input, call) => {
        const first = await call.elicit("first", "Delete?", form);
        if (first?.ok) deleted.push("file");
        return first === undefined ? "Left alone." : "Deleted.";
      },
      { first: "decline" },
    );
    expect(result["content"]).toEqual([{ type: "text", text: "Left alone." }]);
  });

  test("rejects a tool that acts before its input request", async () => {
    await expect(
      check(async (_input, call) => {
        deleted.push("file");
        await call.elicit("first", "Delete?", form);
        return "Deleted.";
      }),
    ).rejects.toThrow('The tool "erase" acted before its input request "first" was answered: [] became ["file"]');
  });

  test("rejects a tool that acts between two input requests", async () => {
    await expect(
      check(async (_input, call) => {
        await call.elicit("first", "Delete?", form);
        deleted.push("file");
        await call.elicit("second", "Really?", form);
        return "Deleted.";
      }),
    ).rejects.toThrow('The tool "erase" acted before its input request "second" was answered');
  });

  test("rejects a tool that catches a pending input request and acts", async () => {
    await expect(
      check(async (_input, call) => {
        await call.elicit("first", "Delete?", form).catch(() => undefined);
        deleted.push("file");
        return "Deleted.";
      }),
    ).rejects.toThrow('The tool "erase" acted before its input request "first" was answered');
  });

  test("rejects a tool that requests no input", async () => {
    await expect(check(() => "Deleted.")).rejects.toThrow('The tool "erase" requested no input');
  });

  test("names a missing response", async () => {
    await expect(check((_input, call) => call.elicit("third", "What?", form))).rejects.toThrow(
      'The test has no response for the input request "third"',
    );
  });

  test("rejects a tool that acts before a sampling response", async () => {
    const run: Tool["run"] = async (_input, call) => {
      deleted.push("file");
      return (await call.sample("first", { prompt: "Delete it?" })).text;
    };
    deleted.length = 0;
    const options = { tool: "erase", responses: {}, samples: { first: "yes" }, snapshot };
    await expect(expectAsksBeforeActing(erase(run), options)).rejects.toThrow(
      'The tool "erase" acted before its input request "first" was answered: [] became ["file"]',
    );
  });

  test("checks sampling and URL elicitation", async () => {
    const server = erase(async (_input, call) => {
      const [root] = await call.roots();
      const { text } = await call.sample("first", { prompt: "Delete it?" });
      deleted.push("file");
      const sure = await call.elicitUrl("second", "Confirm there.", "https://example.com/");
      return `${root?.uri} ${text} ${sure}`;
    });
    const options = {
      tool: "erase",
      responses: { second: "accept" },
      samples: { first: "yes" },
      roots: [{ uri: "file:///a" }],
      snapshot,
    } as const;
    const capabilities = { elicitation: { url: {} }, sampling: {}, roots: {} };
    deleted.length = 0;
    await expect(expectAsksBeforeActing(server, { ...options, capabilities })).rejects.toThrow(
      'The tool "erase" acted before its input request "second" was answered: [] became ["file"]',
    );
    expect(
      await expectAsksBeforeActing(server, {
        ...options,
        capabilities,
        snapshot: () => 0,
      }),
    ).toMatchObject({
      content: [{ text: "file:///a yes true" }],
    });
  });

  test("passes the input, and takes responses from a function", async () => {
    const echo = tool({
      name: "echo",
      description: "Echoes.",
      input: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
      run: async ({ word }, call) => `${word} ${(await call.elicit("first", word, form))?.ok}`,
    });
    const result = await expectAsksBeforeActing(serve(echo), {
      tool: "echo",
      input: { word: "hello" },
      responses: (name, { message }) => ({ ok: name === "first" && message === "hello" }),
      snapshot: () => undefined,
    });
    expect(result["content"]).toEqual([{ type: "text", text: "hello true" }]);
  });
});

describe("connectTestClient", () => {
  const hello = tool({ name: "hello", description: "Greets.", run: () => "Hello." });

  test.each(revisions.map(({ version }) => version))("supports %s", async (revision) => {
    const client = await connectTestClient(serve(hello), { revision });
    expect(client.revision).toBe(revision);
    expect((await client.callTool("hello"))["content"]).toEqual([{ type: "text", text: "Hello." }]);
  });

  test("uses the newest revision by default, and rejects an unknown one", async () => {
    expect((await connectTestClient(serve(hello))).revision).toBe(revisions[0]?.version);
    await expect(connectTestClient(serve(hello), { revision: "1999-01-01" })).rejects.toThrow(
      "Cannot connect: revision 1999-01-01 is unknown",
    );
  });

  test("rejects with the error of the server", async () => {
    const client = await connectTestClient(serve(hello));
    const error = await client.callTool("missing").catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ResponseError);
    expect(error).toMatchObject({ code: -32602, message: "Unknown tool: missing" });
  });

  test.each(revisions.map(({ version }) => version))("rejects pending requests on close in %s", async (revision) => {
    const never = tool({ name: "never", description: "Never ends.", run: () => new Promise<string>(() => undefined) });
    const servers = [serve(never), serve(never)] as const;
    const [closed, left] = await Promise.all(servers.map((server) => connectTestClient(server, { revision })));
    const pending = closed?.callTool("never");
    closed?.close();
    await expect(pending).rejects.toThrow("the connection was closed");
    await servers[1].close();
    for (const request of [closed?.listTools(), left?.listTools()])
      await expect(request).rejects.toThrow("the connection was closed");
  });

  test("keeps all messages", async () => {
    const client = await connectTestClient(serve(hello));
    await client.listTools();
    expect(client.conversation.map(({ from }) => from)).toEqual(["client", "server"]);
  });
});
