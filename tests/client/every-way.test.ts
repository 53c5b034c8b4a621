import type { JsonObject } from "@toolwright/engine";
import {
  type Change,
  type ClientOptions,
  connect,
  type LogLine,
  type Progress,
  type TaskState,
} from "@toolwright/engine/client";
import { describe, expect, test } from "vitest";
import { connected, until, WAYS, WAYS_AND_REVISIONS } from "./ways.js";
import { createWorkshop } from "./workshop.js";

const sayYes: ClientOptions = {
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
const said = ({ content }: { content: readonly object[] }) => (content[0] as { text?: string }).text;

describe.each(WAYS_AND_REVISIONS)("over %s in %s, a client", (_way, revision, reach) => {
  const meet = async (options: ClientOptions = {}) => {
    const workshop = createWorkshop();
    const client = await connected(await reach(workshop.server), { revision, ...options });
    return { ...workshop, client };
  };
  const isStateless = revision === "2026-07-28";
  const canAskForms = revision >= "2025-06-18";

  test("knows who the server is", async () => {
    const { client } = await meet();
    expect(client.server).toEqual({
      revision,
      handshake: !isStateless,
      info: { name: "workshop", version: "1.0.0" },
      capabilities: expect.objectContaining({ tools: { listChanged: true } }) as JsonObject,
      instructions: "Use it well.",
    });
    await client.ping();
  });

  test("lists over all pages, calls, reads, gets and completes", async () => {
    const { client } = await meet();
    const names = (await client.listTools()).map(({ name }) => name);
    expect(names).toEqual(["echo", "delete", "translate", "folders", "count", "wait", "bake", "store"]);
    expect(said(await client.callTool("echo", { text: "grüß Gott" }))).toBe("grüß Gott");
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

  test("answers questions of the server with its handlers", async () => {
    const { client } = await meet(sayYes);
    if (canAskForms) expect(said(await client.callTool("delete"))).toBe("Deleted.");
    expect(said(await client.callTool("translate"))).toBe("1000: Bonjour");
    expect(said(await client.callTool("folders"))).toBe("file:///work");
  });

  test("is not asked what it has no handler for", async () => {
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

  test("hears progress and log lines of its calls", async () => {
    const lines: LogLine[] = [];
    const { client } = await meet({ onLog: (line) => lines.push(line) });
    await client.setLogLevel("info");
    const heard: Progress[] = [];
    expect(said(await client.callTool("count", {}, { onProgress: (progress) => heard.push(progress) }))).toBe(
      "counted",
    );
    await until(() => lines.length > 0);
    expect(lines.map(({ level, data }) => [level, data])).toEqual([["warning", "counting"]]);
    const parts = [1, 2, 3].map((part) => ({
      progress: part,
      total: 3,
      ...(revision > "2024-11-05" && { message: `part ${part}` }),
    }));
    expect(heard).toEqual(parts);
  });

  test("cancels a call by its signal, and one that takes too long", async () => {
    const { client, cancelled } = await meet();
    const giveUp = new AbortController();
    const waiting = client.callTool(
      "wait",
      { text: "signal" },
      { signal: giveUp.signal, onProgress: () => giveUp.abort(new Error("no more")) },
    );
    await expect(waiting).rejects.toThrow("no more");
    await expect(client.callTool("wait", { text: "time" }, { timeoutMs: 500 })).rejects.toThrow(
      "The server did not answer tools/call within 500 ms; it was cancelled (timeoutMs)",
    );
    await until(() => cancelled.length === 2);
    expect(cancelled).toEqual(["signal", "time"]);
    await client.ping();
  });

  test("listens to changes until it has heard enough", async () => {
    const { client, changeNote, changeTools } = await meet();
    const changes: Change[] = [];
    const listening = await client.listen({ tools: true, uris: ["note://today"] }, (change) => changes.push(change));
    // The stream for what the server says by itself is opened beside the first requests.
    while (changes.length === 0) {
      changeNote();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(changes[0]).toEqual({ of: "resource", uri: "note://today" });
    changeTools();
    await until(() => changes.some(({ of }) => of === "tools"));
    await listening.close();
    expect(await listening.ended).toBeUndefined();
    const before = changes.length;
    changeTools();
    await client.ping();
    expect(changes.length).toBe(before);
  });

  test("is refused with the code and the words of the server", async () => {
    const { client } = await meet();
    await expect(client.callTool("nothing")).rejects.toMatchObject({ name: "RequestRefused", code: -32602 });
    await expect(client.request("no/method")).rejects.toMatchObject({ name: "RequestRefused", code: -32601 });
    expect(said(await client.callTool("echo", { text: "still here" }))).toBe("still here");
  });

  const hasTasks = revision >= "2025-11-25";
  if (hasTasks)
    test("follows a call that becomes a task, and answers what it asks", async () => {
      const { client } = await meet(sayYes);
      await client.listTools();
      const states: TaskState["status"][] = [];
      const result = await client.callTool("bake", {}, { onTask: ({ status }) => states.push(status) });
      expect(said(result)).toBe("two cakes");
      expect(states[0]).toBe("working");
      // In a session the question comes by itself, and may be answered before anybody looks.
      if (isStateless) expect(states).toContain("input_required");
    });

  // The extension of the stateless revision has no way to tell progress of a task.
  if (revision === "2025-11-25")
    test("hears the progress of a task until it ends [TSK-08]", async () => {
      const { client } = await meet(sayYes);
      await client.listTools();
      const heard: (string | undefined)[] = [];
      await client.callTool("bake", {}, { onProgress: ({ message }) => heard.push(message) });
      expect(heard).toContain("in the oven");
    });

  test("fails what is open when it is closed", async () => {
    const { client } = await meet();
    const open = client.callTool("wait", { text: "close" });
    const refused = expect(open).rejects.toThrow("The connection was closed from here; connect again to go on");
    await client.close();
    await refused;
    await expect(client.ping()).rejects.toThrow("The connection was closed from here");
  });
});

describe.each(WAYS)("over $name, a client that is told no revision", ({ revisions, open }) => {
  test("speaks the newest that both ends know", async () => {
    const client = await connected(await open(createWorkshop().server));
    expect(client.server.revision).toBe(revisions[0]);
  });
});

test.each([
  ["timeOutMs", "did you mean timeoutMs?"],
  ["sampling", "known are revision, info, capabilities,"],
])("an option that nobody knows is refused: %s", async (name, hint) => {
  const { server } = createWorkshop();
  await expect(connect({ server }, { [name]: 1 })).rejects.toThrow(`Cannot connect: ${name} is unknown; ${hint}`);
});
