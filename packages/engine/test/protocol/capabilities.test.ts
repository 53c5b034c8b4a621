import { content, type JsonObject, prompt, resource, resourceTemplate, text, tool } from "@toolwright/engine";
import { expect } from "vitest";
import { everyRevision, onRevisions, STATELESS } from "../support/every-revision.js";
import { createEcho, echo, messagesFrom, settled } from "./support.js";

type Open = Parameters<Parameters<typeof everyRevision>[1]>[0];

/** The capabilities that a server declares, by handshake or by discovery. */
async function declared(open: Open, revision: string, options: Parameters<typeof createEcho>[0]): Promise<unknown> {
  const client = await open(createEcho(options));
  if (revision === STATELESS) return (await client.request("server/discover"))["capabilities"];
  return (messagesFrom(client) as { result: JsonObject }[])[0]?.result["capabilities"];
}

const phrase = prompt({ name: "phrase", description: "d", run: () => "" });
const chosen = prompt({
  name: "chosen",
  description: "d",
  input: { type: "object", properties: { tone: { enum: ["dry", "warm"] } } },
  run: () => "",
});
const held = resource({ uri: "x:a", name: "a", read: () => "" });
const family = resourceTemplate({ uri: "x:{id}", name: "x", read: () => "" });
const completed = resourceTemplate({ uri: "x:{id}", name: "x", complete: { id: ["1"] }, read: () => "" });

everyRevision(
  "a capability is declared if the server has the feature or may get it later [CAP-01 CAP-02]",
  async (open, revision) => {
    const logging = {};
    const tools = { listChanged: true };
    const completions = revision === "2024-11-05" ? {} : { completions: {} };
    const prompts = { prompts: { listChanged: false } };
    const resources = { resources: { subscribe: true, listChanged: false } };
    for (const [options, capabilities] of [
      [{ tools: [echo] }, { tools: { listChanged: false } }],
      [{}, {}],
      [{ prompts: [] }, {}],
      [{ resources: [] }, {}],
      [{ prompts: [phrase] }, prompts],
      [{ prompts: [chosen] }, { ...prompts, ...completions }],
      [{ resources: [held] }, resources],
      [{ resources: [family] }, resources],
      [{ resources: [completed] }, { ...resources, ...completions }],
      [{ dynamic: true }, { tools }],
      [
        { dynamic: true, prompts: [] },
        { tools, prompts: { listChanged: true }, ...completions },
      ],
      [
        { dynamic: true, resources: [] },
        { tools, resources: { subscribe: true, listChanged: true }, ...completions },
      ],
    ] as const) {
      const seen = await declared(open, revision, { tools: [], ...options });
      expect(seen, JSON.stringify(options)).toEqual({ logging, ...capabilities });
    }
  },
);

everyRevision("a declared list can be empty, and an undeclared one does not exist [CAP-01]", async (open) => {
  const methods = {
    tools: "tools/list",
    prompts: "prompts/list",
    resources: "resources/list",
    resourceTemplates: "resources/templates/list",
  };
  const empty = await open(createEcho({ tools: [], prompts: [], resources: [], dynamic: true }));
  for (const [member, method] of Object.entries(methods)) expect((await empty.request(method))[member]).toEqual([]);
  await expect(
    empty.request("completion/complete", {
      ref: { type: "ref/prompt", name: "p" },
      argument: { name: "a", value: "" },
    }),
  ).rejects.toMatchObject({ code: -32602 });
  const none = await open(createEcho({ tools: [] }));
  for (const method of [
    ...Object.values(methods),
    "tools/call",
    "prompts/get",
    "resources/read",
    "completion/complete",
  ])
    await expect(none.request(method), method).rejects.toMatchObject({ code: -32601 });
});

onRevisions(["2024-11-05"], "completion is served without being declared [CAP-02]", async (open) => {
  const client = await open(createEcho({ prompts: [chosen] }));
  const ref = { type: "ref/prompt", name: "chosen" };
  const result = await client.request("completion/complete", { ref, argument: { name: "tone", value: "d" } });
  expect(result).toEqual({ completion: { values: ["dry"], total: 1, hasMore: false } });
});

