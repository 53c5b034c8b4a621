import { type LogEntry, ToolError, tool } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { everyRevision, HANDSHAKE, onRevisions } from "../support/every-revision.js";
import { serverWith } from "./server.js";
import { Deferred } from "./wire.js";

const failing = tool({
  name: "failing",
  description: "Fails.",
  run() {
    throw new Error("password hunter2 refused at /etc/shadow");
  },
});
const failingLater = tool({
  name: "failing_later",
  description: "Fails after a moment.",
  async run() {
    await Promise.resolve();
    throw new TypeError("password hunter2");
  },
});
const odd = tool({
  name: "odd",
  description: "Throws what is no error.",
  run() {
    // oxlint-disable-next-line typescript/only-throw-error
    throw "hunter2";
  },
});
const explained = tool({
  name: "explained",
  description: "Fails in its own words.",
  run() {
    throw new ToolError("The disk is full. Delete something first.", { code: "DISK_FULL", details: { free: 0 } });
  },
});
const brief = tool({
  name: "brief",
  description: "Fails without a code.",
  async run() {
    throw new ToolError("No such city.");
  },
});

describe("a tool that throws", () => {
  everyRevision(
    "returns an error result with a reference, and only the log contains the cause [TOOL-13 TOOL-21]",
    async (open) => {
      for (const broken of [failing, failingLater, odd]) {
        const entries: LogEntry[] = [];
        const client = await open(serverWith([broken], {}, entries));
        const result = await client.callTool(broken.name);
        expect(JSON.stringify(client.conversation.filter(({ from }) => from === "server"))).not.toContain("hunter2");
        expect(result["isError"]).toBe(true);
        expect(result).not.toHaveProperty("structuredContent");
        const [block] = result["content"] as { text: string }[];
        const reference = /^The tool failed unexpectedly\. Reference: (\w{8})$/.exec(block?.text ?? "")?.[1];
        expect(entries).toHaveLength(1);
        expect(entries[0]).toMatchObject({
          level: "error",
          message: `tool "${broken.name}" failed (reference ${reference})`,
        });
        expect(String(entries[0]?.error)).toContain("hunter2");
      }
    },
  );

  everyRevision("can be called again, and so can the others [TOOL-13]", async (open) => {
    const client = await open(serverWith([failing, explained]));
    expect(await client.callTool("failing")).toMatchObject({ isError: true });
    expect(await client.callTool("explained")).toMatchObject({ isError: true });
    expect(await client.callTool("failing")).toMatchObject({ isError: true });
    expect(await client.listTools()).toHaveLength(2);
  });
});

describe("a ToolError", () => {
  everyRevision("is returned to the model with its own message [TOOL-13 TOOL-14]", async (open) => {
    const entries: LogEntry[] = [];
    const client = await open(serverWith([explained, brief], {}, entries));
    expect(await client.callTool("explained")).toMatchObject({
      content: [{ type: "text", text: "The disk is full. Delete something first." }],
      isError: true,
    });
    const short = await client.callTool("brief");
    expect(short).toMatchObject({ content: [{ type: "text", text: "No such city." }], isError: true });
    expect(short).not.toHaveProperty("structuredContent");
    expect(entries).toEqual([]);
  });

  onRevisions(["2025-06-18", "2025-11-25", "2026-07-28"], "has its code and details for programs", async (open) => {
    const client = await open(serverWith([explained]));
    expect((await client.callTool("explained"))["structuredContent"]).toEqual({ code: "DISK_FULL", free: 0 });
  });
});

describe("a result over the size limit", () => {
  const large = tool({ name: "large", description: "Returns much.", run: () => "é".repeat(2000) });
  const fitting = tool({ name: "fitting", description: "Returns less.", run: () => "é".repeat(1000) });

  everyRevision("becomes an error result with both sizes, and the next call is served [SEC-07]", async (open) => {
    const client = await open(serverWith([large, fitting], { limits: { messageBytes: 3000 } }));
    const result = await client.callTool("large");
    expect(result["isError"]).toBe(true);
    const [block] = result["content"] as { text: string }[];
    expect(block?.text).toMatch(/^The result has 4\d\d\d bytes; the limit is 3000\. Ask for less at once\.$/);
    expect(await client.callTool("fitting")).toMatchObject({ isError: false });
  });

  onRevisions(["2025-06-18", "2025-11-25", "2026-07-28"], "names the limit for programs", async (open) => {
    const client = await open(serverWith([large], { limits: { messageBytes: 3000 } }));
    expect((await client.callTool("large"))["structuredContent"]).toMatchObject({
      code: "RESULT_TOO_LARGE",
      limit: "messageBytes",
      max: 3000,
    });
  });

  everyRevision("is a JSON-RPC error for methods other than tools/call", async (open) => {
    const many = Array.from({ length: 60 }, (_, at) => tool({ name: `t${at}`, description: "d", run: () => "" }));
    const client = await open(serverWith(many, { limits: { messageBytes: 3000 } }));
    await expect(client.request("tools/list")).rejects.toMatchObject({
      code: -32603,
      data: { limit: "messageBytes", max: 3000 },
    });
  });
});

