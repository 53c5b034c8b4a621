import { spawnSync } from "node:child_process";
import {
  type AuthOptions,
  type Call,
  createServer,
  type HttpOptions,
  type ResultsOptions,
  type Server,
  type ServerOptions,
  type SessionStore,
  type TaskOptions,
  type TaskStore,
  type Tool,
  tool,
  type UnixSocketOptions,
} from "@toolwright/engine";
import { type ConnectOptions, connect, type TestClient } from "@toolwright/engine/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { blocksOf, readPage, root, rowsOf, sectionOf } from "./pages.js";

const reference = readPage("docs/reference/server-options.md");
const httpReference = readPage("docs/reference/http-options.md");
/** The words in backquotes of the first cells. */
const namesOf = (rows: readonly string[][]) =>
  rows.flatMap(([cell = ""]) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name.replace(/\(.*/, "")));

describe("tables name all that there is:", () => {
  test("the options of createServer", () => {
    const options: Record<keyof ServerOptions, true> = {
      name: true,
      version: true,
      title: true,
      description: true,
      websiteUrl: true,
      icons: true,
      instructions: true,
      tools: true,
      prompts: true,
      resources: true,
      packs: true,
      dynamic: true,
      selection: true,
      discovery: true,
      profiles: true,
      badTools: true,
      listCache: true,
      identify: true,
      repair: true,
      unknownArguments: true,
      limits: true,
      tasks: true,
      results: true,
      rate: true,
      perPrincipal: true,
      keepAlive: true,
      layers: true,
      telemetry: true,
      recorder: true,
      secret: true,
      observe: true,
      log: true,
      redact: true,
      sanitise: true,
      revisions: true,
      lifecycle: true,
      validationErrors: true,
      batch: true,
      inputAliases: true,
      directToolMethods: true,
      legacyCodes: true,
    };
    const headings = ["What the server is and offers", "How it behaves", "How it treats clients"];
    expect(headings.flatMap((heading) => namesOf(rowsOf(sectionOf(reference, heading))))).toEqual(Object.keys(options));
  });

  test("the members of a call", () => {
    const members: Record<keyof Call, true> = {
      progress: true,
      signal: true,
      log: true,
      can: true,
      ask: true,
      visit: true,
      sample: true,
      roots: true,
      caller: true,
      principal: true,
      scopes: true,
      http: true,
      trace: true,
    };
    const rows = rowsOf(sectionOf(readPage("docs/guides/writing-tools.md"), "During a call"));
    expect(namesOf(rows)).toEqual(Object.keys(members).map((name) => `call.${name}`));
  });

  test("the members of a tool", () => {
    const members: Record<keyof Tool, true> = {
      name: true,
      description: true,
      run: true,
      title: true,
      icons: true,
      annotations: true,
      meta: true,
      input: true,
      output: true,
      ui: true,
      toolset: true,
      aliases: true,
      scopes: true,
      timeoutMs: true,
      calls: true,
      rate: true,
      long: true,
      budgetBytes: true,
      repair: true,
      unknownArguments: true,
      wordRefusal: true,
    };
    const rows = rowsOf(sectionOf(readPage("docs/guides/writing-tools.md"), "Writing tools"));
    expect(namesOf(rows)).toEqual(Object.keys(members));
  });

  test("the members of a server", () => {
    const members: Record<keyof Server, true> = {
      start: true,
      reconfigure: true,
      drain: true,
      isDraining: true,
      close: true,
      name: true,
      version: true,
      limits: true,
      metrics: true,
      recorder: true,
      redaction: true,
      revisions: true,
      tools: true,
      prompts: true,
      resources: true,
      toolsets: true,
      select: true,
      addTool: true,
      removeTool: true,
      addPrompt: true,
      removePrompt: true,
      addResource: true,
      removeResource: true,
      resourceChanged: true,
      resourceListChanged: true,
      visitDone: true,
      log: true,
      openSession: true,
      receive: true,
      refuse: true,
    };
    expect(namesOf(rowsOf(sectionOf(reference, "The server")))).toEqual(Object.keys(members));
  });

  test("the options of serveHttp, and the members of a store of sessions", () => {
    const options: Record<keyof HttpOptions, true> = {
      host: true,
      port: true,
      path: true,
      publicUrl: true,
      allowedHosts: true,
      allowedOrigins: true,
      auth: true,
      tls: true,
      trustProxy: true,
      sessions: true,
      sse: true,
      webSocket: true,
      rate: true,
      pollAfterMs: true,
      metrics: true,
      pages: true,
      limits: true,
    };
    expect(namesOf(rowsOf(sectionOf(httpReference, "Options")))).toEqual(Object.keys(options));
    const members: Record<keyof SessionStore, true> = {
      save: true,
      find: true,
      delete: true,
      append: true,
      eventsAfter: true,
    };
    expect(namesOf(rowsOf(sectionOf(httpReference, "The store of sessions")))).toEqual(Object.keys(members));
  });

  test("the options of serveUnixSocket", () => {
    const options: Record<keyof UnixSocketOptions, true> = { mode: true, connections: true, streamBytes: true };
    const rows = rowsOf(sectionOf(readPage("docs/guides/sockets.md"), "A socket of the file system"));
    expect(namesOf(rows)).toEqual(Object.keys(options));
  });

  test("the options of auth", () => {
    const options: Record<keyof AuthOptions, true> = {
      issuer: true,
      audience: true,
      scopes: true,
      covers: true,
      jwksUri: true,
      introspection: true,
      algorithms: true,
      clockSkewMs: true,
      apiKeys: true,
      authenticate: true,
      selfCheck: true,
    };
    const rows = rowsOf(sectionOf(readPage("docs/guides/authorization.md"), "The options"));
    expect(namesOf(rows)).toEqual(Object.keys(options));
  });

  test("the options of toolwright serve, which its help names too", () => {
    const rows = rowsOf(sectionOf(readPage("docs/reference/command-line.md"), "Options of serve"));
    const { stdout } = spawnSync(process.execPath, [`${root}packages/toolwright/dist/main.js`, "serve", "--help"], {
      encoding: "utf8",
    });
    const inHelp = [...stdout.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, name]) => name);
    expect(inHelp).toContain("--http");
    expect(namesOf(rows).map((name) => name.split(" ")[0])).toEqual(inHelp);
  });

  test("the options of tasks, and the members of their store", () => {
    const tasks = readPage("docs/guides/tasks.md");
    const options: Record<keyof TaskOptions, true> = {
      store: true,
      promoteAfterMs: true,
      ttlMs: true,
      mostTtlMs: true,
      pollMs: true,
      graceMs: true,
    };
    const names = namesOf(rowsOf(sectionOf(tasks, "Which calls become tasks"))).filter(
      (name) => !name.startsWith("long"),
    );
    expect(names).toEqual(Object.keys(options));
    const members: Record<keyof TaskStore, true> = {
      create: true,
      get: true,
      change: true,
      list: true,
      watch: true,
      close: true,
    };
    expect(namesOf(rowsOf(sectionOf(tasks, "The store")))).toEqual(Object.keys(members));
  });

  test("the options of results", () => {
    const options: Record<keyof ResultsOptions, true> = {
      budgetBytes: true,
      ttlMs: true,
      memoryBytes: true,
      directory: true,
      diskBytes: true,
      most: true,
    };
    const rows = rowsOf(sectionOf(readPage("docs/guides/results.md"), "Large results"));
    expect(namesOf(rows)).toEqual(Object.keys(options));
  });

  test("the test kit", () => {
    const testing = readPage("docs/guides/testing.md");
    const options: Record<keyof ConnectOptions, true> = {
      revision: true,
      answers: true,
      samples: true,
      roots: true,
      capabilities: true,
      logLevel: true,
      principal: true,
    };
    expect(namesOf(rowsOf(sectionOf(testing, "connect\\(server, options\\)")))).toEqual(Object.keys(options));
    const members: Record<Exclude<keyof TestClient, "open" | "revision">, true> = {
      callTool: true,
      readResource: true,
      getPrompt: true,
      listTools: true,
      listResources: true,
      listPrompts: true,
      request: true,
      start: true,
      notify: true,
      say: true,
      sayText: true,
      heard: true,
      conversation: true,
      close: true,
    };
    expect(namesOf(rowsOf(sectionOf(testing, "The client")))).toEqual(Object.keys(members));
  });
});

