import { describe, expect, test } from "vitest";
import type { Revision } from "../revisions/revision.js";
import { REVISIONS } from "../revisions/select.js";
import { Catalogue, type Kind } from "./catalogue.js";
import { type RegisteredTool, registerTool, toolKind } from "./register-tool.js";
import type { ServerOptions } from "./server-options.js";
import { createSettings } from "./settings.js";
import { type Tool, tool } from "./tool.js";

const settings = (options: Partial<ServerOptions> = {}) => createSettings({ name: "s", version: "1", ...options });
const define = (definition: Partial<Tool> & { name: string }): Tool =>
  tool({ description: "d", run: () => "", ...definition });
const register = (definition: Partial<Tool> & { name: string }, options: Partial<ServerOptions> = {}) =>
  registerTool(define(definition), settings(options));
const catalogueOf = (entries: readonly RegisteredTool[], pageSize = 1000) =>
  new Catalogue(toolKind, entries, { pageSize, cache: { ttlMs: 0, scope: "private" } });
const catalogue = (names: readonly string[], pageSize = 1000) =>
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
const page = (from: Catalogue<RegisteredTool>, cursor?: string, revision = stateless): Page =>
  JSON.parse(from.page(revision, cursor, "").body) as Page;

describe("a registered tool", () => {
  test("has the server's switches unless it has its own", () => {
    expect(register({ name: "a" })).toMatchObject({ timeoutMs: 30_000, repairs: true, output: undefined });
    expect(register({ name: "a" }, { repair: false, limits: { callTimeoutMs: 5 } })).toMatchObject({
      timeoutMs: 5,
      repairs: false,
    });
    expect(register({ name: "a", repair: true, timeoutMs: 7 }, { repair: false })).toMatchObject({
      timeoutMs: 7,
      repairs: true,
    });
  });

  test("is never repaired when it is marked destructive", () => {
    const annotations = { destructiveHint: true };
    expect(register({ name: "a", repair: true, annotations }).repairs).toBe(false);
    expect(register({ name: "a", annotations: { destructiveHint: false } }).repairs).toBe(true);
  });

  test("closes its schema unless unknown arguments are allowed", () => {
    const input = { type: "object", properties: { a: { type: "string" } } };
    const json = (more: Partial<Tool>, options: Partial<ServerOptions> = {}) =>
      register({ name: "a", input, ...more }, options).input.json;
    expect(json({})).toEqual({ ...input, additionalProperties: false });
    expect(json({ unknownArguments: "allow" })).toEqual(input);
    expect(json({}, { unknownArguments: "allow" })).toEqual(input);
    expect(json({ unknownArguments: "refuse" }, { unknownArguments: "allow" })).toHaveProperty("additionalProperties");
  });

  test("names itself in every fault of its schemas and headers", () => {
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

describe("a catalogue", () => {
  test("finds tools by name and alias, and nothing else", () => {
    const made = catalogueOf([register({ name: "a", aliases: ["first", "erste"] }), register({ name: "b" })], 10);
    expect(made.find("a")).toBe(made.find("first"));
    expect(made.find("erste")?.tool.name).toBe("a");
    for (const name of ["A", "", "toString", "__proto__"]) expect(made.find(name)).toBeUndefined();
  });

  test("is replaced, never changed", () => {
    const before = catalogue(["a"]);
    const after = before.with([register({ name: "b" })]);
    expect(before.entries.map((entry) => entry.tool.name)).toEqual(["a"]);
    expect(after.entries.map((entry) => entry.tool.name)).toEqual(["a", "b"]);
    expect(after.without("a").entries.map((entry) => entry.tool.name)).toEqual(["b"]);
    expect(page(before).tools).toHaveLength(1);
    expect(page(after).tools).toHaveLength(2);
  });

  test("refuses a name that another tool has, and an alias that another has as an alias", () => {
    expect(() => catalogue(["a", "a"])).toThrow(new TypeError('Cannot register tool "a": the name "a" is taken'));
    const two = ["b", "c"].map((name) => register({ name, aliases: ["x"] }));
    expect(() => catalogue([]).with(two)).toThrow(new TypeError('Cannot register tool "c": the name "x" is taken'));
  });

  test("lets an alias give way to a tool of that name, as long as there is one", () => {
    const both = catalogue([]).with([register({ name: "b", aliases: ["a"] }), register({ name: "a" })]);
    expect(both.find("a")?.tool.name).toBe("a");
    expect(both.without("a").find("a")?.tool.name).toBe("b");
  });

  test("suggests the nearest name", () => {
    expect(catalogue(["create_task", "list_tasks"]).nearestName("createTask")).toBe("create_task");
    expect(catalogue(["create_task"]).nearestName("weather")).toBeUndefined();
  });
});

describe("a page", () => {
  test("is written once for each revision and kept", () => {
    const made = catalogue(["a", "b"]);
    expect(made.page(stateless, undefined, "")).toBe(made.page(stateless, undefined, ""));
    expect(made.page(stateless, undefined, "").body).toBe(
      '{"resultType":"complete","tools":[' +
        '{"name":"a","description":"d","inputSchema":{"type":"object","properties":{},"additionalProperties":false}},' +
        '{"name":"b","description":"d","inputSchema":{"type":"object","properties":{},"additionalProperties":false}}' +
        '],"ttlMs":0,"cacheScope":"private"}',
    );
    expect(made.page(older, undefined, "").body).not.toContain("resultType");
  });

  test.each([1, 2, 3, 4, 5, 6])("walk of %d at a time meets each tool once", (pageSize) => {
    const names = ["e", "d", "c", "b", "a"];
    const made = catalogue(names, pageSize);
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

  test("after a cursor goes on where the other ended, although a tool was added", () => {
    const before = catalogue(["a", "b", "c"], 2);
    const { nextCursor } = page(before);
    const after = before.with([register({ name: "d" })]);
    expect(page(after, nextCursor).tools.map(({ name }) => name)).toEqual(["c", "d"]);
  });

  test("after the last tool is empty, and after a tool that is gone is refused", () => {
    const made = catalogue(["a", "b", "c"], 2);
    const { nextCursor } = page(made);
    expect(page(made.without("c"), nextCursor).tools).toEqual([]);
    expect(() => page(made.without("b"), nextCursor)).toThrow(
      "Invalid params: the cursor is unknown or has expired; list again without one",
    );
  });

  test.each(["", "a", "0", "toolsa", "dG9vbHN6"])("after the made-up cursor %j is refused with -32602", (cursor) => {
    expect(() => page(catalogue(["a", "b"], 1), cursor)).toThrow(expect.objectContaining({ code: -32602 }));
  });

  test("of ten thousand looks at its own entries only", () => {
    let looks = 0;
    const kind: Kind<{ readonly at: number }> = {
      word: "thing",
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
    const made = new Catalogue(kind, entries, { pageSize: 100, cache: { ttlMs: 0, scope: "private" } });
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
    expect(made.find("thing-9999")).toBe(entries[9999]);
    expect(looks).toBe(0);
  });

  test("after a cursor in another spelling is refused", () => {
    const made = catalogue(["a", "b", "c"], 1);
    const { nextCursor = "" } = page(made);
    for (const cursor of [`${nextCursor}=`, ` ${nextCursor}`, nextCursor.toLowerCase()])
      expect(() => page(made, cursor)).toThrow("the cursor is unknown");
  });

  test("after an alias is refused: only first names are in cursors", () => {
    const made = catalogueOf([register({ name: "a", aliases: ["first"] }), register({ name: "b" })], 1);
    const cursor = Buffer.from("after:first").toString("base64url");
    expect(() => page(made, cursor)).toThrow("the cursor is unknown");
  });
});
