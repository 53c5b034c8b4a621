import { prompt, resource, resourceTemplate, type ServerOptions, tool } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { HANDSHAKE, onRevisions, STATELESS } from "../support/every-revision.js";
import { serverWith } from "./server.js";

const LISTS = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"] as const;
const kept = { ttlMs: 60_000, scope: "public" } as const;
const numbered = (count: number) => Array.from({ length: count }, (_, at) => String(at));
const serve = (options: Partial<ServerOptions> = {}) =>
  serverWith(
    numbered(3).map((at) => tool({ name: `t${at}`, description: "d", run: () => "" })),
    {
      prompts: numbered(3).map((at) => prompt({ name: `p${at}`, description: "d", run: () => "" })),
      resources: [
        ...numbered(3).map((at) => resource({ uri: `x:${at}`, name: at, read: () => at })),
        resource({ uri: "x:kept", name: "kept", cache: kept, read: () => "kept" }),
        ...numbered(3).map((at) =>
          resourceTemplate({ uri: `y${at}:{id}`, name: at, cache: { ttlMs: 5, scope: "private" }, read: () => at }),
        ),
      ],
      ...options,
    },
  );

describe("cache hints", () => {
  onRevisions([STATELESS], "default to no caching [CACHE-01 CACHE-04]", async (open) => {
    const client = await open(serve());
    for (const method of ["server/discover", ...LISTS])
      expect(await client.request(method), method).toMatchObject({ ttlMs: 0, cacheScope: "private" });
    expect(await client.request("resources/read", { uri: "x:0" })).toMatchObject({ ttlMs: 0, cacheScope: "private" });
  });

  onRevisions([STATELESS], "are the same on all pages of a list [CACHE-01 CACHE-02 CACHE-03]", async (open) => {
    const client = await open(
      serve({
        limits: { pageSize: 2 },
        protocol: {
          listCache: {
            tools: { ttlMs: 1, scope: "public" },
            prompts: { ttlMs: 2, scope: "private" },
            resources: { ttlMs: 3, scope: "public" },
            resourceTemplates: { ttlMs: 4, scope: "private" },
          },
        },
      }),
    );
    for (const [method, ttlMs, cacheScope] of [
      ["tools/list", 1, "public"],
      ["prompts/list", 2, "private"],
      ["resources/list", 3, "public"],
      ["resources/templates/list", 4, "private"],
    ] as const) {
      const first = await client.request(method);
      const second = await client.request(method, { cursor: first["nextCursor"] as string });
      for (const page of [first, second]) expect(page, method).toMatchObject({ ttlMs, cacheScope });
    }
  });

  onRevisions([STATELESS], "of a list apply to the pages with resources of templates too [CACHE-02]", async (open) => {
    const family = resourceTemplate({
      uri: "x:{id}",
      name: "x",
      list: (cursor) =>
        cursor === undefined ? { resources: [{ uri: "x:1", name: "1" }], nextCursor: "1" } : { resources: [] },
      read: () => "",
    });
    const resources = { ttlMs: 3, scope: "public" } as const;
    const client = await open(
      serverWith([], { resources: [family], protocol: { listCache: { resources } }, limits: { pageSize: 1 } }),
    );
    const first = await client.request("resources/list");
    const second = await client.request("resources/list", { cursor: first["nextCursor"] as string });
    for (const page of [first, second]) expect(page).toMatchObject({ ttlMs: 3, cacheScope: "public" });
  });

  onRevisions(
    [STATELESS],
    "of a resource or a template apply to what is read from it [CACHE-01 CACHE-03]",
    async (open) => {
      const client = await open(serve());
      expect(await client.request("resources/read", { uri: "x:kept" })).toMatchObject({
        ttlMs: 60_000,
        cacheScope: "public",
      });
      expect(await client.request("resources/read", { uri: "y1:a" })).toMatchObject({
        ttlMs: 5,
        cacheScope: "private",
      });
    },
  );

  onRevisions(
    [STATELESS],
    "are absent from tools/call, prompts/get and completion/complete [CACHE-01]",
    async (open) => {
      const client = await open(serve());
      for (const [method, params] of [
        ["tools/call", { name: "t0" }],
        ["prompts/get", { name: "p0" }],
      ] as const) {
        const result = await client.request(method, params);
        expect(result).not.toHaveProperty("ttlMs");
        expect(result).not.toHaveProperty("cacheScope");
      }
    },
  );

  onRevisions(HANDSHAKE, "do not exist in revisions with a handshake [CACHE-01]", async (open) => {
    const client = await open(serve({ protocol: { listCache: { tools: kept, resources: kept } } }));
    for (const method of LISTS) expect(Object.keys(await client.request(method))).toHaveLength(1);
    expect(Object.keys(await client.request("resources/read", { uri: "x:kept" }))).toEqual(["contents"]);
  });

  onRevisions(
    [STATELESS],
    "are disabled for results that depend on an input response, also one of an earlier round [CACHE-04]",
    async (open) => {
      const asking = resource({
        uri: "x:a",
        name: "a",
        cache: kept,
        async read(call) {
          const form = { type: "object", properties: { page: { type: "string" } } } as const;
          const first = await call.elicit("first", "First?", form);
          const second = await call.elicit("second", "Second?", form);
          return `${first?.page} ${second?.page}`;
        },
      });
      const client = await open(serverWith([], { resources: [asking] }));
      const answer = (page: string) => ({ action: "accept", content: { page } });
      const first = await client.request("resources/read", { uri: "x:a" });
      const second = await client.request("resources/read", {
        uri: "x:a",
        inputResponses: { first: answer("1") },
        requestState: first["requestState"] as string,
      });
      for (const question of [first, second]) expect(question).not.toHaveProperty("ttlMs");
      const third = await client.request("resources/read", {
        uri: "x:a",
        inputResponses: { second: answer("2") },
        requestState: second["requestState"] as string,
      });
      expect(third).toMatchObject({ contents: [{ text: "1 2" }], ttlMs: 0, cacheScope: "private" });
    },
  );
});

test("an invalid cache hint is rejected in the definition [CACHE-01]", () => {
  expect(() => serve({ protocol: { listCache: { tools: { ttlMs: -1, scope: "public" } } } })).toThrow(
    new TypeError("Cannot create the server: protocol.listCache.tools.ttlMs must be a non-negative integer"),
  );
  expect(() => serve({ protocol: { listCache: { tasks: kept } as never } })).toThrow(
    "Cannot create the server: unknown option protocol.listCache.tasks; ",
  );
});