everyRevision("listChanged is declared if the server sends change notifications [CAP-03]", async (open, revision) => {
  for (const listChanged of [false, true]) {
    const options = { dynamic: listChanged, prompts: [phrase], resources: [held] };
    expect(await declared(open, revision, options)).toMatchObject({
      tools: { listChanged },
      prompts: { listChanged },
      resources: { subscribe: true, listChanged },
    });
  }
  expect(() => createEcho().addTool({ ...echo, name: "second" })).toThrow("create the server with dynamic: true");
  const server = createEcho({ dynamic: true });
  const client = await open(server);
  if (revision === STATELESS)
    client.startRequest("subscriptions/listen", { notifications: { toolsListChanged: true } });
  server.addTool({ ...echo, name: "second" });
  await settled();
  expect(client.received("notifications/tools/list_changed")).toHaveLength(1);
});

everyRevision("no extension is declared by default, regardless of the client [CAP-06]", async (open, revision) => {
  const capabilities = { elicitation: {}, extensions: { "io.modelcontextprotocol/tasks": {}, "com.example/x": {} } };
  const client = await open(createEcho(), { capabilities });
  if (revision === STATELESS) await client.request("server/discover");
  await client.callTool("echo", { text: "a" });
  expect(JSON.stringify(messagesFrom(client))).not.toMatch(/extensions|tasks|com\.example/);
});

everyRevision("_meta of tools and content is sent from 2025-06-18 on [META-01]", async (open, revision) => {
  const noted = tool({
    name: "noted",
    description: "Has metadata.",
    meta: { "example.com/tool": 1 },
    run: () => content({ ...text("a"), _meta: { "example.com/block": 2 } }),
  });
  const client = await open(createEcho({ tools: [noted] }));
  const [listed] = await client.listTools();
  const { content: blocks } = await client.callTool("noted");
  const isWritten = revision >= "2025-06-18";
  expect(listed?.["_meta"]).toEqual(isWritten ? { "example.com/tool": 1 } : undefined);
  expect((blocks as JsonObject[])[0]?.["_meta"]).toEqual(isWritten ? { "example.com/block": 2 } : undefined);
});

/** Every key of every `_meta` in a value. */
function metaKeys(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inside]) => [
    ...(name === "_meta" ? Object.keys(inside as object) : []),
    ...metaKeys(inside),
  ]);
}

onRevisions(
  ["2025-06-18", "2025-11-25", "2026-07-28"],
  "_meta keys of our own have a lawful name and no reserved prefix [META-02 META-03]",
  async (open, revision) => {
    const asking = tool({
      name: "asking",
      description: "Asks.",
      input: { type: "object", properties: { count: { type: "integer" } } },
      run: async (_, call) => ((await call.elicit("sure", "Sure?", { type: "object", properties: {} })) ? "yes" : "no"),
    });
    const server = createEcho({ tools: [asking], dynamic: true });
    const client = await open(server, { responses: { sure: {} } });
    await client.callTool("asking", { count: "5" });
    if (revision === STATELESS)
      client.startRequest("subscriptions/listen", { notifications: { toolsListChanged: true } });
    server.addTool(echo);
    await settled();
    const own = [...new Set(metaKeys(messagesFrom(client)))].filter(
      (key) => !key.startsWith("io.modelcontextprotocol/"),
    );
    expect(own.toSorted()).toEqual(
      revision === STATELESS ? ["toolwright/corrections"] : ["toolwright/corrections", "toolwright/inputRequest"],
    );
    for (const key of own) {
      expect(key).toMatch(
        /^(?:[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*\/)?[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?$/,
      );
      expect(key).not.toMatch(/(?:^|\.)(?:mcp|modelcontextprotocol)[./]/);
    }
  },
);

everyRevision("trace fields of any form are accepted, and malformed ones are ignored [META-04]", async (open) => {
  const client = await open(createEcho());
  for (const trace of [
    {
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      tracestate: "vendor=1",
      baggage: "user=ada",
    },
    { traceparent: "nonsense", tracestate: "=", baggage: "\u0000" },
    { traceparent: 7, tracestate: null, baggage: { deep: [] } },
  ]) {
    const result = await client.callTool("echo", { text: "a" }, { _meta: trace as JsonObject });
    expect(result["content"]).toEqual([{ type: "text", text: "a" }]);
    expect(JSON.stringify(result)).not.toMatch(/trace|baggage/);
  }
});
