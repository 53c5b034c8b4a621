import {
  type Call,
  type JsonObject,
  type LogEntry,
  openMemory,
  resource,
  type ServerOptions,
  ToolError,
} from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { everyRevision, onRevisions, STATELESS } from "../support/every-revision.js";
import { serverWith } from "./server.js";
import { Gate, settled } from "./wire.js";

type Read = (call: Call) => unknown;
const reading = (read: Read, more: object = {}) =>
  resource({ uri: "x:a", name: "a", read: read as () => string, ...more });
const serve = (read: Read, options: Partial<ServerOptions> = {}, entries: LogEntry[] = []) =>
  serverWith([], { resources: [reading(read)], ...options }, entries);
const A = { uri: "x:a" };

describe("reading a resource that", () => {
  everyRevision("throws shows no internals, and the log has them [RPC-11]", async (open) => {
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

  everyRevision("throws a ToolError says its words, its code and its details", async (open) => {
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

  everyRevision("gives what is no contents fails, and the log says why [RES-02]", async (open) => {
    for (const [given, reason] of [
      [null, "A resource gave something that is neither text nor bytes"],
      [7, "A resource gave something that is neither text nor bytes"],
      [{ type: "text" }, "A resource gave something that is neither text nor bytes"],
      [[{ text: "a" }, { text: 5 }], "A resource gave something that is neither text nor bytes"],
      [[], "A resource gave an empty list; undefined means that there is none"],
      [{ blob: "no base64!" }, "A resource gave a blob that is text, but not base64"],
      [{ blob: "AAA" }, "A resource gave a blob that is text, but not base64"],
    ] as const) {
      const entries: LogEntry[] = [];
      const client = await open(serve(() => given, {}, entries));
      await expect(client.request("resources/read", A)).rejects.toMatchObject({ code: -32603 });
      expect(entries).toMatchObject([{ error: { message: reason } }]);
    }
  });

  everyRevision("hangs is stopped by its time limit, and told to stop", async (open) => {
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

  everyRevision("is cancelled stops and gets no answer", async (open) => {
    const stopped = new Gate<string>();
    const read = (call: Call) =>
      new Promise(() => call.signal.addEventListener("abort", () => stopped.open("stopped")));
    const client = await open(serve(read));
    const { id, answer } = client.start("resources/read", A);
    client.notify("notifications/cancelled", { requestId: id });
    expect(await stopped.opened).toBe("stopped");
    expect(await Promise.race([answer, settled().then(() => "silence")])).toBe("silence");
  });

  everyRevision("is larger than a message may be says so, and the next one is served", async (open) => {
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

  everyRevision("reports progress and logs is heard like a tool", async (open, revision) => {
    const read = async (call: Call) => {
      call.progress(0.5);
      call.log("warning", "half");
      return "done";
    };
    const client = await open(serve(read), { logLevel: "info" });
    if (revision !== STATELESS) await client.request("logging/setLevel", { level: "info" });
    await client.request("resources/read", { ...A, _meta: { progressToken: "t" } });
    expect(client.heard("notifications/progress")).toMatchObject([{ params: { progressToken: "t", progress: 0.5 } }]);
    expect(client.heard("notifications/message")).toMatchObject([{ params: { level: "warning", data: "half" } }]);
  });
});

const FORM = { type: "object", properties: { page: { type: "string" } }, required: ["page"] } as const;
const paged: Read = async (call) => {
  const answer = await call.ask("page", "Which page?", FORM);
  return answer === undefined ? undefined : `page ${answer.page}`;
};

describe("reading a resource that asks", () => {
  onRevisions(["2025-11-25", "2025-06-18"], "asks with a request and goes on", async (open) => {
    const client = await open(serve(paged), { answers: { page: { page: "12" } } });
    expect(await client.request("resources/read", A)).toMatchObject({ contents: [{ text: "page 12" }] });
    expect(client.heard("elicitation/create")).toHaveLength(1);
  });

  onRevisions(["2025-03-26", "2024-11-05"], "says that nobody can be asked", async (open) => {
    const client = await open(serve(paged));
    await expect(client.request("resources/read", A)).rejects.toMatchObject({
      code: -32603,
      data: { code: "CANNOT_ASK" },
    });
  });

  onRevisions(
    [STATELESS],
    "ends with the question and runs again with the answer [CACHE-01 CACHE-04]",
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

test("who reads is known to the handler, so that access can be checked for each read [RES-09]", async () => {
  const server = serve((call) => (call.principal === "ada" ? "hers" : undefined));
  for (const [principal, answer] of [
    ["ada", { result: { contents: [{ text: "hers" }] } }],
    ["bob", { error: { code: -32002 } }],
    [undefined, { error: { code: -32002 } }],
  ] as const) {
    const heard: JsonObject[] = [];
    const connection = await openMemory(server, (text) => void heard.push(JSON.parse(text) as JsonObject), principal);
    const clientInfo = { name: "test", version: "1" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    connection.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }));
    connection.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    connection.send('{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"x:a"}}');
    await settled();
    expect(heard[1]).toMatchObject({ id: 2, ...answer });
    connection.close();
  }
});
