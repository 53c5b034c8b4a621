import { type JsonObject, type LogEntry, resource, resourceTemplate, type ServerOptions } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { everyRevision } from "../support/every-revision.js";
import { serverWith } from "./server.js";

const serve = (resources: NonNullable<ServerOptions["resources"]>, entries: LogEntry[] = []) =>
  serverWith([], { resources }, entries);
/** A family that gives back the variables it got. */
const showing = (uri: string, more: object = {}) =>
  resourceTemplate({ uri, name: uri, read: (variables: unknown) => JSON.stringify(variables), ...more });

describe("resources/templates/list", () => {
  everyRevision(
    "lists each template with the members of the revision [RES-01 RES-04 META-01]",
    async (open, revision) => {
      const task = resourceTemplate({
        uri: "task://{id}{?view}",
        name: "task",
        title: "A task",
        description: "One task.",
        mimeType: "application/json",
        annotations: { audience: ["user"], priority: 1, lastModified: "2026-01-31T00:00:00Z" },
        icons: [{ src: "data:image/png;base64,AA==", theme: "dark" }],
        meta: { "example.com/a": 1 },
        complete: { view: ["short", "long"] },
        cache: { ttlMs: 5, scope: "public" },
        timeoutMs: 5,
        list: () => ({ resources: [] }),
        read: () => "",
      });
      const client = await open(serve([task, showing("x:{a}")]));
      expect((await client.request("resources/templates/list"))["resourceTemplates"]).toEqual([
        {
          uriTemplate: "task://{id}{?view}",
          name: "task",
          ...(revision >= "2025-06-18" && { title: "A task" }),
          description: "One task.",
          mimeType: "application/json",
          annotations: {
            audience: ["user"],
            priority: 1,
            ...(revision >= "2025-06-18" && { lastModified: "2026-01-31T00:00:00Z" }),
          },
          ...(revision >= "2025-11-25" && { icons: [{ src: "data:image/png;base64,AA==", theme: "dark" }] }),
          ...(revision >= "2025-06-18" && { _meta: { "example.com/a": 1 } }),
        },
        { uriTemplate: "x:{a}", name: "x:{a}" },
      ]);
      expect((await client.request("resources/list"))["resources"]).toEqual([]);
    },
  );
});

describe("resources/read with a template", () => {
  const read = async (client: { request(method: string, params: JsonObject): Promise<JsonObject> }, uri: string) => {
    const { contents } = (await client.request("resources/read", { uri })) as { contents: JsonObject[] };
    expect(contents[0]?.["uri"]).toBe(uri);
    return JSON.parse(contents[0]?.["text"] as string) as JsonObject;
  };

  everyRevision("passes the decoded variables [RES-01]", async (open) => {
    const client = await open(
      serve([
        showing("file:///{+path}"),
        showing("task://{id}"),
        showing("repo://{owner}/{name}{/dir*}"),
        showing("search:all{?q,limit}"),
        showing("HTTP://Example.com/%7euser/{page}"),
      ]),
    );
    expect(await read(client, "task://a%20b")).toEqual({ id: "a b" });
    expect(await read(client, "TASK://%41da")).toEqual({ id: "Ada" });
    expect(await read(client, "file:///home/ada/%C3%A4.txt")).toEqual({ path: "home/ada/ä.txt" });
    expect(await read(client, "repo://ada/engine/a/b")).toEqual({ owner: "ada", name: "engine", dir: ["a", "b"] });
    expect(await read(client, "search:all?limit=5&q=a%26b")).toEqual({ limit: "5", q: "a&b" });
    expect(await read(client, "search:all?q=x")).toEqual({ q: "x" });
    expect(await read(client, "http://EXAMPLE.com/~user/1")).toEqual({ page: "1" });
    for (const uri of ["task://a/b", "repo://ada", "other:1"])
      await expect(client.request("resources/read", { uri }), uri).rejects.toThrow("Resource not found");
  });

  everyRevision("rejects path traversal, in any encoding [RES-09]", async (open) => {
    const client = await open(serve([showing("file:///srv/{+path}"), showing("note:{name}")]));
    expect(await read(client, "file:///srv/a/..b/c..")).toEqual({ path: "a/..b/c.." });
    for (const uri of [
      "file:///srv/../etc/passwd",
      "file:///srv/a/../../etc/passwd",
      "file:///srv/%2e%2e/etc/passwd",
      "file:///srv/%2E./etc/passwd",
      "file:///srv/..%2fetc%2fpasswd",
      "file:///srv/a%2f..%2f..%2fetc",
      "file:///srv/..%5cetc",
      "file:///srv/..\\etc",
      "file:///srv/a%5c..%5c..%5cetc",
      "file:///srv/a%00.txt",
      "file:///srv/..",
      "note:..",
      "note:%2e%2e",
      "note:..%2Fa",
      "note:a%5C..%5Cb",
    ]) {
      await expect(client.request("resources/read", { uri }), uri).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining("Invalid params: invalid uri: "),
        data: { uri },
      });
    }
    // Encoded twice, it is a name that has per cent signs in it, and stays one.
    expect(await read(client, "note:%252e%252e%252fa")).toEqual({ name: "%2e%2e%2fa" });
  });

  everyRevision("converts variables to numbers, booleans and enums, and names invalid ones [RES-09]", async (open) => {
    const typed = {
      type: "object",
      properties: {
        id: { type: "integer", minimum: 1 },
        view: { enum: ["short", "long"] },
        deep: { type: "boolean" },
      },
      required: ["id"],
    } as const;
    const client = await open(
      serve([
        showing("task://{id}{?view,deep}", { variables: typed }),
        showing("page:{number}", { variables: z.object({ number: z.number().int() }) }),
      ]),
    );
    expect(await read(client, "task://12?view=long&deep=true")).toEqual({ id: 12, view: "long", deep: true });
    expect(await read(client, "task://12")).toEqual({ id: 12 });
    expect(await read(client, "page:7")).toEqual({ number: 7 });
    for (const [uri, fault] of [
      ["task://abc", /id: .*integer/],
      ["task://0", /id: /],
      ["task://1?view=wide", /view: .*short.*long/],
      ["task://x?view=wide", /id: .*; view: /],
      ["page:first", /number: /],
    ] as const) {
      await expect(client.request("resources/read", { uri }), uri).rejects.toMatchObject({
        code: -32602,
        message: expect.stringMatching(fault),
        data: { uri },
      });
    }
  });

  everyRevision("tries templates in order, after the registered resources", async (open) => {
    const client = await open(
      serve([
        showing("x:/a/{first}", { read: () => '"first"' }),
        showing("x:/{+second}", { read: () => '"second"' }),
        showing("x:/a/{third}/{more}", { read: () => '"third"' }),
        resource({ uri: "x:/a/own", name: "own", read: () => '"own"' }),
      ]),
    );
    expect(await read(client, "x:/a/own")).toBe("own");
    expect(await read(client, "x:/a/b")).toBe("first");
    expect(await read(client, "x:/a/b/c")).toBe("second");
  });

  everyRevision("returns the usual error if the template has no such resource [RES-03]", async (open, revision) => {
    const client = await open(serve([showing("x:{a}", { read: async () => undefined })]));
    await expect(client.request("resources/read", { uri: "x:1" })).rejects.toMatchObject({
      code: revision === "2026-07-28" ? -32602 : -32002,
      data: { uri: "x:1" },
    });
  });

  everyRevision("returns an internal error if the schema throws [RPC-11]", async (open) => {
    const entries: LogEntry[] = [];
    const refuse = () => {
      throw new Error("secret");
    };
    const variables = z.object({ a: z.string().refine(refuse) });
    const client = await open(serve([showing("x:{a}", { variables })], entries));
    await expect(client.request("resources/read", { uri: "x:1" })).rejects.toMatchObject({
      code: -32603,
      message: "The resource failed unexpectedly: the details are in the server's log",
    });
    expect(entries).toHaveLength(1);
  });
});

