import type { JsonObject } from "@toolwright/engine";
import {
  type Change,
  type ClientOptions,
  connect,
  type LogMessage,
  type Progress,
  type TaskState,
} from "@toolwright/engine/client";
import { describe, expect, test } from "vitest";
import { createExampleServer } from "./example-server.js";
import { connected, until, WAYS, WAYS_AND_REVISIONS } from "./targets.js";

const acceptAll: ClientOptions = {
  onElicit: ({ name, message }) => ({
    action: "accept",
    content: { sure: /^(?:Delete it|More)\?$/.test(message) && name !== "" },
  }),
  onSample: ({ params }) => ({
    role: "assistant",
    content: { type: "text", text: `${JSON.stringify(params["maxTokens"])}: Bonjour` },
    model: "m",
  }),
  roots: () => [{ uri: "file:///work", name: "work" }],
};
const textOf = ({ content }: { content: readonly object[] }) => (content[0] as { text?: string }).text;

describe.each(WAYS_AND_REVISIONS)("over %s in %s, a client", (_way, revision, reach) => {
  const meet = async (options: ClientOptions = {}) => {
    const example = createExampleServer();
    const client = await connected(await reach(example.server), { revision, ...options });
    return { ...example, client };
  };
  const isStateless = revision === "2026-07-28";
  const canAskForms = revision >= "2025-06-18";

  test("knows the server's identity and capabilities", async () => {
    const { client } = await meet();
    expect(client.server).toEqual({
      revision,
      handshake: !isStateless,
      info: { name: "example", version: "1.0.0" },
      capabilities: expect.objectContaining({ tools: { listChanged: true } }) as JsonObject,
      instructions: "Use it well.",
    });
    await client.ping();
  });

  test("lists all pages, calls, reads, gets and completes", async () => {
    const { client } = await meet();
    const names = (await client.listTools()).map(({ name }) => name);
    expect(names).toEqual(["echo", "delete", "translate", "folders", "count", "wait", "bake", "store"]);
    expect(textOf(await client.callTool("echo", { text: "grüß Gott" }))).toBe("grüß Gott");
    expect((await client.listResources()).map(({ uri }) => uri)).toEqual(["note://today"]);
    expect((await client.listResourceTemplates()).map(({ uriTemplate }) => uriTemplate)).toEqual(["note://{day}"]);
    expect((await client.readResource("note://monday")).contents).toMatchObject([
      { uri: "note://monday", text: "The notes of monday." },
    ]);
    expect((await client.listPrompts()).map(({ name }) => name)).toEqual(["brief"]);
    expect((await client.getPrompt("brief", { topic: "tea" })).messages).toEqual([
      { role: "user", content: { type: "text", text: "Tell me about tea." } },
    ]);
    const { values } = await client.complete({ type: "ref/prompt", name: "brief" }, { name: "topic", value: "tr" });
    expect(values).toEqual(["trains"]);
  });

  test("responds to input requests with its handlers", async () => {
    const { client } = await meet(acceptAll);
    if (canAskForms) expect(textOf(await client.callTool("delete"))).toBe("Deleted.");
    expect(textOf(await client.callTool("translate"))).toBe("1000: Bonjour");
    expect(textOf(await client.callTool("folders"))).toBe("file:///work");
  });

  test("gets no input requests without a handler", async () => {
    const { client } = await meet();
    for (const name of ["delete", "translate", "folders"]) {
      const outcome = await client.callTool(name).then(
        ({ isError }) => isError,
        ({ data }: { data: unknown }) => data,
      );
      const needed = { delete: { elicitation: {} }, translate: { sampling: {} }, folders: { roots: {} } }[name];
      expect(outcome, name).toEqual(isStateless ? { requiredCapabilities: needed } : true);
    }
  });

  test("receives the progress and log messages of its calls", async () => {
    const lines: LogMessage[] = [];
    const { client } = await meet({ onLog: (line) => lines.push(line) });
    await client.setLogLevel("info");
    const received: Progress[] = [];
    expect(textOf(await client.callTool("count", {}, { onProgress: (progress) => received.push(progress) }))).toBe(
      "counted",
    );
    await until(() => lines.length > 0);
    expect(lines.map(({ level, data }) => [level, data])).toEqual([["warning", "counting"]]);
    const parts = [1, 2, 3].map((part) => ({
      progress: part,
      total: 3,
      ...(revision > "2024-11-05" && { message: `part ${part}` }),
    }));
    expect(received).toEqual(parts);
  });

  test("cancels a call on abort and on timeout", async () => {
    const { client, cancelled } = await meet();
    const abort = new AbortController();
    const waiting = client.callTool(
      "wait",
      { text: "signal" },
      { signal: abort.signal, onProgress: () => abort.abort(new Error("no more")) },
    );
    await expect(waiting).rejects.toThrow("no more");
    await expect(client.callTool("wait", { text: "time" }, { timeoutMs: 500 })).rejects.toThrow(
      "The server did not respond to tools/call within 500 ms (timeoutMs); it was cancelled",
    );
    await until(() => cancelled.length === 2);
    expect(cancelled).toEqual(["signal", "time"]);
    await client.ping();
  });

  test("receives changes until the subscription is closed", async () => {
    const { client, changeNote, changeTools } = await meet();
    const changes: Change[] = [];
    const listening = await client.listen({ tools: true, uris: ["note://today"] }, (change) => changes.push(change));
    // The server stream is opened concurrently with the first requests.
    while (changes.length === 0) {
      changeNote();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(changes[0]).toEqual({ kind: "resource", uri: "note://today" });
    changeTools();
    await until(() => changes.some(({ kind: of }) => of === "tools"));
    await listening.close();
    expect(await listening.closed).toBeUndefined();
    const before = changes.length;
    changeTools();
    await client.ping();
    expect(changes.length).toBe(before);
  });

  test("rejects with the code and message of the server", async () => {
    const { client } = await meet();
    await expect(client.callTool("nothing")).rejects.toMatchObject({ name: "ResponseError", code: -32602 });
    await expect(client.request("no/method")).rejects.toMatchObject({ name: "ResponseError", code: -32601 });
    expect(textOf(await client.callTool("echo", { text: "still here" }))).toBe("still here");
  });

  const hasTasks = revision >= "2025-11-25";
  if (hasTasks)
    test("follows a call that becomes a task, and responds to its input requests", async () => {
      const { client } = await meet(acceptAll);
      await client.listTools();
      const states: TaskState["status"][] = [];
      const result = await client.callTool("bake", {}, { onTask: ({ status }) => states.push(status) });
      expect(textOf(result)).toBe("two cakes");
      expect(states[0]).toBe("working");
      // In a session the input request arrives on its own, and may be answered before the next poll.
      if (isStateless) expect(states).toContain("input_required");
    });

  // The tasks extension has no progress notifications.
  if (revision === "2025-11-25")
    test("receives the progress of a task until it ends [TSK-08]", async () => {
      const { client } = await meet(acceptAll);
      await client.listTools();
      const received: (string | undefined)[] = [];
      await client.callTool("bake", {}, { onProgress: ({ message }) => received.push(message) });
      expect(received).toContain("in the oven");
    });

  test("rejects pending requests when it is closed", async () => {
    const { client } = await meet();
    const open = client.callTool("wait", { text: "close" });
    const rejected = expect(open).rejects.toThrow("The client closed the connection; connect again to continue");
    await client.close();
    await rejected;
    await expect(client.ping()).rejects.toThrow("The client closed the connection");
  });
});

describe.each(WAYS)("over $name, a client without the option revision", ({ revisions, open }) => {
  test("uses the newest revision that both sides support", async () => {
    const client = await connected(await open(createExampleServer().server));
    expect(client.server.revision).toBe(revisions[0]);
  });
});

test.each([
  ["timeOutMs", "did you mean timeoutMs?"],
  ["sampling", "expected one of revision, info, capabilities,"],
])("an unknown option is rejected: %s", async (name, hint) => {
  const { server } = createExampleServer();
  await expect(connect({ server }, { [name]: 1 })).rejects.toThrow(`Cannot connect: unknown option ${name}; ${hint}`);
});
