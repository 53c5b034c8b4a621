import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type ClientOptions, type CommandTarget, connect } from "@toolwright/engine/client";
import { expect, onTestFinished, test } from "vitest";
import { ALL } from "../support/every-revision.js";
import { connected, until } from "./ways.js";

const workshop = fileURLToPath(new URL("../stdio/servers/workshop.mjs", import.meta.url));

/** A server of a few lines: `hear(message)` is called for each message, `say(message)` writes one. */
const script = (lines: string, more: Partial<CommandTarget> = {}): CommandTarget => ({
  command: process.execPath,
  args: [
    "-e",
    `const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
     const hands = { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: { name: "script", version: "1" } };
     ${lines}
     require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => hear(JSON.parse(line)));`,
  ],
  ...more,
});
const pinned: ClientOptions = { revision: "2025-06-18" };

/** A file that goes with the test. */
function scratch(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "toolwright-client-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return path.join(folder, "file");
}

test.each([undefined, ...ALL])("a server is started, used and ended in revision %s", async (revision) => {
  const client = await connected(
    { command: process.execPath, args: [workshop] },
    revision === undefined ? {} : { revision },
  );
  expect(client.server.revision).toBe(revision ?? "2026-07-28");
  expect((await client.listTools()).length).toBeGreaterThan(0);
  await client.close();
  await expect(client.ping()).rejects.toThrow("The connection was closed from here");
});

test("an older server gets the handshake on the same connection after the first question", async () => {
  const file = scratch();
  const client = await connected(
    script(`const { appendFileSync } = require("node:fs");
      const hear = ({ id, method }) => {
        appendFileSync(${JSON.stringify(file)}, method + " ");
        if (method === "initialize") say({ id, result: hands });
        else if (id !== undefined) say({ id, error: { code: -32601, message: "Method not found" } });
      };`),
  );
  expect(client.server).toMatchObject({ revision: "2025-06-18", info: { name: "script" } });
  await expect(client.ping()).rejects.toThrow("Method not found");
  expect(readFileSync(file, "utf8")).toBe("server/discover initialize notifications/initialized ping ");
});

test("a server that says nothing before the handshake is taken for an older one", async () => {
  const server = script(
    'const hear = ({ id, method }) => { if (method === "initialize") say({ id, result: hands }); };',
  );
  expect((await connected(server, { probeMs: 50 })).server.revision).toBe("2025-06-18");
});

test("a server of the newer era that was only slow is found all the same", async () => {
  const server = script(`const hear = ({ id, method }) => {
    if (method === "initialize") say({ id, error: { code: -32601, message: "Method not found" } });
    const result = { supportedVersions: ["2026-07-28"], capabilities: {} };
    if (method === "server/discover") setTimeout(() => say({ id, result }), 300);
  };`);
  expect((await connected(server, { probeMs: 50 })).server.revision).toBe("2026-07-28");
});

test("a server that does not survive the first question is started once more and spared it", async () => {
  const file = scratch();
  const server = script(`require("node:fs").appendFileSync(${JSON.stringify(file)}, "started ");
    const hear = ({ id, method }) => {
      if (method === "initialize") say({ id, result: hands });
      else if (id !== undefined) process.exit(3);
    };`);
  const client = await connected(server);
  expect(client.server.revision).toBe("2025-06-18");
  expect(readFileSync(file, "utf8")).toBe("started started ");
});

/** A server that says nothing to some requests, and the words it has heard in all its lives. */
function deaf(answers: string, file = scratch()): { readonly server: CommandTarget; readonly heard: () => string } {
  const server = script(`const { appendFileSync } = require("node:fs");
    const note = (word) => appendFileSync(${JSON.stringify(file)}, word + " ");
    note("started");
    const hear = ({ id, method }) => {
      if (id !== undefined) note(method);
      ${answers}
    };`);
  return { server, heard: () => readFileSync(file, "utf8") };
}

test("a server that says nothing at all gets each question once, and all attempts share the time of one request", async () => {
  const { server, heard } = deaf("");
  await expect(connect(server, { timeoutMs: 6000 })).rejects.toMatchObject({
    name: "TimedOut",
    message: "The server did not answer within 6000 ms (timeoutMs)",
  });
  expect(heard()).toBe("started server/discover initialize started initialize ");
});

test("a server that the first question has made deaf is started once more within the same time", async () => {
  const { server, heard } = deaf(`if (method === "server/discover") globalThis.isDeaf = true;
      if (method === "initialize" && !globalThis.isDeaf) say({ id, result: hands });`);
  expect((await connected(server, { timeoutMs: 6000 })).server.revision).toBe("2025-06-18");
  expect(heard()).toBe("started server/discover initialize started initialize ");
});

test("a server that dies says how, with its last words, and fails what is open and what comes later", async () => {
  const server = script(`const hear = ({ id, method }) => {
    if (method === "initialize") return say({ id, result: hands });
    if (method !== "ping") return;
    console.error("first line");
    console.error("Error: out of paper");
    process.exitCode = 7;
    process.stdin.destroy();
  };`);
  const client = await connected(server, pinned);
  const gone = `The server ("${process.execPath}") has ended with exit code 7. Its last words:\nfirst line\nError: out of paper`;
  await expect(Promise.allSettled([client.request("a"), client.ping()])).resolves.toMatchObject([
    { reason: { name: "ConnectionFailed", message: gone } },
    { reason: { name: "ConnectionFailed", message: gone } },
  ]);
  await expect(client.listTools()).rejects.toThrow(gone);
});

