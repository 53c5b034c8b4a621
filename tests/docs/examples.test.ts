import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { transformSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Child, type Message } from "../../packages/engine/test/stdio/child.js";
import { type Block, blocksOf, readPages, root } from "./pages.js";

// Inside the project, so that the examples find the packages as an author's own files would.
const folder = `${root}node_modules/.cache/toolwright-examples-${process.pid}/`;
const isExample = ({ words }: Block) => ["js", "ts"].includes(words[0] ?? "") && !words.includes("fragment");
const examples = readPages().flatMap(blocksOf).filter(isExample);
const isServer = ({ code }: Block) => code.includes("await serveStdio(");
const isListening = ({ words }: Block) => words.includes("listening");
const named = (blocks: readonly Block[]) =>
  blocks.map((block): [string, Block] => [`${block.page}:${block.line}`, block]);

beforeAll(() => void mkdirSync(folder, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes an example as a module that Node can run. */
function write({ page, line, words, code }: Block): string {
  const file = `${folder}${page.replaceAll(/\W/g, "-")}-${line}.mjs`;
  writeFileSync(file, words[0] === "ts" ? transformSync(code, { loader: "ts", format: "esm" }).code : code);
  return file;
}

const run = (block: Block) => new Child(process.execPath, [write(block)]);

/** What the client says to a question of the handshake era: the person says no, the model says a word. */
type Reply = (question: Message) => Message;
const decline: Reply = ({ method }) => {
  if (method === "roots/list") return { roots: [{ uri: "file:///project" }] };
  if (method !== "sampling/createMessage") return { action: "decline" };
  return { role: "assistant", content: { type: "text", text: "A word." }, model: "test-model" };
};

/** Sends a request, answers every question of the server meanwhile, and gives the answer. */
async function request(child: Child, id: number, method: string, params: Message, reply = decline): Promise<Message> {
  const replied = new Set<unknown>(child.messages);
  child.send({ jsonrpc: "2.0", id, method, params });
  for (;;) {
    const find = () => child.messages.find((message) => message["id"] === id && !("method" in message));
    const ask = () => child.messages.find((message) => "method" in message && "id" in message && !replied.has(message));
    await child.until(() => find() !== undefined || ask() !== undefined, `an answer to ${method}`);
    const question = ask();
    if (question === undefined) return find() as Message;
    replied.add(question);
    child.send({ jsonrpc: "2.0", id: question["id"], result: reply(question) });
  }
}

async function initialize(child: Child): Promise<Message> {
  const capabilities = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };
  const params = { capabilities, clientInfo: { name: "test", version: "1.0.0" } };
  const answer = await request(child, 0, "initialize", { protocolVersion: "2025-11-25", ...params });
  expect(answer).toMatchObject({ result: { protocolVersion: "2025-11-25" } });
  child.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return (answer["result"] as { capabilities: Message }).capabilities;
}

/** Sends requests one after the other, and gives their results. */
type Ask = <Result = Message>(method: string, params?: Message) => Promise<Result>;

/** Sends requests to a server over HTTP, in one session. */
async function openHttp(url: string): Promise<Ask> {
  let id = 0;
  const headers: Record<string, string> = { "content-type": "application/json" };
  const post = (message: Message) =>
    fetch(url, { method: "POST", headers, body: JSON.stringify({ jsonrpc: "2.0", ...message }) });
  const ask: Ask = async <Result>(method: string, params: Message = {}) => {
    id += 1;
    const response = await post({ id, method, params });
    const session = response.headers.get("mcp-session-id");
    if (session !== null) headers["mcp-session-id"] = session;
    const answer = (await response.json()) as Message;
    expect(answer, method).toHaveProperty("result");
    return answer["result"] as Result;
  };
  const clientInfo = { name: "test", version: "1.0.0" };
  await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  expect((await post({ method: "notifications/initialized" })).status).toBe(202);
  return ask;
}

async function useTools(ask: Ask): Promise<void> {
  const { tools } = await ask<{ tools: { name: string; annotations?: { destructiveHint?: boolean } }[] }>("tools/list");
  expect(tools).not.toEqual([]);
  for (const { name, annotations } of tools) {
    const call = (args: unknown) => ask("tools/call", { name, arguments: args });
    let result = await call({});
    // A refusal shows a call that would do, but none with values of its own for what destroys.
    const shown = (result["structuredContent"] ?? {}) as { example?: Message };
    const example = annotations?.destructiveHint === true ? { file: "a.txt" } : shown.example;
    if (example !== undefined) result = await call(example);
    expect(JSON.stringify(result), name).not.toMatch(/failed unexpectedly|INVALID_ARGUMENTS|TIMEOUT/);
    expect(result["content"], name).toEqual([{ type: "text", text: expect.any(String) as string }]);
  }
}

async function readResources(ask: Ask): Promise<void> {
  const { resources } = await ask<{ resources: { uri: string }[] }>("resources/list");
  const { resourceTemplates } = await ask<{ resourceTemplates: object[] }>("resources/templates/list");
  expect([...resources, ...resourceTemplates]).not.toEqual([]);
  for (const { uri } of resources)
    expect(await ask("resources/read", { uri })).toMatchObject({
      contents: [{ uri, text: expect.any(String) as string }],
    });
}

async function getPrompts(ask: Ask, completes: boolean): Promise<void> {
  type Listed = { name: string; arguments?: { name: string }[] };
  const { prompts } = await ask<{ prompts: Listed[] }>("prompts/list");
  expect(prompts).not.toEqual([]);
  for (const { name, arguments: fields = [] } of prompts) {
    const given: Record<string, string> = {};
    for (const field of fields) {
      given[field.name] = "1";
      if (!completes) continue;
      const params = { ref: { type: "ref/prompt", name }, argument: { name: field.name, value: "" } };
      const { completion } = await ask<{ completion: { values: string[] } }>("completion/complete", params);
      given[field.name] = completion.values[0] ?? "1";
    }
    const { messages } = await ask<{ messages: object[] }>("prompts/get", { name, arguments: given });
    expect(messages, name).not.toEqual([]);
  }
}

async function expectGoodEnd(child: Child): Promise<void> {
  child.process.stdin.end();
  expect(await child.ended).toEqual({ code: 0, signal: null });
  expect({ stderr: unexpectedLines(child), unfinished: child.unfinished }).toEqual({ stderr: "", unfinished: "" });
}

/** What a program wrote to stderr, without the lines about calls of the test that lack required arguments. */
const unexpectedLines = ({ stderr }: Child): string =>
  stderr.replaceAll(/^\[WARNING\].* tools\/call rejected: .*\n/gm, "");

describe("every example of the documentation", () => {
  test("is found", () => {
    const pages = new Set(examples.map(({ page }) => page));
    // The pack of docs/guides/packs.md needs the built package: packages/toolwright/test/packs/guide.test.ts runs it.
    const guides = [
      "writing-tools",
      "elicitation",
      "resources",
      "prompts",
      "tasks",
      "large-results",
      "apps",
      "testing",
      "http",
      "authorization",
      "sockets",
      "client",
      "middleware",
      "observability",
      "recording",
      "workstation",
      "tool-lists",
      "migrating-from-sdk-1",
      "migrating-from-sdk-2",
      "migrating-from-fastmcp",
    ];
    for (const page of ["README.md", "docs/tutorial.md", ...guides.map((guide) => `docs/guides/${guide}.md`)])
      expect([...pages]).toContain(page);
  });

  test.each(named(examples.filter(isServer)))("%s serves everything that it offers", async (_name, block) => {
    const child = run(block);
    const { tools, resources, prompts, completions } = await initialize(child);
    let id = 0;
    const ask: Ask = async <Result>(method: string, params: Message = {}) => {
      id += 1;
      const answer = await request(child, id, method, params);
      expect(answer, method).toHaveProperty("result");
      return answer["result"] as Result;
    };
    expect([tools, resources, prompts]).toContainEqual(expect.any(Object));
    if (tools !== undefined) await useTools(ask);
    if (resources !== undefined) await readResources(ask);
    if (prompts !== undefined) await getPrompts(ask, completions !== undefined);
    await expectGoodEnd(child);
  });

  test.each(named(examples.filter(isListening)))("%s serves whoever connects", async (_name, block) => {
    expect(block.code).toContain("port: 3000");
    const child = run({ ...block, code: block.code.replace("port: 3000", "port: 0") });
    await child.until(() => child.lines.length > 0, "its address");
    const [, url = ""] = /(http:\S+)/.exec(child.lines[0] ?? "") ?? [];
    await useTools(await openHttp(url));
    child.process.kill("SIGTERM");
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(unexpectedLines(child)).toBe("");
  });

  test.each(named(examples.filter((block) => !isServer(block) && !isListening(block))))(
    "%s runs to its end",
    async (_name, block) => {
      const child = run(block);
      child.process.stdin.end();
      const ending = await child.ended;
      expect({
        ...ending,
        // An example may show options without serving the server.
        stderr: unexpectedLines(child).replace(/^The server ".*" was created and never served: .*\n/m, ""),
        failed: child.lines.filter((line) => /^\s*not ok/.test(line)),
      }).toEqual({
        code: 0,
        signal: null,
        stderr: "",
        failed: [],
      });
    },
  );

  test("is right in its types, as an author sees those of the packages", () => {
    const files = examples.map(({ page, line, words, code }) => {
      const file = `${folder}types-${page.replaceAll(/\W/g, "-")}-${line}.${words[0] === "ts" ? "mts" : "mjs"}`;
      writeFileSync(file, code);
      return file;
    });
    const compilerOptions = { customConditions: [], allowJs: true, checkJs: true, noImplicitAny: false };
    const config = `${folder}tsconfig.json`;
    writeFileSync(config, JSON.stringify({ extends: `${root}tsconfig.json`, compilerOptions, include: [], files }));
    const { stdout } = spawnSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "-p", config], {
      encoding: "utf8",
    });
    expect(stdout).toBe("");
  });
});

