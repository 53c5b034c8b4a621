import { type LogEntry, type Middleware, type MiddlewareRequest, RpcError, ToolError, tool } from "@toolwright/engine";
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
  description: "Waits until it is aborted.",
  run: (_input, { signal }) =>
    new Promise<string>((resolve) => {
      signal.addEventListener("abort", () => resolve("stopped"));
    }),
});

/** What the middleware of the servers below has recorded. */
const sharedEvents: string[] = [];

/** A middleware that records requests and their outcomes. */
function recording(events: string[], name = ""): Middleware {
  return async (request, next) => {
    const what = `${name}${request.method}${request.name === undefined ? "" : ` ${request.name}`}`;
    events.push(`→ ${what}`);
    try {
      const outcome = await next();
      const isError = outcome.kind === "tool" && outcome.result.isError;
      events.push(`← ${what} ${isError ? "failed" : outcome.kind}`);
      return outcome;
    } catch (error) {
      events.push(`× ${what} ${error instanceof RpcError ? error.code : (error as Error).name}`);
      throw error;
    }
  };
}

everyTransport(
  "middleware runs around every request",
  () => serverWith([echo], { middleware: [recording(sharedEvents)] }),
  async (join) => {
    sharedEvents.length = 0;
    const client = await join();
    expect((await client.listTools()).map(({ name }) => name)).toEqual(["echo"]);
    expect(await client.callTool("echo", { text: "hi" })).toMatchObject({ content: [{ type: "text", text: "hi" }] });
    expect(sharedEvents.slice(-4)).toEqual([
      "→ tools/list",
      "← tools/list text",
      "→ tools/call echo",
      "← tools/call echo tool",
    ]);
  },
);
onRevisions(HANDSHAKE, "middleware runs for the handshake and pings too", async (open) => {
  const events: string[] = [];
  const client = await open(serverWith([echo], { middleware: [recording(events)] }));
  await client.request("ping");
  expect(events).toEqual(["→ initialize", "← initialize plain", "→ ping", "← ping text"]);
});

everyRevision("the first middleware is the outermost", async (open) => {
  const events: string[] = [];
  const client = await open(serverWith([echo], { middleware: [recording(events, "a "), recording(events, "b ")] }));
  events.length = 0;
  await client.callTool("echo", { text: "hi" });
  expect(events).toEqual([
    "→ a tools/call echo",
    "→ b tools/call echo",
    "← b tools/call echo tool",
    "← a tools/call echo tool",
  ]);
});

everyRevision("middleware sees tool errors, invalid arguments and protocol errors", async (open) => {
  const events: string[] = [];
  const client = await open(serverWith([echo, failing], { middleware: [recording(events)] }));
  events.length = 0;
  expect(await client.callTool("failing")).toMatchObject({ isError: true, content: [{ text: "It broke." }] });
  expect(await client.callTool("echo", {})).toMatchObject({ isError: true });
  await expect(client.callTool("nothing")).rejects.toMatchObject({ code: -32602 });
  expect(events.filter((note) => !note.startsWith("→"))).toEqual([
    "← tools/call failing failed",
    "← tools/call echo failed",
    "× tools/call nothing -32602",
  ]);
});

everyRevision("middleware may return a result in place of the tool, or change its result", async (open) => {
  const shout: Middleware = async ({ method, params }, next) => {
    if (method !== "tools/call") return next();
    const { text } = params["arguments"] as { text: string };
    const asText = (content: string) =>
      ({ kind: "tool", result: { content, structured: undefined, isError: false, meta: undefined } }) as const;
    if (text === "kept") return asText("from the middleware");
    const outcome = await next();
    return outcome.kind === "tool" ? asText(`${outcome.result.content as string}!`) : outcome;
  };
  const client = await open(serverWith([echo], { middleware: [shout] }));
  expect(await client.callTool("echo", { text: "kept" })).toMatchObject({ content: [{ text: "from the middleware" }] });
  expect(await client.callTool("echo", { text: "hi" })).toMatchObject({ content: [{ text: "hi!" }] });
});