test.each([
  ["dies while its own child holds its stdout", "process.exit(9)", "ended with exit code 9"],
  ["closes its stdout and stays", 'require("node:fs").closeSync(1)', "closed its stdout; it said nothing on stderr"],
])("a server that %s is noticed", async (_name, deed, words) => {
  const server = script(`const { spawn } = require("node:child_process");
    const hear = ({ id, method }) => {
      if (method === "initialize") return say({ id, result: hands });
      if (method !== "ping") return;
      const stay = ["-e", "setTimeout(() => undefined, 8000)"];
      if (${deed.includes("exit")}) spawn(process.execPath, stay, { stdio: ["ignore", "inherit", "inherit"] });
      ${deed};
    };`);
  const client = await connected(server, pinned);
  await expect(client.ping({ timeoutMs: 6000 })).rejects.toMatchObject({
    name: "ConnectionFailed",
    message: expect.stringContaining(`The server ("${process.execPath}") has ${words}`) as string,
  });
});

test("a program that is not there is named", async () => {
  await expect(connect({ command: "no-such-program-anywhere" })).rejects.toThrow(
    'Cannot start the server "no-such-program-anywhere": there is no such program, or no such folder to start it in',
  );
});

test("what a server prints on stdout by mistake does no harm, and is told like its stderr", async () => {
  const heard: string[] = [];
  const server = script(
    `console.log("Server is running!");
     console.error("on stderr");
     const hear = ({ id }) => say({ id, result: hands });`,
    { stderr: (line) => heard.push(line) },
  );
  const client = await connected(server, pinned);
  await client.ping();
  await until(() => heard.length === 2);
  expect(heard.sort()).toEqual(["Server is running!", "on stderr"]);
});

test("JSON that is no message is told like any other line, and a long line whole", async () => {
  const heard: string[] = [];
  const server = script(
    `for (const line of ['{"level":30,"msg":"log"}', '"text"']) console.log(line);
     console.error("x".repeat(200000) + "end");
     const hear = ({ id }) => say({ id, result: hands });`,
    { stderr: (line) => heard.push(line) },
  );
  await connected(server, pinned);
  await until(() => heard.some((line) => line.endsWith("end")));
  expect(heard.find((line) => line.endsWith("end"))?.length).toBe(200_003);
  expect(heard).toEqual(expect.arrayContaining(['{"level":30,"msg":"log"}', '"text"']));
});

test("a server gets what programs need of the environment, what it is given, and no secrets", async () => {
  process.env["TOOLWRIGHT_TEST_SECRET"] = "hunter2";
  onTestFinished(() => void delete process.env["TOOLWRIGHT_TEST_SECRET"]);
  const server = script(
    `const { PATH, TOOLWRIGHT_TEST_SECRET, GIVEN } = process.env;
     const hear = ({ id }) => say({ id, result: { ...hands, seen: [PATH !== undefined, TOOLWRIGHT_TEST_SECRET ?? null, GIVEN] } });`,
    { env: { GIVEN: "yes" } },
  );
  const client = await connected(server, pinned);
  expect((await client.request("x"))["seen"]).toEqual([true, null, "yes"]);
});

test("a message over the limit breaks the connection instead of filling the memory", async () => {
  const server = script(`const hear = ({ id, method }) =>
    say({ id, result: method === "initialize" ? hands : { pad: "x".repeat(20000) } });`);
  const client = await connected(server, { ...pinned, messageBytes: 10_000 });
  await expect(client.ping()).rejects.toThrow(/^The server sent what cannot be read: .*the limit is 10000$/);
});

test("questions and answers pass each other, and a question that is withdrawn is not answered", async () => {
  const server = script(`const hear = ({ id, method, result, error }) => {
    if (method === "initialize") return say({ id, result: hands });
    if (method === "tools/call") {
      for (const question of [1, 2]) say({ id: question, method: "elicitation/create", params: { message: "q" + question, requestedSchema: {} } });
      say({ id: 3, method: "unheard/of" });
      say({ method: "notifications/cancelled", params: { requestId: 1 } });
      globalThis.call = id;
      globalThis.heard = [];
    }
    if (method === undefined) {
      heard.push([id, result?.action ?? error?.code]);
      if (heard.length === 2) setTimeout(() => say({ id: call, result: { content: [], structuredContent: { heard } } }), 100);
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
    heard: [
      [3, -32601],
      [2, "decline"],
    ],
  });
  expect(withdrawn).toEqual(["q1"]);
});

test("the time that a person takes to answer is not the server's", async () => {
  const server = script(`const hear = ({ id, method, result }) => {
    if (method === "initialize") return say({ id, result: hands });
    if (method === "tools/call") {
      globalThis.call = id;
      say({ id: 1, method: "elicitation/create", params: { message: "?", requestedSchema: {} } });
    }
    if (method === undefined) say({ id: call, result: { content: [{ type: "text", text: result.action }] } });
  };`);
  const onElicit = async () => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    return { action: "cancel" } as const;
  };
  const client = await connected(server, { ...pinned, onElicit });
  expect((await client.callTool("x", {}, { timeoutMs: 1000 })).content).toEqual([{ type: "text", text: "cancel" }]);
});

test("a server that does not go when nobody needs it any more is made to", async () => {
  const file = scratch();
  const server = script(`const { writeFileSync } = require("node:fs");
    process.on("SIGTERM", () => writeFileSync(${JSON.stringify(file)}, "asked to go"));
    setInterval(() => undefined, 1000);
    const hear = ({ id }) => say({ id, result: { ...hands, pid: process.pid } });`);
  const client = await connect(server, pinned);
  const { pid } = await client.request("x");
  await client.close();
  expect(() => process.kill(pid as number, 0)).toThrow("ESRCH");
  expect(existsSync(file) && readFileSync(file, "utf8")).toBe("asked to go");
});
