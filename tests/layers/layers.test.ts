import { type Layer, type LayerRequest, type LogEntry, RpcError, ToolError, tool } from "@toolwright/engine";
import { describe, expect } from "vitest";
import { serverWith } from "../features/server.js";
import { everyRevision, HANDSHAKE, onRevisions, STATELESS } from "../support/every-revision.js";
import { everyTransport } from "../support/every-transport.js";

const echo = tool({
  name: "echo",
  description: "Gives back what it got.",
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  run: ({ text }) => text,
});
const failing = tool({
  name: "failing",
  description: "Fails.",
  run: () => {
    throw new ToolError("It broke.", { code: "BROKEN" });
  },
});
const patient = tool({
  name: "patient",
  description: "Waits until it is told to stop.",
  run: (_input, { signal }) =>
    new Promise<string>((resolve) => {
      signal.addEventListener("abort", () => resolve("stopped"));
    }),
});

/** What the layers of the servers below have noted. */
const heard: string[] = [];

/** A layer that notes what passes, and how it came back. */
function noting(notes: string[], name = ""): Layer {
  return async (request, next) => {
    const what = `${name}${request.method}${request.name === undefined ? "" : ` ${request.name}`}`;
    notes.push(`→ ${what}`);
    try {
      const outcome = await next();
      const isError = outcome.kind === "tool" && outcome.result.isError;
      notes.push(`← ${what} ${isError ? "failed" : outcome.kind}`);
      return outcome;
    } catch (error) {
      notes.push(`× ${what} ${error instanceof RpcError ? error.code : (error as Error).name}`);
      throw error;
    }
  };
}

everyTransport(
  "a layer stands around every request, whatever it asks for",
  () => serverWith([echo], { layers: [noting(heard)] }),
  async (join) => {
    heard.length = 0;
    const client = await join();
    expect((await client.listTools()).map(({ name }) => name)).toEqual(["echo"]);
    expect(await client.callTool("echo", { text: "hi" })).toMatchObject({ content: [{ type: "text", text: "hi" }] });
    expect(heard.slice(-4)).toEqual([
      "→ tools/list",
      "← tools/list text",
      "→ tools/call echo",
      "← tools/call echo tool",
    ]);
  },
);
onRevisions(HANDSHAKE, "the handshake and pings pass the layers too", async (open) => {
  const notes: string[] = [];
  const client = await open(serverWith([echo], { layers: [noting(notes)] }));
  await client.request("ping");
  expect(notes).toEqual(["→ initialize", "← initialize plain", "→ ping", "← ping text"]);
});

everyRevision("the first layer is the outermost", async (open) => {
  const notes: string[] = [];
  const client = await open(serverWith([echo], { layers: [noting(notes, "a "), noting(notes, "b ")] }));
  notes.length = 0;
  await client.callTool("echo", { text: "hi" });
  expect(notes).toEqual([
    "→ a tools/call echo",
    "→ b tools/call echo",
    "← b tools/call echo tool",
    "← a tools/call echo tool",
  ]);
});

everyRevision("a layer sees failures of tools, wrong arguments and refusals of the protocol", async (open) => {
  const notes: string[] = [];
  const client = await open(serverWith([echo, failing], { layers: [noting(notes)] }));
  notes.length = 0;
  expect(await client.callTool("failing")).toMatchObject({ isError: true, content: [{ text: "It broke." }] });
  expect(await client.callTool("echo", {})).toMatchObject({ isError: true });
  await expect(client.callTool("nothing")).rejects.toMatchObject({ code: -32602 });
  expect(notes.filter((note) => !note.startsWith("→"))).toEqual([
    "← tools/call failing failed",
    "← tools/call echo failed",
    "× tools/call nothing -32602",
  ]);
});

everyRevision("a layer may answer in place of the tool, or change what it gave", async (open) => {
  const shout: Layer = async ({ method, params }, next) => {
    if (method !== "tools/call") return next();
    const { text } = params["arguments"] as { text: string };
    const asText = (content: string) =>
      ({ kind: "tool", result: { content, structured: undefined, isError: false, meta: undefined } }) as const;
    if (text === "kept") return asText("from the layer");
    const outcome = await next();
    return outcome.kind === "tool" ? asText(`${outcome.result.content as string}!`) : outcome;
  };
  const client = await open(serverWith([echo], { layers: [shout] }));
  expect(await client.callTool("echo", { text: "kept" })).toMatchObject({ content: [{ text: "from the layer" }] });
  expect(await client.callTool("echo", { text: "hi" })).toMatchObject({ content: [{ text: "hi!" }] });
});

everyRevision("what a layer throws is the answer", async (open) => {
  const guard: Layer = ({ name }, next) => {
    if (name === "echo") throw new ToolError("Not on Sundays.", { code: "CLOSED", details: { until: "Monday" } });
    if (name === "failing") throw new TypeError("the layer is broken");
    return next();
  };
  const entries: { message: string }[] = [];
  const server = serverWith([echo, failing, patient], { layers: [guard], log: (entry) => void entries.push(entry) });
  const client = await open(server);
  expect(await client.callTool("echo", { text: "hi" })).toMatchObject({
    isError: true,
    content: [{ text: "Not on Sundays." }],
  });
  await expect(client.callTool("failing")).rejects.toMatchObject({
    code: -32603,
    message: "Internal error: the details are in the server's log",
  });
  expect(entries.map(({ message }) => message)).toContain("tools/call failed");
});