everyRevision("an error that middleware throws is the response", async (open) => {
  const guard: Middleware = ({ name }, next) => {
    if (name === "echo") throw new ToolError("Not on Sundays.", { code: "CLOSED", details: { until: "Monday" } });
    if (name === "failing") throw new TypeError("the middleware is broken");
    return next();
  };
  const entries: { message: string }[] = [];
  const server = serverWith([echo, failing, patient], {
    middleware: [guard],
    log: (entry) => void entries.push(entry),
  });
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

everyRevision("an error that middleware throws after the tool has returned is the response", async (open) => {
  const check: Middleware = async ({ method }, next) => {
    const outcome = await next();
    if (method === "tools/call") throw new ToolError("The result is not fit to print.");
    return outcome;
  };
  const client = await open(serverWith([echo], { middleware: [check] }));
  expect(await client.callTool("echo", { text: "hi" })).toMatchObject({
    isError: true,
    content: [{ text: "The result is not fit to print." }],
  });
});

everyTransport(
  "a cancelled request rejects in the middleware, and gets no response",
  () => serverWith([echo, patient], { middleware: [recording(sharedEvents)] }),
  async (join) => {
    const client = await join();
    sharedEvents.length = 0;
    const abort = new AbortController();
    const call = client.callTool("patient", {}, { signal: abort.signal });
    await expect.poll(() => sharedEvents).toEqual(["→ tools/call patient"]);
    abort.abort();
    await expect(call).rejects.toThrow();
    await expect.poll(() => sharedEvents).toEqual(["→ tools/call patient", "× tools/call patient AbortError"]);
    expect(await client.callTool("echo", { text: "still" })).toMatchObject({ content: [{ text: "still" }] });
  },
);

/** Answers calls before their tool has ended. */
const hasty: Middleware = async ({ method }, next) => {
  const outcome = next();
  return method === "tools/call"
    ? { kind: "tool", result: { content: "at once", structured: undefined, isError: false, meta: undefined } }
    : outcome;
};

everyRevision("a middleware that returns before the tool has ended aborts the tool", async (open) => {
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
  const client = await open(serverWith([watched], { middleware: [hasty] }));
  expect(await client.callTool("patient")).toMatchObject({ content: [{ text: "at once" }] });
  expect(stopped).toEqual(["middleware answered the request"]);
});

everyRevision("a tool that a middleware aborts is not logged as an error", async (open) => {
  const entries: LogEntry[] = [];
  const heeding = tool({
    ...patient,
    run: (_input, { signal }) =>
      new Promise<string>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
  });
  const client = await open(serverWith([heeding], { middleware: [hasty] }, entries));
  expect(await client.callTool("patient")).toMatchObject({ content: [{ text: "at once" }] });
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(entries).toEqual([]);
});

everyRevision("next() can be called once", async (open) => {
  const entries: { error?: unknown }[] = [];
  const twice: Middleware = async ({ method }, next) => {
    const outcome = await next();
    return method === "tools/call" ? next() : outcome;
  };
  const client = await open(serverWith([echo], { middleware: [twice], log: (entry) => void entries.push(entry) }));
  const answer = await client.callTool("echo", { text: "hi" });
  expect(answer["isError"]).toBe(true);
  expect(String(entries.at(-1)?.error)).toBe("Error: next() was called twice: a request is served once");
});

everyRevision("middleware gets the members of the request", async (open, revision) => {
  let seen: MiddlewareRequest | undefined;
  const look: Middleware = (request, next) => {
    if (request.method === "tools/call") seen = request;
    return next();
  };
  const client = await open(serverWith([echo], { middleware: [look] }));
  await client.callTool("echo", { text: "hi" });
  expect(seen).toMatchObject({ method: "tools/call", name: "echo", principal: undefined, trace: undefined, revision });
  expect(seen?.params["arguments"]).toEqual({ text: "hi" });
  expect(seen?.caller.info).toEqual({ name: "toolwright-test", version: "1.0.0" });
  expect(seen?.signal.aborted).toBe(false);
});

describe("elicitation through middleware", () => {
  const asking = tool({
    name: "asking",
    description: "Asks first.",
    async run(_input, call) {
      const answer = await call.elicit("name", "Who is it?", {
        type: "object",
        properties: { name: { type: "string" } },
      });
      return `Hello ${String(answer?.["name"])}`;
    },
  });
  const answers = { name: { name: "Ada" } };

  onRevisions(["2025-11-25", "2025-06-18"], "happens during one call of the middleware", async (open) => {
    const events: string[] = [];
    const client = await open(serverWith([asking], { middleware: [recording(events)] }), { responses: answers });
    events.length = 0;
    expect(await client.callTool("asking")).toMatchObject({ content: [{ text: "Hello Ada" }] });
    expect(events).toEqual(["→ tools/call asking", "← tools/call asking tool"]);
  });

  onRevisions([STATELESS], "calls the middleware once for each round", async (open) => {
    const events: string[] = [];
    const client = await open(serverWith([asking], { middleware: [recording(events)] }), { responses: answers });
    events.length = 0;
    expect(await client.callTool("asking")).toMatchObject({ content: [{ text: "Hello Ada" }] });
    expect(events).toEqual([
      "→ tools/call asking",
      "← tools/call asking input_required",
      "→ tools/call asking",
      "← tools/call asking tool",
    ]);
  });
});
