import { type LogEntry, type Middleware, type Outcome, resource, ToolError, tool } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { serverWith } from "../features/server.js";
import { openRaw, sessionRequest, statelessRequest } from "../protocol/support.js";
import { ALL, everyRevision, HANDSHAKE, onRevisions, STATELESS } from "../support/every-revision.js";

const hello = tool({ name: "hello", description: "Greets.", run: () => "hello" });
const counted = tool({
  name: "counted",
  description: "Counts.",
  output: { type: "object", properties: { count: { type: "number" } }, required: ["count"] },
  run: () => ({ count: 1 }),
});

const note = resource({ uri: "note://a", name: "a", read: () => "a" });

const INTERNAL = { code: -32603, message: "Internal error: the details are in the server's log" };

/** What a middleware in JavaScript can give, where no type stops it. */
const WRONG: readonly (readonly [what: string, gives: unknown])[] = [
  ["nothing", undefined],
  ["null", null],
  ["a text", "hello"],
  ["an object without a kind", {}],
  ["an unknown kind", { kind: "other", body: {} }],
  ["a tool's outcome without a result", { kind: "tool" }],
  ["a result without isError", { kind: "tool", result: { content: "x" } }],
  ["a text that is not JSON", { kind: "text", body: "hello" }],
  ["a plain outcome without a body", { kind: "plain" }],
  ["a plain outcome whose body is text", { kind: "plain", body: "hello" }],
  ["a plain outcome whose body is a list", { kind: "plain", body: ["hello"] }],
];

describe.each(WRONG)("a middleware that returns %s", (_what, gives) => {
  for (const isFirst of [true, false]) {
    everyRevision(
      `costs its request, ${isFirst ? "before" : "after"} the work, and is named in the log`,
      async (open) => {
        const entries: LogEntry[] = [];
        const careless: Middleware = async ({ method }, next) => {
          const outcome = isFirst && method === "tools/call" ? undefined : await next();
          return method === "tools/call" ? (gives as Outcome) : (outcome as Outcome);
        };
        const passing: Middleware = (_request, next) => next();
        const client = await open(serverWith([hello], { middleware: [passing, careless, passing] }, entries));
        await expect(client.callTool("hello")).rejects.toMatchObject(INTERNAL);
        expect(entries).toMatchObject([{ level: "error", message: "tools/call failed" }]);
        expect(String(entries[0]?.error)).toContain('Middleware "careless"');
        expect(await client.listTools()).toHaveLength(1);
      },
    );
  }
});

test("a middleware without a return value leaves no request without a response [RPC-06]", async () => {
  const forgetful = async (_request: unknown, next: () => Promise<Outcome>) => void (await next());
  const raw = await openRaw(serverWith([hello], { middleware: [forgetful as never] }));
  const answers = await raw.sendAndReceive(
    statelessRequest(1, "tools/call", { name: "hello" }),
    statelessRequest(2, "tools/list"),
    sessionRequest(3, "ping"),
  );
  expect(answers.map((answer) => JSON.parse(answer) as unknown)).toMatchObject([
    { id: 1, error: INTERNAL },
    { id: 2, error: INTERNAL },
    { id: 3, error: INTERNAL },
  ]);
});

// Older revisions have no structured content, and so leave it out whatever it is.
onRevisions(ALL.slice(0, 3), "an outcome that a middleware makes invalid is not sent", async (open) => {
  const spoiling: Middleware = async (_request, next) => {
    const outcome = await next();
    if (outcome.kind === "tool") Object.assign(outcome.result, { structured: { a: 1 } });
    if (outcome.kind === "text") Object.assign(outcome, { body: { tools: [] } });
    return outcome;
  };
  const client = await open(serverWith([hello], { middleware: [spoiling] }));
  await expect(client.callTool("hello")).rejects.toMatchObject(INTERNAL);
  await expect(client.listTools()).rejects.toMatchObject(INTERNAL);
});

