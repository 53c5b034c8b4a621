import { type JsonObject, resource, type ServerOptions } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { everyRevision, HANDSHAKE, onRevisions, STATELESS } from "../support/every-revision.js";
import { serverWith } from "./server.js";

const full = resource({
  uri: "docs://guide",
  name: "guide",
  title: "The guide",
  description: "How it works.",
  mimeType: "text/markdown",
  size: 12,
  annotations: { audience: ["user", "assistant"], priority: 0.5, lastModified: "2026-01-31T12:00:00Z" },
  icons: [{ src: "https://example.com/guide.png", mimeType: "image/png", sizes: ["48x48"] }],
  meta: { "example.com/shelf": 3 },
  read: () => "# The guide\n",
});
const plain = resource({ uri: "docs://plain", name: "plain", read: () => "plain" });
const serve = (resources: NonNullable<ServerOptions["resources"]>, options: Partial<ServerOptions> = {}) =>
  serverWith([], { resources, ...options });

describe("resources/list", () => {
  everyRevision(
    "lists each resource with the members of the revision [RES-01 RES-04 META-01]",
    async (open, revision) => {
      const client = await open(serve([full, plain]));
      const { resources } = await client.request("resources/list");
      expect(resources).toEqual([
        {
          uri: "docs://guide",
          name: "guide",
          ...(revision >= "2025-06-18" && { title: "The guide" }),
          description: "How it works.",
          mimeType: "text/markdown",
          size: 12,
          annotations: {
            audience: ["user", "assistant"],
            priority: 0.5,
            ...(revision >= "2025-06-18" && { lastModified: "2026-01-31T12:00:00Z" }),
          },
          ...(revision >= "2025-11-25" && {
            icons: [{ src: "https://example.com/guide.png", mimeType: "image/png", sizes: ["48x48"] }],
          }),
          ...(revision >= "2025-06-18" && { _meta: { "example.com/shelf": 3 } }),
        },
        { uri: "docs://plain", name: "plain" },
      ]);
    },
  );

  everyRevision("lists the normalized URI, which can be read too [RES-01]", async (open) => {
    const client = await open(
      serve([resource({ uri: "HTTPS://Example.COM/%7euser/./a%2db", name: "a", read: () => "a" })]),
    );
    const { resources } = (await client.request("resources/list")) as { resources: JsonObject[] };
    expect(resources[0]?.["uri"]).toBe("https://example.com/~user/a-b");
  });
});