everyRevision("what a layer throws after the tool has answered is the answer as well", async (open) => {
  const check: Layer = async ({ method }, next) => {
    const outcome = await next();
    if (method === "tools/call") throw new ToolError("The result is not fit to print.");
    return outcome;
  };
  const client = await open(serverWith([echo], { layers: [check] }));
  expect(await client.callTool("echo", { text: "hi" })).toMatchObject({
    isError: true,
    content: [{ text: "The result is not fit to print." }],
  });
});

everyTransport(
  "a request that is cancelled rejects in the layers, and is not answered",
  () => serverWith([echo, patient], { layers: [noting(heard)] }),
  async (join) => {
    const client = await join();
    heard.length = 0;
    const abort = new AbortController();
    const call = client.callTool("patient", {}, { signal: abort.signal });
    await expect.poll(() => heard).toEqual(["→ tools/call patient"]);
    abort.abort();
    await expect(call).rejects.toThrow();
    await expect.poll(() => heard).toEqual(["→ tools/call patient", "× tools/call patient AbortError"]);
    expect(await client.callTool("echo", { text: "still" })).toMatchObject({ content: [{ text: "still" }] });
  },
);

/** Answers calls before their tool has ended. */
const hasty: Layer = async ({ method }, next) => {
  const outcome = next();
  return method === "tools/call"
    ? { kind: "tool", result: { content: "at once", structured: undefined, isError: false, meta: undefined } }
    : outcome;
};

everyRevision("a layer that answers before the tool has ended stops the tool", async (open) => {
  const stopped: string[] = [];
  const watched = tool({
    ...patient,
    run: (_input, { signal }) =>
      new Promise<string>((resolve) => {
        signal.addEventListener("abort", () => {
          stopped.push((signal.reason as Error).message);
          resolve("stopped");
        });
      }),
  });
  const client = await open(serverWith([watched], { layers: [hasty] }));
  expect(await client.callTool("patient")).toMatchObject({ content: [{ text: "at once" }] });
  expect(stopped).toEqual(["a layer answered the request"]);
});

everyRevision("a tool that heeds being stopped by a layer is no fault in the log", async (open) => {
  const entries: LogEntry[] = [];
  const heeding = tool({
    ...patient,
    run: (_input, { signal }) =>
      new Promise<string>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
  });
  const client = await open(serverWith([heeding], { layers: [hasty] }, entries));
  expect(await client.callTool("patient")).toMatchObject({ content: [{ text: "at once" }] });
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(entries).toEqual([]);
});

everyRevision("next can be called once", async (open) => {
  const entries: { error?: unknown }[] = [];
  const twice: Layer = async ({ method }, next) => {
    const outcome = await next();
    return method === "tools/call" ? next() : outcome;
  };
  const client = await open(serverWith([echo], { layers: [twice], log: (entry) => void entries.push(entry) }));
  const answer = await client.callTool("echo", { text: "hi" });
  expect(answer["isError"]).toBe(true);
  expect(String(entries.at(-1)?.error)).toBe("Error: next() was called twice: a request is served once");
});

everyRevision("a layer knows the request, and neither more nor less than it", async (open, revision) => {
  let seen: LayerRequest | undefined;
  const look: Layer = (request, next) => {
    if (request.method === "tools/call") seen = request;
    return next();
  };
  const client = await open(serverWith([echo], { layers: [look] }));
  await client.callTool("echo", { text: "hi" });
  expect(seen).toMatchObject({ method: "tools/call", name: "echo", principal: undefined, trace: undefined, revision });
  expect(seen?.params["arguments"]).toEqual({ text: "hi" });
  expect(seen?.caller.info).toEqual({ name: "toolwright-test", version: "1.0.0" });
  expect(seen?.signal.aborted).toBe(false);
});

describe("questions pass the layers", () => {
  const asking = tool({
    name: "asking",
    description: "Asks first.",
    async run(_input, call) {
      const answer = await call.ask("name", "Who is it?", { type: "object", properties: { name: { type: "string" } } });
      return `Hello ${String(answer?.["name"])}`;
    },
  });
  const answers = { name: { name: "Ada" } };

  onRevisions(["2025-11-25", "2025-06-18"], "in the middle of one passage", async (open) => {
    const notes: string[] = [];
    const client = await open(serverWith([asking], { layers: [noting(notes)] }), { answers });
    notes.length = 0;
    expect(await client.callTool("asking")).toMatchObject({ content: [{ text: "Hello Ada" }] });
    expect(notes).toEqual(["→ tools/call asking", "← tools/call asking tool"]);
  });

  onRevisions([STATELESS], "or with a passage for each round", async (open) => {
    const notes: string[] = [];
    const client = await open(serverWith([asking], { layers: [noting(notes)] }), { answers });
    notes.length = 0;
    expect(await client.callTool("asking")).toMatchObject({ content: [{ text: "Hello Ada" }] });
    expect(notes).toEqual([
      "→ tools/call asking",
      "← tools/call asking input_required",
      "→ tools/call asking",
      "← tools/call asking tool",
    ]);
  });
});
