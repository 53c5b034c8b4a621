import { describe, expect, test } from "vitest";
import { REVISIONS } from "../../src/revisions/negotiation.js";
import type { Revision } from "../../src/revisions/revision.js";
import { Catalog, type CatalogKind } from "../../src/server/catalog.js";
import { type RegisteredTool, registerTool, type Tool, tool, toolKind } from "../../src/server/definitions/tool.js";
import { resolveOptions, type ServerOptions } from "../../src/server/options.js";

const settings = (options: Partial<ServerOptions> = {}) => resolveOptions({ name: "s", version: "1", ...options });
const define = (definition: Partial<Tool> & { name: string }): Tool =>
  tool({ description: "d", run: () => "", ...definition });
const register = (definition: Partial<Tool> & { name: string }, options: Partial<ServerOptions> = {}) =>
  registerTool(define(definition), settings(options));
const catalogueOf = (entries: readonly RegisteredTool[], pageSize = 1000) =>
  new Catalog(toolKind, entries, { pageSize, cache: { ttlMs: 0, scope: "private" } });
const createCatalog = (names: readonly string[], pageSize = 1000) =>
  catalogueOf(
    names.map((name) => register({ name })),
    pageSize,
  );
const stateless = REVISIONS[0] as Revision;
const older = REVISIONS.at(-1) as Revision;

interface Page {
  tools: { name: string }[];
  nextCursor?: string;
}
const page = (from: Catalog<RegisteredTool>, cursor?: string, revision = stateless): Page =>
  JSON.parse(from.page(revision, cursor, "").body) as Page;

describe("a registered tool", () => {
  test("uses the settings of the server unless it has its own", () => {
    expect(register({ name: "a" })).toMatchObject({ timeoutMs: 30_000, correctsArguments: true, output: undefined });
    expect(
      register({ name: "a" }, { toolOptions: { correctArguments: false }, limits: { callTimeoutMs: 5 } }),
    ).toMatchObject({
      timeoutMs: 5,
      correctsArguments: false,
    });
    expect(
      register({ name: "a", correctArguments: true, timeoutMs: 7 }, { toolOptions: { correctArguments: false } }),
    ).toMatchObject({
      timeoutMs: 7,
      correctsArguments: true,
    });
  });

  test("never corrects arguments if it is marked destructive", () => {
    const annotations = { destructiveHint: true };
    expect(register({ name: "a", correctArguments: true, annotations }).correctsArguments).toBe(false);
    expect(register({ name: "a", annotations: { destructiveHint: false } }).correctsArguments).toBe(true);
  });

  test("has additionalProperties: false unless unknown arguments are allowed", () => {
    const input = { type: "object", properties: { a: { type: "string" } } };
    const json = (more: Partial<Tool>, options: Partial<ServerOptions> = {}) =>
      register({ name: "a", input, ...more }, options).input.jsonSchema;
    expect(json({})).toEqual({ ...input, additionalProperties: false });
    expect(json({ unknownArguments: "allow" })).toEqual(input);
    expect(json({}, { toolOptions: { unknownArguments: "allow" } })).toEqual(input);
    expect(json({ unknownArguments: "reject" }, { toolOptions: { unknownArguments: "allow" } })).toHaveProperty(
      "additionalProperties",
    );
  });

  test("is named in every error about its schemas and headers", () => {
    expect(() => register({ name: "bad", input: { type: "array" } })).toThrow(
      new TypeError('Cannot register tool "bad": cannot read the input schema: its root must be of type "object"'),
    );
    expect(() => register({ name: "bad", output: { type: "objekt" } })).toThrow(
      /^Cannot register tool "bad": cannot read the output schema: type must be /,
    );
    const input = { type: "object", properties: { a: { type: "string", "x-mcp-header": "a b" } } };
    expect(() => register({ name: "bad", input })).toThrow(
      new TypeError('Cannot register tool "bad": x-mcp-header "a b" is not an HTTP token'),
    );
  });
});

describe("a catalog", () => {
  test("finds tools by name and alias, and nothing else", () => {
    const made = catalogueOf([register({ name: "a", aliases: ["first", "erste"] }), register({ name: "b" })], 10);
    expect(made.byName.get("a")).toBe(made.byName.get("first"));
    expect(made.byName.get("erste")?.tool.name).toBe("a");
    for (const name of ["A", "", "toString", "__proto__"]) expect(made.byName.get(name)).toBeUndefined();
  });

  test("is immutable", () => {
    const before = createCatalog(["a"]);
    const after = before.append([register({ name: "b" })]);
    expect(before.entries.map((entry) => entry.tool.name)).toEqual(["a"]);
    expect(after.entries.map((entry) => entry.tool.name)).toEqual(["a", "b"]);
    expect(after.remove("a").entries.map((entry) => entry.tool.name)).toEqual(["b"]);
    expect(page(before).tools).toHaveLength(1);
    expect(page(after).tools).toHaveLength(2);
  });

  test("rejects a duplicate name and a duplicate alias", () => {
    expect(() => createCatalog(["a", "a"])).toThrow(
      new TypeError('Cannot register tool "a": the name "a" is already taken'),
    );
    const two = ["b", "c"].map((name) => register({ name, aliases: ["x"] }));
    expect(() => createCatalog([]).append(two)).toThrow(
      new TypeError('Cannot register tool "c": the name "x" is already taken'),
    );
  });

  test("prefers a tool with a name over an alias", () => {
    const both = createCatalog([]).append([register({ name: "b", aliases: ["a"] }), register({ name: "a" })]);
    expect(both.byName.get("a")?.tool.name).toBe("a");
    expect(both.remove("a").byName.get("a")?.tool.name).toBe("b");
  });

  test("suggests the nearest name", () => {
    expect(createCatalog(["create_task", "list_tasks"]).nearestName("createTask")).toBe("create_task");
    expect(createCatalog(["create_task"]).nearestName("weather")).toBeUndefined();
  });
});