describe("resources/read", () => {
  everyRevision("returns text and bytes, each with its URI and MIME type [RES-02]", async (open) => {
    const bytes = new Uint8Array([0, 1, 254, 255]);
    const inside = new Uint8Array([9, 0, 1, 254, 255, 9]).subarray(1, 5);
    const give = (name: string, read: () => Awaited<ReturnType<typeof full.read>>, mimeType?: string) =>
      resource({ uri: `x:${name}`, name, ...(mimeType && { mimeType }), read });
    const client = await open(
      serve([
        give("text", () => "text", "text/plain"),
        give("empty", () => ""),
        give("bytes", () => bytes, "application/octet-stream"),
        give("inside", () => Buffer.from(inside.buffer, inside.byteOffset, 4)),
        give("base64", () => ({ blob: "AAH+/w==" })),
        give("none", () => new Uint8Array()),
      ]),
    );
    const read = async (uri: string) => (await client.request("resources/read", { uri }))["contents"];
    expect(await read("x:text")).toEqual([{ uri: "x:text", mimeType: "text/plain", text: "text" }]);
    expect(await read("x:empty")).toEqual([{ uri: "x:empty", text: "" }]);
    expect(await read("x:bytes")).toEqual([{ uri: "x:bytes", mimeType: "application/octet-stream", blob: "AAH+/w==" }]);
    expect(await read("x:inside")).toEqual([{ uri: "x:inside", blob: "AAH+/w==" }]);
    expect(await read("x:base64")).toEqual([{ uri: "x:base64", blob: "AAH+/w==" }]);
    expect(await read("x:none")).toEqual([{ uri: "x:none", blob: "" }]);
  });

  everyRevision("returns several contents, each with its own members [RES-02 META-01]", async (open, revision) => {
    const folder = resource({
      uri: "x:folder",
      name: "folder",
      mimeType: "text/plain",
      read: async () => [
        { text: "one" },
        { uri: "x:folder/two", mimeType: "image/png", blob: new Uint8Array([1]), meta: { "example.com/at": 2 } },
      ],
    });
    const client = await open(serve([folder]));
    expect((await client.request("resources/read", { uri: "x:folder" }))["contents"]).toEqual([
      { uri: "x:folder", mimeType: "text/plain", text: "one" },
      {
        uri: "x:folder/two",
        mimeType: "image/png",
        blob: "AQ==",
        ...(revision >= "2025-06-18" && { _meta: { "example.com/at": 2 } }),
      },
    ]);
  });

  everyRevision("returns a megabyte of text unchanged [RES-02]", async (open) => {
    const text = 'äöü\n"\\\u0000 0123456789'.repeat(50_000);
    const client = await open(serve([resource({ uri: "x:big", name: "big", read: () => text })]));
    const { contents } = (await client.request("resources/read", { uri: "x:big" })) as { contents: JsonObject[] };
    expect(contents[0]?.["text"]).toBe(text);
  });

  onRevisions(HANDSHAKE, "returns -32002 and the URI if there is no such resource [RES-03]", async (open) => {
    const client = await open(serve([plain, resource({ uri: "x:gone", name: "gone", read: () => undefined })]));
    for (const uri of ["docs://other", "x:gone"]) {
      await expect(client.request("resources/read", { uri })).rejects.toMatchObject({
        code: -32002,
        message: `Resource not found: ${uri}`,
        data: { uri },
      });
    }
  });

  onRevisions([STATELESS], "returns -32602 and the URI if there is no such resource [RES-03]", async (open) => {
    const client = await open(serve([plain, resource({ uri: "x:gone", name: "gone", read: async () => undefined })]));
    for (const uri of ["docs://other", "x:gone"]) {
      await expect(client.request("resources/read", { uri })).rejects.toMatchObject({
        code: -32602,
        message: `Resource not found: ${uri}`,
        data: { uri },
      });
    }
  });

  everyRevision("finds a resource by any equivalent URI, and returns the requested one [RES-09]", async (open) => {
    const client = await open(serve([resource({ uri: "http://example.com/~a/b", name: "b", read: () => "b" })]));
    for (const uri of [
      "HTTP://EXAMPLE.com/~a/b",
      "http://example.com/%7Ea/b",
      "http://example.com/%7ea/%62",
      "http://example.com/./~a/./b",
    ]) {
      expect((await client.request("resources/read", { uri }))["contents"]).toEqual([{ uri, text: "b" }]);
    }
    for (const uri of ["http://example.com/~A/b", "http://example.com/~a/b/", "http://example.com/~a/b?"])
      await expect(client.request("resources/read", { uri })).rejects.toThrow("Resource not found");
  });

  everyRevision("rejects invalid URIs and path traversal [RES-08 RES-09]", async (open) => {
    const client = await open(serve([resource({ uri: "file:///a/b", name: "b", read: () => "b" })]));
    for (const uri of [
      "file:///a/x/../b",
      "file:///a/%2e%2e/a/b",
      "file:///a/.%2E/a/b",
      "file:///a/x%2f..%2fb",
      "file:///a/x%5c..%5cb",
      "file:///a\\..\\b",
      "file://../a/b",
      "/a/b",
      "",
      "file:///a/b\u0000",
      "file:///a/b%00",
      "file:///a/%",
      `file:///${"a".repeat(9000)}`,
    ]) {
      await expect(client.request("resources/read", { uri }), uri).rejects.toMatchObject({
        code: -32602,
        message: expect.stringMatching(/^Invalid params: invalid uri: it (?:has|contains) /),
      });
    }
    for (const uri of [undefined, null, 7, ["file:///a/b"], {}]) {
      const params = (uri === undefined ? {} : { uri }) as JsonObject;
      await expect(client.request("resources/read", params)).rejects.toMatchObject({
        code: -32602,
        message: 'Invalid params: "uri" must be a string',
      });
    }
  });
});

