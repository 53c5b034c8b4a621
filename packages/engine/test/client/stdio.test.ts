import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type ClientOptions, type CommandTarget, connect } from "@toolwright/engine/client";
import { expect, onTestFinished, test } from "vitest";
import { ALL } from "../support/every-revision.js";
import { connected, until } from "./targets.js";

const exampleServer = fileURLToPath(new URL("../stdio/servers/workshop.mjs", import.meta.url));

/** A server of a few lines: `receive(message)` is called for each message, `send(message)` writes one. */
const script = (lines: string, more: Partial<CommandTarget> = {}): CommandTarget => ({
  command: process.execPath,
  args: [
    "-e",
    `const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
     const initialized = { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: { name: "script", version: "1" } };
     ${lines}
     require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => receive(JSON.parse(line)));`,
  ],
  ...more,
});
const pinned: ClientOptions = { revision: "2025-06-18" };

/** A file that is deleted when the test ends. */
function scratch(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "toolwright-client-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return path.join(folder, "file");
}

test.each([undefined, ...ALL])("a server is started, used and stopped in revision %s", async (revision) => {
  const client = await connected(
    { command: process.execPath, args: [exampleServer] },
    revision === undefined ? {} : { revision },
  );
  expect(client.server.revision).toBe(revision ?? "2026-07-28");
  expect((await client.listTools()).length).toBeGreaterThan(0);
  await client.close();
  await expect(client.ping()).rejects.toThrow("The client closed the connection");
});

test("a server that rejects the probe gets the handshake on the same connection", async () => {
  const file = scratch();
  const client = await connected(
    script(`const { appendFileSync } = require("node:fs");
      const receive = ({ id, method }) => {
        appendFileSync(${JSON.stringify(file)}, method + " ");
        if (method === "initialize") send({ id, result: initialized });
        else if (id !== undefined) send({ id, error: { code: -32601, message: "Method not found" } });
      };`),
  );
  expect(client.server).toMatchObject({ revision: "2025-06-18", info: { name: "script" } });
  await expect(client.ping()).rejects.toThrow("Method not found");
  expect(readFileSync(file, "utf8")).toBe("server/discover initialize notifications/initialized ping ");
});

test("a server that ignores the probe gets the handshake", async () => {
  const server = script(
    'const receive = ({ id, method }) => { if (method === "initialize") send({ id, result: initialized }); };',
  );
  expect((await connected(server, { probeTimeoutMs: 50 })).server.revision).toBe("2025-06-18");
});

test("a stateless server that is only slow is detected", async () => {
  const server = script(`const receive = ({ id, method }) => {
    if (method === "initialize") send({ id, error: { code: -32601, message: "Method not found" } });
    const result = { supportedVersions: ["2026-07-28"], capabilities: {} };
    if (method === "server/discover") setTimeout(() => send({ id, result }), 300);
  };`);
  expect((await connected(server, { probeTimeoutMs: 50 })).server.revision).toBe("2026-07-28");
});

test("a server that crashes on the probe is started again without it", async () => {
  const file = scratch();
  const server = script(`require("node:fs").appendFileSync(${JSON.stringify(file)}, "started ");
    const receive = ({ id, method }) => {
      if (method === "initialize") send({ id, result: initialized });
      else if (id !== undefined) process.exit(3);
    };`);
  const client = await connected(server);
  expect(client.server.revision).toBe("2025-06-18");
  expect(readFileSync(file, "utf8")).toBe("started started ");
});

/** A server that ignores some requests, and a log of the methods that all its processes received. */
function unresponsive(
  responses: string,
  file = scratch(),
): { readonly server: CommandTarget; readonly received: () => string } {
  const server = script(`const { appendFileSync } = require("node:fs");
    const note = (text) => appendFileSync(${JSON.stringify(file)}, text + " ");
    note("started");
    const receive = ({ id, method }) => {
      if (id !== undefined) note(method);
      ${responses}
    };`);
  return { server, received: () => readFileSync(file, "utf8") };
}