describe("an invalid template is rejected", () => {
  const define = (more: object) => () =>
    serve([resourceTemplate({ uri: "x:{a}", name: "a", read: () => "", ...more })]);
  test.each([
    [{ uri: "x:a" }, 'Cannot define resource "x:a": use resource for a uri without {variables}'],
    [{ uri: "x:{a" }, /^Cannot define resource "x:\{a": invalid uri: /],
    [{ uri: "x:{a}{b}" }, /^Cannot define resource "x:\{a\}\{b\}": invalid uri: /],
    [{ name: 5 }, 'Cannot define resource "x:{a}": name is missing'],
    [{ read: undefined }, 'Cannot define resource "x:{a}": read is not a function'],
    [{ list: [] }, 'Cannot define resource "x:{a}": list is not a function'],
    [{ size: 5 }, /^Cannot define resource "x:\{a\}": unknown option size;/],
    [
      { complete: { b: ["1"] } },
      'Cannot define resource "x:{a}": complete.b names an unknown argument; the arguments are a',
    ],
    [{ complete: { a: [1] } }, 'Cannot define resource "x:{a}": complete.a must be an array of strings or a function'],
    [
      { variables: { type: "array" } },
      'Cannot register resource "x:{a}": cannot read the schema of its variables: its root must be of type "object"',
    ],
    [
      { variables: { type: "object", properties: { a: {}, b: {} } } },
      'Cannot register resource "x:{a}": variables.b is not in its uri',
    ],
    [{ variables: { type: "object", properties: {} } }, 'Cannot register resource "x:{a}": variables.a is missing'],
    [
      { annotations: { priority: 2 } },
      'Cannot define resource "x:{a}": annotations.priority must be a number from 0 to 1',
    ],
    [{ cache: { ttlMs: 0.5, scope: "public" } }, /cache\.ttlMs must be a non-negative integer/],
  ])("%j [RES-04]", (more, message) => {
    expect(define(more)).toThrow(message instanceof RegExp ? message : new TypeError(message));
  });

  test("two templates with the same URI template", () => {
    expect(() => serve([showing("x:{a}"), showing("x:{a}")])).toThrow(
      new TypeError('Cannot register resource template "x:{a}": the name "x:{a}" is already taken'),
    );
  });
});