describe("a tool that hangs", () => {
  const hanging = tool({
    name: "hanging",
    description: "Never ends.",
    timeoutMs: 20,
    run: (_input, call) =>
      new Promise((resolve) => {
        call.signal.addEventListener("abort", () => resolve("too late"));
      }),
  });
  const quick = tool({ name: "quick", description: "Ends.", run: () => "done" });

  everyRevision("is aborted and affects no other call [TOOL-13 TOOL-21 SEC-07]", async (open) => {
    const client = await open(serverWith([hanging, quick]));
    const slow = client.callTool("hanging");
    expect(await client.callTool("quick")).toMatchObject({ content: [{ text: "done" }] });
    const result = await slow;
    expect(result["isError"]).toBe(true);
    const [block] = result["content"] as { text: string }[];
    expect(block?.text).toContain("limit 20 ms without progress");
  });
});

describe("log messages for the client", () => {
  const chatty = tool({
    name: "chatty",
    description: "Logs.",
    run(_input, call) {
      call.log("info", { user: "ada", apiKey: "k-1", nested: [{ password: "p-1", Authorization: "Bearer b-1" }] });
      return "done";
    },
  });

  everyRevision("redact members with the name of a secret [TOOL-21]", async (open) => {
    const client = await open(serverWith([chatty]), { logLevel: "info" });
    await client.callTool("chatty");
    expect(client.received("notifications/message").map(({ params }) => params)).toEqual([
      {
        level: "info",
        data: {
          user: "ada",
          apiKey: "[redacted]",
          nested: [{ password: "[redacted]", Authorization: "[redacted]" }],
        },
      },
    ]);
  });

  everyRevision("are limited per second [TOOL-21 SEC-07]", async (open) => {
    const flood = tool({
      name: "flood",
      description: "Logs a lot.",
      run(_input, call) {
        for (let line = 0; line < 50; line += 1) call.log("error", line);
        return "done";
      },
    });
    const client = await open(serverWith([flood], { limits: { notificationBurst: 7 } }), { logLevel: "error" });
    await client.callTool("flood");
    expect(client.received("notifications/message")).toHaveLength(7);
  });
});

describe("the limits of a server", () => {
  everyRevision("restrict running and queued calls; one more is a retryable error [SEC-07]", async (open) => {
    const gate = new Deferred<string>();
    const waiting = tool({ name: "waiting", description: "Waits.", run: () => gate.promise });
    const client = await open(serverWith([waiting], { limits: { callsInFlight: 1, callsQueued: 1 } }));
    const first = client.callTool("waiting");
    const second = client.callTool("waiting");
    const third = await client.callTool("waiting");
    expect(third).toMatchObject({
      isError: true,
      content: [{ text: "The server is busy: 1 call is running and 1 is waiting. Try again in 1 s." }],
    });
    gate.resolve("at last");
    for (const call of [first, second]) expect(await call).toMatchObject({ content: [{ text: "at last" }] });
  });

  onRevisions(HANDSHAKE, "restrict the nesting depth of messages [SEC-07]", async (open) => {
    const client = await open(serverWith([failing]));
    client.sendText(`{"jsonrpc":"2.0","id":99,"method":"tools/list","params":${"[".repeat(300)}${"]".repeat(300)}}`);
    const received = client.conversation.at(-1)?.message;
    expect(received).toMatchObject({ error: { code: -32700, message: "Parse error: nested deeper than 256 levels" } });
    expect(await client.listTools()).toHaveLength(1);
  });

  test("can be set, and unknown names are rejected", () => {
    expect(serverWith([], { limits: { pageSize: 5 } }).limits).toMatchObject({ pageSize: 5, callsInFlight: 128 });
    expect(() => serverWith([], { limits: { pagesize: 5 } as never })).toThrow(
      new TypeError("Cannot create the server: unknown option limits.pagesize; did you mean limits.pageSize?"),
    );
  });
});

describe("a tool error with a hint", () => {
  const hinted = tool({
    name: "hinted",
    description: "Fails and says what to do.",
    input: { type: "object", properties: { kind: { type: "string" } } },
    run({ kind }) {
      const hints = {
        tool: { action: "list the open tasks", tool: "list_tasks", arguments: { status: "pending" } },
        bare: { action: "list the tasks", tool: "list_tasks" },
        advice: { action: "free disk space, then retry" },
      } as const;
      const hint = hints[kind as keyof typeof hints];
      throw new ToolError('No task matches "abc"', { code: "NOT_FOUND", hint, details: { id: "abc" } });
    },
  });

  onRevisions(
    ["2025-06-18", "2025-11-25", "2026-07-28"],
    "tells the model which call helps, and programs which tool and arguments",
    async (open) => {
      const client = await open(serverWith([hinted]));
      const messages = [];
      for (const kind of ["tool", "bare", "advice"]) {
        const { content, structuredContent, isError } = await client.callTool("hinted", { kind });
        expect(isError).toBe(true);
        messages.push([(content as { text: string }[])[0]?.text, structuredContent]);
      }
      expect(messages).toEqual([
        [
          'No task matches "abc". To list the open tasks, call list_tasks with {"status":"pending"}.',
          {
            code: "NOT_FOUND",
            id: "abc",
            hint: { action: "list the open tasks", tool: "list_tasks", arguments: { status: "pending" } },
          },
        ],
        [
          'No task matches "abc". To list the tasks, call list_tasks.',
          { code: "NOT_FOUND", id: "abc", hint: { action: "list the tasks", tool: "list_tasks" } },
        ],
        [
          'No task matches "abc". Free disk space, then retry.',
          { code: "NOT_FOUND", id: "abc", hint: { action: "free disk space, then retry" } },
        ],
      ]);
    },
  );
});