test("a server that never responds gets each request once, and all attempts share one timeout", async () => {
  const { server, received } = unresponsive("");
  await expect(connect(server, { timeoutMs: 6000 })).rejects.toMatchObject({
    name: "TimeoutError",
    message: "The server did not respond to connect within 6000 ms (timeoutMs)",
  });
  expect(received()).toBe("started server/discover initialize started initialize ");
});

test("a server that hangs after the probe is started again within the timeout", async () => {
  const { server, received } = unresponsive(`if (method === "server/discover") globalThis.isHanging = true;
      if (method === "initialize" && !globalThis.isHanging) send({ id, result: initialized });`);
  expect((await connected(server, { timeoutMs: 6000 })).server.revision).toBe("2025-06-18");
  expect(received()).toBe("started server/discover initialize started initialize ");
});

test("a server that exits is reported with its stderr, for pending and later requests", async () => {
  const server = script(`const receive = ({ id, method }) => {
    if (method === "initialize") return send({ id, result: initialized });
    if (method !== "ping") return;
    console.error("first line");
    console.error("Error: out of paper");
    process.exitCode = 7;
    process.stdin.destroy();
  };`);
  const client = await connected(server, pinned);
  const message = `The server "${process.execPath}" exited with code 7. Its stderr ends with:\nError: out of paper\nfirst line`;
  await expect(Promise.allSettled([client.request("a"), client.ping()])).resolves.toMatchObject([
    { reason: { name: "ConnectionError", message } },
    { reason: { name: "ConnectionError", message } },
  ]);
  await expect(client.listTools()).rejects.toThrow(message);
});

test("a server that crashes at start is reported with the error first, not with the excerpt of its source", async () => {
  const code = 'throw new TypeError("Cannot define tool: description is missing")';
  await expect(connect({ command: process.execPath, args: ["-e", code] })).rejects.toThrow(
    /exited with code 1\. Its stderr ends with:\nTypeError: Cannot define tool: description is missing\n/,
  );
});

test("a server that prints an error with a long stack is reported with the error first", async () => {
  const code = 'console.error(`Error: no database\\n${"    at somewhere\\n".repeat(20)}`); process.exit(3)';
  await expect(connect({ command: process.execPath, args: ["-e", code] })).rejects.toThrow(
    /exited with code 3\. Its stderr ends with:\nError: no database\n/,
  );
});

test.each([
  ["exits while its child keeps stdout open", "process.exit(9)", "exited with code 9"],
  ["closes its stdout and keeps running", 'require("node:fs").closeSync(1)', "closed its stdout. Its stderr is empty"],
])("a server that %s is noticed", async (_name, action, summary) => {
  const server = script(`const { spawn } = require("node:child_process");
    const receive = ({ id, method }) => {
      if (method === "initialize") return send({ id, result: initialized });
      if (method !== "ping") return;
      const stay = ["-e", "setTimeout(() => undefined, 8000)"];
      if (${action.includes("exit")}) spawn(process.execPath, stay, { stdio: ["ignore", "inherit", "inherit"] });
      ${action};
    };`);
  const client = await connected(server, pinned);
  await expect(client.ping({ timeoutMs: 6000 })).rejects.toMatchObject({
    name: "ConnectionError",
    message: expect.stringContaining(`The server "${process.execPath}" ${summary}`) as string,
  });
});

test("a missing program is reported with its name", async () => {
  await expect(connect({ command: "no-such-program-anywhere" })).rejects.toThrow(
    'Cannot start the server "no-such-program-anywhere": the program or its working directory does not exist',
  );
});

test("text that a server prints to stdout is treated like stderr", async () => {
  const received: string[] = [];
  const server = script(
    `console.log("Server is running!");
     console.error("on stderr");
     const receive = ({ id }) => send({ id, result: initialized });`,
    { stderr: (line) => received.push(line) },
  );
  const client = await connected(server, pinned);
  await client.ping();
  await until(() => received.length === 2);
  expect(received.sort()).toEqual(["Server is running!", "on stderr"]);
});