describe("the example of the README", () => {
  const [deploy] = examples.filter(({ page }) => page === "README.md") as [Block];
  const params = { name: "deploy", arguments: { service: "shop", env: "staging" } };
  const message = "Deploy shop to staging?";
  const requestedSchema = { type: "object", properties: { sure: { type: "boolean" } }, required: ["sure"] };
  const done = {
    content: [{ type: "text", text: '{"url":"https://shop.staging.example"}' }],
    isError: false,
    structuredContent: { url: "https://shop.staging.example" },
  };

  test("asks in the middle of the call for 2025-11-25", async () => {
    const child = run(deploy);
    await initialize(child);
    const questions: Message[] = [];
    const accept: Reply = (question) => {
      questions.push(question);
      return { action: "accept", content: { sure: true } };
    };
    const withProgress = { ...params, _meta: { progressToken: "token" } };
    expect(await request(child, 1, "tools/call", withProgress, accept)).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: done,
    });
    expect(questions).toEqual([
      {
        jsonrpc: "2.0",
        id: 1,
        method: "elicitation/create",
        params: { message, requestedSchema, _meta: { "toolwright/inputRequest": "confirm" } },
      },
    ]);
    expect(child.messages.filter(({ method }) => method === "notifications/progress")).toEqual([
      {
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: "token", progress: 0.5, message: "uploading" },
      },
    ]);
    expect(await request(child, 2, "tools/call", params)).toEqual({
      jsonrpc: "2.0",
      id: 2,
      result: { content: [{ type: "text", text: "Not deployed." }], isError: false },
    });
    await expectGoodEnd(child);
  });

  test("asks between two calls for 2026-07-28", async () => {
    const child = run(deploy);
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
    };
    const identity = { "io.modelcontextprotocol/serverInfo": { name: "deployer", version: "1.0.0" } };
    const first = await request(child, 1, "tools/call", { ...params, _meta });
    const requestState: unknown = expect.any(String);
    expect(first).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: {
        resultType: "input_required",
        inputRequests: { confirm: { method: "elicitation/create", params: { message, requestedSchema } } },
        requestState,
        _meta: identity,
      },
    });
    const again = {
      ...params,
      _meta,
      inputResponses: { confirm: { action: "accept", content: { sure: true } } },
      requestState: (first["result"] as Message)["requestState"],
    };
    expect(await request(child, 2, "tools/call", again)).toEqual({
      jsonrpc: "2.0",
      id: 2,
      result: { resultType: "complete", ...done, _meta: identity },
    });
    await expectGoodEnd(child);
  });
});
