import { type Call, type JsonObject, type LogEntry, resource, type ServerOptions, ToolError } from "@toolwright/engine";
import { openMemoryConnection } from "@toolwright/engine/transport";
import { describe, expect, test } from "vitest";
import { everyRevision, onRevisions, STATELESS } from "../support/every-revision.js";
import { serverWith } from "./server.js";
import { Deferred, settled } from "./wire.js";

type Read = (call: Call) => unknown;
const reading = (read: Read, more: object = {}) =>
  resource({ uri: "x:a", name: "a", read: read as () => string, ...more });
const serve = (read: Read, options: Partial<ServerOptions> = {}, entries: LogEntry[] = []) =>
  serverWith([], { resources: [reading(read)], ...options }, entries);
const A = { uri: "x:a" };

describe("a resource handler that", () => {
  everyRevision("throws causes a generic error, and the log contains the details [RPC-11]", async (open) => {
    for (const fault of [new Error("password=hunter2"), new TypeError("secret"), "a thrown secret", undefined]) {
      for (const read of [
        () => {
          throw fault;
        },
        () => Promise.reject(fault),
      ]) {
        const entries: LogEntry[] = [];
        const client = await open(serve(read, {}, entries));
        await expect(client.request("resources/read", A)).rejects.toMatchObject({
          code: -32603,
          message: "The resource failed unexpectedly: the details are in the server's log",
        });
        expect(entries).toMatchObject([{ level: "error", message: 'resource "x:a" failed', error: fault }]);
      }
    }
  });

  everyRevision("throws a ToolError causes an error with its message, code and details", async (open) => {
    const read = () => {
      throw new ToolError("The disk is asleep.", { code: "ASLEEP", details: { disk: "sda" } });
    };
    const client = await open(serve(read));
    await expect(client.request("resources/read", A)).rejects.toMatchObject({
      code: -32603,
      message: "The disk is asleep.",
      data: { code: "ASLEEP", disk: "sda" },
    });
  });

  everyRevision("returns an invalid value fails, and the log says why [RES-02]", async (open) => {
    for (const [given, reason] of [
      [null, "A resource returned neither text nor bytes"],
      [7, "A resource returned neither text nor bytes"],
      [{ type: "text" }, "A resource returned neither text nor bytes"],
      [[{ text: "a" }, { text: 5 }], "A resource returned neither text nor bytes"],
      [[], "A resource returned an empty array; return undefined if the resource does not exist"],
      [{ blob: "no base64!" }, "A resource returned a blob that is a string, but not base64"],
      [{ blob: "AAA" }, "A resource returned a blob that is a string, but not base64"],
    ] as const) {
      const entries: LogEntry[] = [];
      const client = await open(serve(() => given, {}, entries));
      await expect(client.request("resources/read", A)).rejects.toMatchObject({ code: -32603 });
      expect(entries).toMatchObject([{ error: { message: reason } }]);
    }
  });

  everyRevision("hangs is aborted by its timeout", async (open) => {
    let reason: unknown;
    const read = (call: Call) =>
      new Promise(() => call.signal.addEventListener("abort", () => (reason = call.signal.reason)));
    const server = serverWith([], { resources: [reading(read, { timeoutMs: 20 })] });
    const client = await open(server);
    await expect(client.request("resources/read", A)).rejects.toMatchObject({
      code: -32603,
      message: expect.stringMatching(/^The resource "x:a" did not finish: stopped after \d+ ms \(limit 20 ms/),
      data: { code: "TIMEOUT", limit: "callTimeoutMs", timeoutMs: 20 },
    });
    expect(reason).toBeInstanceOf(Error);
  });

  everyRevision("is cancelled is aborted and gets no response", async (open) => {
    const stopped = new Deferred<string>();
    const read = (call: Call) =>
      new Promise(() => call.signal.addEventListener("abort", () => stopped.resolve("stopped")));
    const client = await open(serve(read));
    const { id, response: answer } = client.startRequest("resources/read", A);
    client.notify("notifications/cancelled", { requestId: id });
    expect(await stopped.promise).toBe("stopped");
    expect(await Promise.race([answer, settled().then(() => "silence")])).toBe("silence");
  });

  everyRevision("returns more than a message may contain fails, and the next read is served", async (open) => {
    const read = (call: Call) => (call.caller ? "a".repeat(3000) : "");
    const server = serverWith([], {
      resources: [reading(read), resource({ uri: "x:small", name: "small", read: () => "small" })],
      limits: { messageBytes: 2000 },
    });
    const client = await open(server);
    await expect(client.request("resources/read", A)).rejects.toMatchObject({
      code: -32603,
      message: expect.stringMatching(/^The result has 3\d\d\d bytes; the limit is 2000/),
      data: { code: "RESULT_TOO_LARGE", limit: "messageBytes" },
    });
    expect(await client.request("resources/read", { uri: "x:small" })).toMatchObject({ contents: [{ text: "small" }] });
  });

  everyRevision("reports progress and logs sends notifications like a tool", async (open, revision) => {
    const read = async (call: Call) => {
      call.progress(0.5);
      call.log("warning", "half");
      return "done";
    };
    const client = await open(serve(read), { logLevel: "info" });
    if (revision !== STATELESS) await client.request("logging/setLevel", { level: "info" });
    await client.request("resources/read", { ...A, _meta: { progressToken: "t" } });
    expect(client.received("notifications/progress")).toMatchObject([
      { params: { progressToken: "t", progress: 0.5 } },
    ]);
    expect(client.received("notifications/message")).toMatchObject([{ params: { level: "warning", data: "half" } }]);
  });
});

const FORM = { type: "object", properties: { page: { type: "string" } }, required: ["page"] } as const;
const paged: Read = async (call) => {
  const answer = await call.elicit("page", "Which page?", FORM);
  return answer === undefined ? undefined : `page ${answer.page}`;
};

describe("a resource that elicits", () => {
  onRevisions(["2025-11-25", "2025-06-18"], "sends a request and continues with the response", async (open) => {
    const client = await open(serve(paged), { responses: { page: { page: "12" } } });
    expect(await client.request("resources/read", A)).toMatchObject({ contents: [{ text: "page 12" }] });
    expect(client.received("elicitation/create")).toHaveLength(1);
  });

  onRevisions(["2025-03-26", "2024-11-05"], "fails with an explanation if the client has no forms", async (open) => {
    const client = await open(serve(paged));
    await expect(client.request("resources/read", A)).rejects.toMatchObject({
      code: -32603,
      data: { code: "CANNOT_ASK" },
    });
  });

  onRevisions(
    [STATELESS],
    "ends with the input request and runs again with the response [CACHE-01 CACHE-04]",
    async (open) => {
      const cache = { ttlMs: 60_000, scope: "public" } as const;
      const client = await open(serverWith([], { resources: [reading(paged, { cache })] }));
      const first = await client.request("resources/read", A);
      expect(first).toMatchObject({
        resultType: "input_required",
        inputRequests: { page: { method: "elicitation/create" } },
      });
      for (const member of ["ttlMs", "cacheScope", "contents"]) expect(first).not.toHaveProperty(member);
      const again = {
        ...A,
        inputResponses: { page: { action: "accept", content: { page: "12" } } },
        requestState: first["requestState"] as string,
      };
      expect(await client.request("resources/read", again)).toMatchObject({
        resultType: "complete",
        contents: [{ uri: "x:a", text: "page 12" }],
        ttlMs: 0,
        cacheScope: "private",
      });
      await expect(client.request("resources/read", { ...again, uri: "x:b" })).rejects.toMatchObject({ code: -32602 });
      await expect(client.request("resources/read", { ...again, requestState: "forged" })).rejects.toMatchObject({
        code: -32602,
        message: "Invalid params: requestState is not one that this server made for this call",
      });
    },
  );
});

test("a handler receives the principal, so that it can check access [RES-09]", async () => {
  const server = serve((call) => (call.principal === "ada" ? "hers" : undefined));
  for (const [principal, answer] of [
    ["ada", { result: { contents: [{ text: "hers" }] } }],
    ["bob", { error: { code: -32002 } }],
    [undefined, { error: { code: -32002 } }],
  ] as const) {
    const received: JsonObject[] = [];
    const connection = await openMemoryConnection(
      server,
      (text) => void received.push(JSON.parse(text) as JsonObject),
      principal,
    );
    const clientInfo = { name: "test", version: "1" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    connection.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }));
    connection.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    connection.send('{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"x:a"}}');
    await settled();
    expect(received[1]).toMatchObject({ id: 2, ...answer });
    connection.close();
  }
});