test("JSON that is not a message is treated like stderr, and a long line is passed in one piece", async () => {
  const received: string[] = [];
  const server = script(
    `for (const line of ['{"level":30,"msg":"log"}', '"text"']) console.log(line);
     console.error("x".repeat(200000) + "end");
     const receive = ({ id }) => send({ id, result: initialized });`,
    { stderr: (line) => received.push(line) },
  );
  await connected(server, pinned);
  await until(() => received.some((line) => line.endsWith("end")));
  expect(received.find((line) => line.endsWith("end"))?.length).toBe(200_003);
  expect(received).toEqual(expect.arrayContaining(['{"level":30,"msg":"log"}', '"text"']));
});

test("a server gets the basic environment and the given variables, and no secrets", async () => {
  process.env["TOOLWRIGHT_TEST_SECRET"] = "hunter2";
  onTestFinished(() => void delete process.env["TOOLWRIGHT_TEST_SECRET"]);
  const server = script(
    `const { PATH, TOOLWRIGHT_TEST_SECRET, EXTRA } = process.env;
     const receive = ({ id }) => send({ id, result: { ...initialized, seen: [PATH !== undefined, TOOLWRIGHT_TEST_SECRET ?? null, EXTRA] } });`,
    { env: { EXTRA: "yes" } },
  );
  const client = await connected(server, pinned);
  expect((await client.request("x"))["seen"]).toEqual([true, null, "yes"]);
});

test("a message over the limit closes the connection", async () => {
  const server = script(`const receive = ({ id, method }) =>
    send({ id, result: method === "initialize" ? initialized : { pad: "x".repeat(20000) } });`);
  const client = await connected(server, { ...pinned, maxMessageBytes: 10_000 });
  await expect(client.ping()).rejects.toThrow(/^The server sent an unreadable message: .*the limit is 10000$/);
});

test("concurrent input requests are answered, except one that is cancelled", async () => {
  const server = script(`const receive = ({ id, method, result, error }) => {
    if (method === "initialize") return send({ id, result: initialized });
    if (method === "tools/call") {
      for (const id of [1, 2]) send({ id: id, method: "elicitation/create", params: { message: "q" + id, requestedSchema: {} } });
      send({ id: 3, method: "unheard/of" });
      send({ method: "notifications/cancelled", params: { requestId: 1 } });
      globalThis.call = id;
      globalThis.received = [];
    }
    if (method === undefined) {
      received.push([id, result?.action ?? error?.code]);
      if (received.length === 2) setTimeout(() => send({ id: call, result: { content: [], structuredContent: { received } } }), 100);
    }
  };`);
  const withdrawn: string[] = [];
  const client = await connected(server, {
    ...pinned,
    onElicit: async ({ message, signal }) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      if (signal?.aborted) withdrawn.push(message);
      return { action: "decline" };
    },
  });
  const { structuredContent } = await client.callTool("x");
  expect(structuredContent).toEqual({
    received: [
      [3, -32601],
      [2, "decline"],
    ],
  });
  expect(withdrawn).toEqual(["q1"]);
});

test("timeoutMs pauses while the user responds", async () => {
  const server = script(`const receive = ({ id, method, result }) => {
    if (method === "initialize") return send({ id, result: initialized });
    if (method === "tools/call") {
      globalThis.call = id;
      send({ id: 1, method: "elicitation/create", params: { message: "?", requestedSchema: {} } });
    }
    if (method === undefined) send({ id: call, result: { content: [{ type: "text", text: result.action }] } });
  };`);
  const onElicit = async () => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    return { action: "cancel" } as const;
  };
  const client = await connected(server, { ...pinned, onElicit });
  expect((await client.callTool("x", {}, { timeoutMs: 1000 })).content).toEqual([{ type: "text", text: "cancel" }]);
});

test("a server that ignores the end of its stdin is killed", async () => {
  const file = scratch();
  const server = script(`const { writeFileSync } = require("node:fs");
    process.on("SIGTERM", () => writeFileSync(${JSON.stringify(file)}, "SIGTERM received"));
    setInterval(() => undefined, 1000);
    const receive = ({ id }) => send({ id, result: { ...initialized, pid: process.pid } });`);
  const client = await connect(server, pinned);
  const { pid } = await client.request("x");
  await client.close();
  expect(() => process.kill(pid as number, 0)).toThrow("ESRCH");
  expect(existsSync(file) && readFileSync(file, "utf8")).toBe("SIGTERM received");
});