describe("what is mended and what is refused", () => {
  const search = tool({
    name: "search",
    description: "Searches.",
    input: z.object({
      mode: z.enum(["Fast", "Slow"]),
      limit: z.number().int().min(1).max(100).optional(),
      userId: z.number().int(),
      ratio: z.number().optional(),
      active: z.boolean().optional(),
      tags: z.array(z.string()).optional(),
      note: z.string().optional(),
    }),
    run: (input) => JSON.stringify(input),
  });
  const open = () => connect(createServer({ name: "search", version: "1.0.0", tools: [search] }));
  const textOf = (result: object) =>
    (result as { content: readonly { text: string }[] }).content.map(({ text }) => text);
  const printed = blocksOf(reference)
    .filter(({ words }) => words[0] === "text")
    .map(({ code }) => code.trimEnd());

  test("is told as it is printed", async () => {
    const client = await open();
    const mended = await client.callTool("search", { user_id: "5", mode: "Fast" });
    expect(textOf(mended)[1]).toBe(printed[0]);
    const refused = await client.callTool("search", { mode: "Fast", limt: 3 });
    expect(textOf(refused)).toEqual([printed[1]]);
  });

  test.each([
    [{ user_id: 5, mode: "Fast" }, { userId: 5 }],
    [{ "User-Id": 5, mode: "Fast" }, { userId: 5 }],
    [
      { userId: "5", ratio: "-2.5", mode: "Fast" },
      { userId: 5, ratio: -2.5 },
    ],
    [
      { userId: 5, mode: "FAST", active: "true", tags: '["a"]' },
      { mode: "Fast", active: true, tags: ["a"] },
    ],
  ])("%j is mended", async (args, expected) => {
    const [text = ""] = textOf(await (await open()).callTool("search", args));
    expect(JSON.parse(text)).toMatchObject(expected);
  });

  test.each([
    { limt: 3 },
    { user_id: 6 },
    { ratio: "05" },
    { ratio: "1e3" },
    { ratio: "5.0" },
    { ratio: " 5" },
    { limit: 5.5 },
    { limit: 1000 },
    { active: "yes" },
    { active: 1 },
    { mode: "Fats" },
    { tags: "a" },
    { tags: "a,b" },
    { note: 7 },
    { note: null },
  ])("%j is refused", async (args) => {
    const result = await (await open()).callTool("search", { userId: 5, mode: "Fast", ...args });
    expect(result).toMatchObject({ isError: true, structuredContent: { code: "INVALID_ARGUMENTS" } });
  });
});
