import {
  type Call,
  type JsonObject,
  type LogEntry,
  resource,
  resourceTemplate,
  type ServerOptions,
} from "@toolwright/engine";
import { connectTestClient, type TestClient } from "@toolwright/engine/testing";
import type { ListedResource, ResourcePage } from "@toolwright/engine/types";
import { describe, expect, test } from "vitest";
import { everyRevision } from "../support/every-revision.js";
import { serverWith } from "./server.js";

type List = (after: string | undefined, call: never) => unknown;

const single = (uri: string) => resource({ uri, name: uri, read: () => uri });
const listed = (uri: string): ListedResource => ({ uri, name: uri });
const family = (scheme: string, list: List) =>
  resourceTemplate({ uri: `${scheme}:{id}`, name: scheme, list: list as () => ResourcePage, read: () => "" });
/** A family whose list comes so many at a time. */
const paged = (scheme: string, count: number, most: number) =>
  family(scheme, (after) => {
    const from = after === undefined ? 0 : Number(after);
    const ids = Array.from({ length: Math.min(most, count - from) }, (_, at) => from + at);
    return {
      resources: ids.map((id) => listed(`${scheme}:${id}`)),
      ...(from + most < count && { nextCursor: String(from + most) }),
    };
  });
const serve = (
  resources: NonNullable<ServerOptions["resources"]>,
  options: Partial<ServerOptions> = {},
  entries: LogEntry[] = [],
) => serverWith([], { resources, ...options }, entries);

/** The URIs of every page, in order. */
async function walk(client: TestClient): Promise<string[][]> {
  const pages: string[][] = [];
  let page: JsonObject;
  let params: JsonObject = {};
  do {
    page = await client.request("resources/list", params);
    pages.push((page["resources"] as JsonObject[]).map(({ uri }) => uri as string));
    params = { cursor: page["nextCursor"] as string };
  } while ("nextCursor" in page && pages.length < 20);
  return pages;
}

describe("resources/list with templates", () => {
  everyRevision("lists the resources first, then each template, on one page if they fit [PAGE-05]", async (open) => {
    const client = await open(
      serve([family("a", () => ({ resources: [listed("a:1"), listed("a:2")] })), single("x:1")]),
    );
    expect(await walk(client)).toEqual([["x:1", "a:1", "a:2"]]);
  });

  everyRevision("returns each resource once across all pages [PAGE-01 PAGE-02 PAGE-05]", async (open) => {
    const resources = [
      ...["x:1", "x:2", "x:3"].map(single),
      paged("a", 3, 2),
      paged("none", 0, 2),
      family("silent", async () => ({ resources: [] })),
      paged("b", 2, 5),
    ];
    const client = await open(serve(resources, { limits: { pageSize: 2 } }));
    expect(await walk(client)).toEqual([
      ["x:1", "x:2"],
      ["x:3", "a:0", "a:1"],
      ["a:2", "b:0", "b:1"],
    ]);
  });

  everyRevision("returns an empty page if all lists are empty", async (open) => {
    const client = await open(serve([paged("none", 0, 1), paged("void", 0, 1)]));
    expect(await walk(client)).toEqual([[]]);
  });

  everyRevision("lists the members that the template returns, by revision [RES-01]", async (open, revision) => {
    const rich: ListedResource = {
      uri: "A:%7e1",
      name: "one",
      title: "One",
      size: 3,
      mimeType: "text/plain",
      annotations: { priority: 1, lastModified: "2026-01-31T00:00:00Z" },
      meta: { "example.com/a": 1 },
    };
    const client = await open(serve([family("a", () => ({ resources: [rich] }))]));
    expect((await client.request("resources/list"))["resources"]).toEqual([
      {
        uri: "a:~1",
        name: "one",
        mimeType: "text/plain",
        size: 3,
        ...(revision >= "2025-06-18"
          ? {
              title: "One",
              annotations: { priority: 1, lastModified: "2026-01-31T00:00:00Z" },
              _meta: { "example.com/a": 1 },
            }
          : { annotations: { priority: 1 } }),
      },
    ]);
  });

  everyRevision("continues after an empty page with a cursor, without a loop", async (open) => {
    let calls = 0;
    const slow = family("slow", (after) => {
      calls += 1;
      return after === "3"
        ? { resources: [listed("slow:1")] }
        : { resources: [], nextCursor: String(Number(after ?? 0) + 1) };
    });
    const client = await open(serve([slow]));
    expect(await walk(client)).toEqual([[], [], [], ["slow:1"]]);
    expect(calls).toBe(4);
  });

  everyRevision("rejects unknown cursors [PAGE-03 PAGE-04]", async (open) => {
    const seen: unknown[] = [];
    const watched = family("a", (after) => {
      seen.push(after);
      return { resources: [] };
    });
    const client = await open(serve([single("x:1"), watched]));
    const forge = (text: string) => Buffer.from(text).toString("base64url");
    for (const cursor of [
      "",
      "made up",
      forge("after:x:2"),
      forge("family:"),
      forge("family:[]"),
      forge("family:7"),
      forge("family:null"),
      forge('family:["b:{id}",null]'),
      forge('family:["a:{id}"]'),
      forge('family:["a:{id}",5]'),
      forge('family:["a:{id}",{"$gt":""}]'),
      forge('family:["__proto__","x"]'),
    ]) {
      await expect(client.request("resources/list", { cursor }), cursor).rejects.toMatchObject({
        code: -32602,
        message: "Invalid params: the cursor is unknown or has expired; list again without one",
      });
    }
    expect(seen).toEqual([]);
  });

  everyRevision(
    "keeps cursors when a template is added, and invalidates those of a removed one [PAGE-04]",
    async (open) => {
      const server = serve([paged("a", 4, 2), paged("b", 4, 2)], { limits: { pageSize: 2 }, dynamic: true });
      const client = await open(server);
      const first = await client.request("resources/list");
      server.removeResource("b:{id}");
      const second = await client.request("resources/list", { cursor: first["nextCursor"] as string });
      expect((second["resources"] as JsonObject[]).map(({ uri }) => uri)).toEqual(["a:2", "a:3"]);
      server.addResource(paged("c", 1, 1));
      server.removeResource("a:{id}");
      await expect(client.request("resources/list", { cursor: first["nextCursor"] as string })).rejects.toMatchObject({
        code: -32602,
      });
    },
  );

  everyRevision("fails if a template fails, and the log names it [RPC-11]", async (open) => {
    for (const [list, reason] of [
      [() => undefined, 'The list of resource template "a:{id}" is invalid: resources must be an array'],
      [() => [], 'The list of resource template "a:{id}" is invalid: resources must be an array'],
      [
        () => ({ resources: [], nextCursor: 5 }),
        'The list of resource template "a:{id}" is invalid: nextCursor must be a string',
      ],
      [() => ({ resources: [null] }), 'The list of resource template "a:{id}" is invalid: null: it is not an object'],
      [
        () => ({ resources: [{ uri: "a:1" }] }),
        'The list of resource template "a:{id}" is invalid: {"uri":"a:1"}: name is missing',
      ],
      [
        () => ({ resources: [{ uri: "a:1 2", name: "n" }] }),
        'The list of resource template "a:{id}" is invalid: {"uri":"a:1 2","name":"n"}: ' +
          'invalid uri: it has a " ", which must be percent-encoded there',
      ],
      [() => Promise.reject(new Error("the disk is gone")), "the disk is gone"],
    ] as const) {
      const entries: LogEntry[] = [];
      const client = await open(serve([single("x:1"), family("a", list)], {}, entries));
      await expect(client.request("resources/list")).rejects.toMatchObject({
        code: -32603,
        message: "The resource failed unexpectedly: the details are in the server's log",
      });
      expect(entries).toMatchObject([{ message: 'resource "resources/list" failed', error: { message: reason } }]);
    }
  });

  everyRevision("times out if a template hangs, but not if only resources are listed", async (open) => {
    const hanging = family("a", () => new Promise(() => undefined));
    const resources = [...["x:1", "x:2", "x:3"].map(single), hanging];
    const client = await open(serve(resources, { limits: { pageSize: 2, callTimeoutMs: 20 } }));
    const first = await client.request("resources/list");
    expect(first["resources"]).toHaveLength(2);
    await expect(client.request("resources/list", { cursor: first["nextCursor"] as string })).rejects.toMatchObject({
      code: -32603,
      data: { code: "TIMEOUT" },
    });
  });

  everyRevision("cannot send input requests", async (open) => {
    const entries: LogEntry[] = [];
    const asking = family("a", async (_after, call) => {
      await (call as Call).elicit("sure", "Sure?", { type: "object", properties: {} });
      return { resources: [] };
    });
    const client = await open(serve([asking], {}, entries));
    await expect(client.request("resources/list")).rejects.toMatchObject({ code: -32603 });
    expect(entries).toMatchObject([
      {
        error: {
          message: "resources/list cannot send requests to the client: only tools, prompts and resources/read can",
        },
      },
    ]);
  });
});

