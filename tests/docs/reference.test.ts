import { type Call, createServer, type Server, type ServerOptions, type Tool, tool } from "@toolwright/engine";
import type { AuthOptions, HttpOptions, SessionStore } from "@toolwright/engine/http";
import type { UnixSocketOptions } from "@toolwright/engine/sockets";
import type { TaskOptions, TaskStore } from "@toolwright/engine/tasks";
import { connectTestClient, type TestClient, type TestClientOptions } from "@toolwright/engine/testing";
import type { LargeResultsOptions } from "@toolwright/engine/types";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { blocksOf, readPage, rowsOf, sectionOf } from "./pages.js";

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
      middleware: true,
      log: true,
      secret: true,
      onCall: true,
      protocol: true,
      toolOptions: true,
      limits: true,
      tasks: true,
      largeResults: true,
      recorder: true,
      redact: true,
      telemetry: true,
      compat: true,
    };
    expect(namesOf(rowsOf(sectionOf(reference, "Options")))).toEqual(Object.keys(options));
    expect(Object.keys(options).length).toBeLessThanOrEqual(25);
  });

  test("the options of each group", () => {
    type Group<Name extends "protocol" | "toolOptions" | "compat"> = Record<
      keyof NonNullable<ServerOptions[Name]>,
      true
    >;
    const protocol: Group<"protocol"> = {
      revisions: true,
      features: true,
      includeServerInfo: true,
      listCache: true,
      keepAlive: true,
      clientLog: true,
    };
    const toolOptions: Group<"toolOptions"> = {
      filter: true,
      discovery: true,
      vendorSchemas: true,
      onInvalidTool: true,
      correctArguments: true,
      unknownArguments: true,
      overrides: true,
    };
    const compat: Group<"compat"> = {
      lifecycle: true,
      capabilities: true,
      missingId: true,
      validationErrors: true,
      errors: true,
      batch: true,
      inputAliases: true,
      snakeCaseVersion: true,
      directToolMethods: true,
      toolLists: true,
      toolResults: true,
      rejectionLevel: true,
    };
    for (const [heading, options] of Object.entries({ protocol, toolOptions, compat }))
      expect(namesOf(rowsOf(sectionOf(reference, `\`${heading}\``)))).toEqual(Object.keys(options));
    const limits = Object.keys({ rate: true, requestRate: true, perPrincipal: true });
    expect(namesOf(rowsOf(sectionOf(reference, "`limits`")))).toEqual(limits);
  });

  test("the members of a call", () => {
    const members: Record<keyof Call, true> = {
      progress: true,
      signal: true,
      log: true,
      supports: true,
      elicit: true,
      elicitUrl: true,
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
      replacedBy: true,
      scopes: true,
      timeoutMs: true,
      calls: true,
      rate: true,
      taskSupport: true,
      budgetBytes: true,
      correctArguments: true,
      unknownArguments: true,
      normalizeInput: true,
      formatValidationError: true,
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
      notifyResourceUpdated: true,
      notifyResourceListChanged: true,
      completeElicitation: true,
      log: true,
      openSession: true,
      receive: true,
      rejectMessage: true,
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
      compression: true,
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
    expect(namesOf(rowsOf(sectionOf(httpReference, "Session store")))).toEqual(Object.keys(members));
  });

  test("the options of serveUnixSocket", () => {
    const options: Record<keyof UnixSocketOptions, true> = { mode: true, connections: true, streamBytes: true };
    const rows = rowsOf(sectionOf(readPage("docs/guides/sockets.md"), "Unix domain sockets"));
    expect(namesOf(rows)).toEqual(Object.keys(options));
  });

  test("the options of auth", () => {
    const options: Record<keyof AuthOptions, true> = {
      issuer: true,
      audience: true,
      scopes: true,
      impliedScopes: true,
      jwksUri: true,
      introspection: true,
      clockSkewMs: true,
      apiKeys: true,
      authenticate: true,
      selfCheck: true,
    };
    const rows = rowsOf(sectionOf(readPage("docs/guides/authorization.md"), "Options"));
    expect(namesOf(rows)).toEqual(Object.keys(options));
  });

  test("the options of tasks, and the members of their store", () => {
    const tasks = readPage("docs/guides/tasks.md");
    const options: Record<keyof TaskOptions, true> = {
      store: true,
      promoteAfterMs: true,
      ttlMs: true,
      maxTtlMs: true,
      pollMs: true,
      graceMs: true,
    };
    const names = namesOf(rowsOf(sectionOf(tasks, "Which calls become tasks"))).filter(
      (name) => !name.startsWith("taskSupport"),
    );
    expect(names).toEqual(Object.keys(options));
    const members: Record<keyof TaskStore, true> = {
      create: true,
      get: true,
      update: true,
      list: true,
      watch: true,
      close: true,
    };
    expect(namesOf(rowsOf(sectionOf(tasks, "The store")))).toEqual(Object.keys(members));
  });

  test("the options of results", () => {
    const options: Record<keyof LargeResultsOptions, true> = {
      budgetBytes: true,
      ttlMs: true,
      memoryBytes: true,
      maxResults: true,
    };
    const rows = rowsOf(sectionOf(readPage("docs/guides/large-results.md"), "Large results"));
    expect(namesOf(rows)).toEqual(Object.keys(options));
  });

  test("the test kit", () => {
    const testing = readPage("docs/guides/testing.md");
    const options: Record<keyof TestClientOptions, true> = {
      revision: true,
      responses: true,
      samples: true,
      roots: true,
      capabilities: true,
      logLevel: true,
      principal: true,
    };
    expect(namesOf(rowsOf(sectionOf(testing, "connectTestClient\\(server, options\\)")))).toEqual(Object.keys(options));
    const members: Record<Exclude<keyof TestClient, "open" | "revision">, true> = {
      callTool: true,
      readResource: true,
      getPrompt: true,
      listTools: true,
      listResources: true,
      listPrompts: true,
      request: true,
      startRequest: true,
      notify: true,
      send: true,
      sendText: true,
      received: true,
      conversation: true,
      close: true,
    };
    expect(namesOf(rowsOf(sectionOf(testing, "The test client")))).toEqual(Object.keys(members));
  });
});

describe("corrected and rejected arguments", () => {
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
  const open = () => connectTestClient(createServer({ name: "search", version: "1.0.0", tools: [search] }));
  const textOf = (result: object) =>
    (result as { content: readonly { text: string }[] }).content.map(({ text }) => text);
  const printed = blocksOf(reference)
    .filter(({ words }) => words[0] === "text")
    .map(({ code }) => code.trimEnd());

  test("is as the page shows it", async () => {
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