describe("a page", () => {
  test("is encoded once for each revision", () => {
    const made = createCatalog(["a", "b"]);
    expect(made.page(stateless, undefined, "")).toBe(made.page(stateless, undefined, ""));
    expect(made.page(stateless, undefined, "").body).toBe(
      '{"resultType":"complete","tools":[' +
        '{"name":"a","description":"d","inputSchema":{"type":"object","properties":{},"additionalProperties":false}},' +
        '{"name":"b","description":"d","inputSchema":{"type":"object","properties":{},"additionalProperties":false}}' +
        '],"ttlMs":0,"cacheScope":"private"}',
    );
    expect(made.page(older, undefined, "").body).not.toContain("resultType");
  });

  test.each([1, 2, 3, 4, 5, 6])("size of %d lists each tool once", (pageSize) => {
    const names = ["e", "d", "c", "b", "a"];
    const made = createCatalog(names, pageSize);
    const met: string[] = [];
    let cursor: string | undefined;
    do {
      const { tools, nextCursor } = page(made, cursor);
      expect(tools.length).toBeLessThanOrEqual(pageSize);
      met.push(...tools.map(({ name }) => name));
      cursor = nextCursor;
    } while (cursor !== undefined);
    expect(met).toEqual(names);
  });

  test("continues after the cursor, even if a tool was added", () => {
    const before = createCatalog(["a", "b", "c"], 2);
    const { nextCursor } = page(before);
    const after = before.append([register({ name: "d" })]);
    expect(page(after, nextCursor).tools.map(({ name }) => name)).toEqual(["c", "d"]);
  });

  test("after the last tool is empty, and after a removed tool is rejected", () => {
    const made = createCatalog(["a", "b", "c"], 2);
    const { nextCursor } = page(made);
    expect(page(made.remove("c"), nextCursor).tools).toEqual([]);
    expect(() => page(made.remove("b"), nextCursor)).toThrow(
      "Invalid params: the cursor is unknown or has expired; list again without one",
    );
  });

  test.each(["", "a", "0", "toolsa", "dG9vbHN6"])("after the forged cursor %j is rejected with -32602", (cursor) => {
    expect(() => page(createCatalog(["a", "b"], 1), cursor)).toThrow(expect.objectContaining({ code: -32602 }));
  });

  test("of ten thousand tools reads only its own entries", () => {
    let looks = 0;
    const kind: CatalogKind<{ readonly at: number }> = {
      label: "thing",
      member: "resources",
      namesOf: ({ at }) => {
        looks += 1;
        return [`thing-${at}`];
      },
      write: (_revision, { at }) => {
        looks += 1;
        return { uri: `x:${at}`, name: `thing-${at}` };
      },
    };
    const entries = Array.from({ length: 10_000 }, (_, at) => ({ at }));
    const made = new Catalog(kind, entries, { pageSize: 100, cache: { ttlMs: 0, scope: "private" } });
    const read = (cursor?: string) =>
      JSON.parse(made.page(stateless, cursor, "").body) as { resources: { uri: string }[]; nextCursor?: string };
    let cursor: string | undefined;
    for (let at = 0; at < 100; at += 1) {
      looks = 0;
      const { resources, nextCursor } = read(cursor);
      expect(resources[0]?.uri).toBe(`x:${at * 100}`);
      // A hundred to write, one to check the cursor that came, one to make the next.
      expect(looks).toBeLessThanOrEqual(102);
      looks = 0;
      read(cursor);
      expect(looks).toBe(0);
      cursor = nextCursor;
    }
    expect(cursor).toBeUndefined();
    looks = 0;
    expect(made.byName.get("thing-9999")).toBe(entries[9999]);
    expect(looks).toBe(0);
  });

  test("after a cursor in another encoding is rejected", () => {
    const made = createCatalog(["a", "b", "c"], 1);
    const { nextCursor = "" } = page(made);
    for (const cursor of [`${nextCursor}=`, ` ${nextCursor}`, nextCursor.toLowerCase()])
      expect(() => page(made, cursor)).toThrow("the cursor is unknown");
  });

  test("after the cursor of an alias is rejected: cursors contain names only", () => {
    const made = catalogueOf([register({ name: "a", aliases: ["first"] }), register({ name: "b" })], 1);
    const cursor = Buffer.from("after:first").toString("base64url");
    expect(() => page(made, cursor)).toThrow("the cursor is unknown");
  });
});