test("a page of ten thousand resources is encoded once and then cached [PAGE-05]", async () => {
  let looks = 0;
  const resources = Array.from({ length: 10_000 }, (_, at) => ({
    uri: `x:${at}`,
    name: String(at),
    get description() {
      looks += 1;
      return "d";
    },
    read: () => "",
  }));
  const client = await connectTestClient(serve(resources, { limits: { pageSize: 2000 } }));
  const visit = async (): Promise<number[]> => {
    const counts: number[] = [];
    let params: JsonObject | undefined = {};
    while (params !== undefined) {
      looks = 0;
      const { nextCursor }: JsonObject = await client.request("resources/list", params);
      counts.push(looks);
      params = nextCursor === undefined ? undefined : { cursor: nextCursor };
    }
    return counts;
  };
  expect(await visit()).toEqual([2000, 2000, 2000, 2000, 2000]);
  expect(await visit()).toEqual([0, 0, 0, 0, 0]);
});

test("a resource that is registered and listed by a template is listed once, as registered [PAGE-05]", async () => {
  const both = family("x", () => ({ resources: [{ uri: "x:1", name: "of the family" }, listed("x:2")] }));
  const client = await connectTestClient(serve([single("x:1"), both]));
  const { resources } = await client.request("resources/list");
  expect(resources).toEqual([
    { uri: "x:1", name: "x:1" },
    { uri: "x:2", name: "x:2" },
  ]);
});

test("a template that returns only cursors does not block the server", async () => {
  let asked = 0;
  const endless = family("x", () => {
    asked += 1;
    return { resources: [listed("x:1")], nextCursor: "more" };
  });
  const client = await connectTestClient(serve([single("x:1"), endless]));
  const { resources, nextCursor } = await client.request("resources/list");
  expect(resources).toEqual([{ uri: "x:1", name: "x:1" }]);
  expect(nextCursor).toEqual(expect.any(String));
  expect(asked).toBe(1);
});

test("a template may list what it has from another server, with members of the protocol", async () => {
  const upstream = { uri: "up:1", name: "one", url: "x", _meta: {}, annotations: { priorities: 1 }, icons: [] };
  const client = await connectTestClient(serve([family("up", () => ({ resources: [upstream] }))]));
  expect((await client.request("resources/list"))["resources"]).toMatchObject([{ uri: "up:1", name: "one" }]);
  client.close();
});