everyRevision("a list that a middleware changes is changed for this request only", async (open) => {
  let isHidden = true;
  const hiding: Middleware = async (_request, next) => {
    const outcome = await next();
    if (outcome.kind !== "text" || !isHidden) return outcome;
    return Object.assign(outcome, { body: JSON.stringify({ ...JSON.parse(outcome.body), tools: [] }) });
  };
  const client = await open(serverWith([hello], { middleware: [hiding] }));
  expect(await client.listTools()).toHaveLength(0);
  isHidden = false;
  expect(await client.listTools()).toHaveLength(1);
});

everyRevision(
  "a result that a middleware creates has all members that the revision requires [CACHE-01 CACHE-04]",
  async (open, revision) => {
    const making: Middleware = ({ method }, next) =>
      method === "tools/list" || method === "resources/read"
        ? { kind: "plain", body: method === "tools/list" ? { tools: [] } : { contents: [] } }
        : next();
    const client = await open(serverWith([hello], { middleware: [making], resources: [note] }));
    for (const method of ["tools/list", "resources/read"]) {
      const made = await client.request(method, { uri: "note://a" });
      if (revision === STATELESS) expect(made).toMatchObject({ ttlMs: 0, cacheScope: "private" });
      else expect(made).not.toHaveProperty("ttlMs");
    }
  },
);

everyRevision("what a middleware adds to _meta is merged with what the engine adds", async (open) => {
  const recording: Middleware = async ({ method }, next) => {
    const outcome = await next();
    if (method !== "resources/read" || outcome.kind !== "plain") return outcome;
    return { ...outcome, body: { ...outcome.body, _meta: { "example.com/seen": true } } };
  };
  const server = serverWith([hello], { middleware: [recording], resources: [note] });
  const client = await open(server);
  expect(await client.request("resources/read", { uri: "note://a" })).toMatchObject({
    _meta: { "example.com/seen": true },
  });
  const raw = await openRaw(server);
  const [response = ""] = await raw.sendAndReceive(statelessRequest(1, "resources/read", { uri: "note://a" }));
  expect(response.split('"_meta"')).toHaveLength(2);
  expect(JSON.parse(response).result._meta).toEqual({
    "io.modelcontextprotocol/serverInfo": { name: "test", version: "1.0.0" },
    "example.com/seen": true,
  });
});

everyRevision("the code of a ToolError from middleware is in the error data of other methods", async (open) => {
  const closed: Middleware = ({ method }, next) => {
    if (method === "resources/read") throw new ToolError("Closed.", { code: "CLOSED", details: { until: "Monday" } });
    return next();
  };
  const client = await open(serverWith([hello], { middleware: [closed], resources: [note] }));
  await expect(client.request("resources/read", { uri: "note://a" })).rejects.toMatchObject({
    code: -32603,
    message: "Closed.",
    data: { code: "CLOSED", until: "Monday" },
  });
});

describe("a ToolError from middleware", () => {
  const closed: Middleware = ({ method }, next) => {
    if (method === "tools/call") throw new ToolError("Closed.", { code: "CLOSED", details: { until: "Monday" } });
    return next();
  };

  everyRevision("has its details in _meta if the tool has an output schema", async (open) => {
    const client = await open(serverWith([counted, hello], { middleware: [closed] }));
    const refused = await client.callTool("counted");
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: "Closed." }],
      _meta: { "toolwright/failure": { code: "CLOSED", until: "Monday" } },
    });
    expect(refused).not.toHaveProperty("structuredContent");
    expect((await client.callTool("hello"))["_meta"] ?? {}).not.toHaveProperty("toolwright/failure");
    expect(await client.callTool("no-such-tool")).toMatchObject({ isError: true, content: [{ text: "Closed." }] });
  });

  onRevisions(HANDSHAKE, "is an internal error if JSON cannot represent its details", async (open) => {
    const details: Record<string, unknown> = {};
    details["self"] = details;
    const round: Middleware = ({ method }, next) => {
      if (method === "tools/call") throw new ToolError("Closed.", { details: details as never });
      return next();
    };
    const client = await open(serverWith([hello], { middleware: [round] }));
    await expect(client.callTool("hello")).rejects.toMatchObject(INTERNAL);
  });
});