describe("an invalid definition is rejected", () => {
  const define = (more: object) => () => resource({ uri: "x:a", name: "a", read: () => "", ...more });
  test.each([
    [{ uri: undefined }, "Cannot define a resource: uri is missing"],
    [{ uri: "no scheme" }, 'Cannot define resource "no scheme": invalid uri: it has no scheme'],
    [{ uri: "1x:a" }, 'Cannot define resource "1x:a": invalid uri: it has no scheme'],
    [{ uri: "x:/a/../b" }, 'Cannot define resource "x:/a/../b": invalid uri: it contains a ".." segment'],
    [{ uri: "x:{id}" }, 'Cannot define resource "x:{id}": use resourceTemplate for a uri with {variables}'],
    [{ name: "" }, 'Cannot define resource "x:a": name is missing'],
    [{ read: "text" }, 'Cannot define resource "x:a": read is not a function'],
    [{ timeoutMs: 0 }, 'Cannot define resource "x:a": timeoutMs must be a positive number'],
    [{ size: -1 }, 'Cannot define resource "x:a": size must be a non-negative integer'],
    [{ size: 1.5 }, 'Cannot define resource "x:a": size must be a non-negative integer'],
    [
      { icons: [{ src: "http://example.com/i.png" }] },
      'Cannot define resource "x:a": icons[0].src must be an https: or data: URI',
    ],
    [
      { annotations: { audience: ["model"] } },
      'Cannot define resource "x:a": annotations.audience must be an array of "user" and "assistant"',
    ],
    [
      { annotations: { audience: "user" } },
      'Cannot define resource "x:a": annotations.audience must be an array of "user" and "assistant"',
    ],
    [
      { annotations: { priority: 1.1 } },
      'Cannot define resource "x:a": annotations.priority must be a number from 0 to 1',
    ],
    [
      { annotations: { lastModified: "yesterday" } },
      'Cannot define resource "x:a": annotations.lastModified must be an ISO 8601 date and time',
    ],
    [
      { annotations: { lastModified: "2026-01-31" } },
      'Cannot define resource "x:a": annotations.lastModified must be an ISO 8601 date and time',
    ],
    [
      { annotations: { lastModified: "2026-13-01T00:00:00Z" } },
      'Cannot define resource "x:a": annotations.lastModified must be an ISO 8601 date and time',
    ],
    [
      { cache: { ttlMs: -1, scope: "public" } },
      'Cannot define resource "x:a": cache.ttlMs must be a non-negative integer',
    ],
    [{ cache: { ttlMs: 1, scope: "shared" } }, 'Cannot define resource "x:a": cache.scope must be public or private'],
    [{ mimetype: "text/plain" }, 'Cannot define resource "x:a": unknown option mimetype; did you mean mimeType?'],
  ])("%j [RES-04 RES-08]", (more, message) => {
    expect(define(more)).toThrow(new TypeError(message));
  });

  test("by a server too, like two resources with equivalent URIs [RES-01]", () => {
    expect(() => serve([{ uri: "x:a", name: "", read: () => "" }])).toThrow('Cannot define resource "x:a": name');
    const named = (uri: string) => resource({ uri, name: "a", read: () => "" });
    expect(() => serve([named("http://a/b"), named("HTTP://A/%62")])).toThrow(
      new TypeError('Cannot register resource "http://a/b": the name "http://a/b" is already taken'),
    );
  });

  test("a class instance can be a resource", async () => {
    class Counter {
      readonly uri = "x:count";
      readonly name = "count";
      #count = 0;
      read(): string {
        this.#count += 1;
        return String(this.#count);
      }
    }
    const counter = resource(new Counter());
    expect([counter.read({} as never), counter.read({} as never)]).toEqual(["1", "2"]);
  });
});
