import { describe, expect, test } from "vitest";
import type { Revision } from "../revisions/revision.js";
import { REVISIONS } from "../revisions/select.js";
import { Registry, registerTool } from "./registry.js";
import { createSettings, type ServerOptions } from "./settings.js";
import { type Tool, tool } from "./tool.js";

const settings = (options: Partial<ServerOptions> = {}) => createSettings({ name: "s", version: "1", ...options });
const define = (definition: Partial<Tool> & { name: string }): Tool =>
  tool({ description: "d", run: () => "", ...definition });
const register = (definition: Partial<Tool> & { name: string }, options: Partial<ServerOptions> = {}) =>
  registerTool(define(definition), settings(options));
const registry = (names: readonly string[], pageSize = 1000) =>
  new Registry(
    names.map((name) => register({ name })),
    pageSize,
  );
const stateless = REVISIONS[0] as Revision;
const older = REVISIONS.at(-1) as Revision;

interface Page {
  tools: { name: string }[];
  nextCursor?: string;
}
const page = (from: Registry, cursor?: string, revision = stateless): Page =>
  JSON.parse(from.page(revision, cursor, "")) as Page;

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

describe("a registry", () => {
  test("finds tools by name and alias, and nothing else", () => {
    const made = new Registry([register({ name: "a", aliases: ["first", "erste"] }), register({ name: "b" })], 10);
    expect(made.find("a")).toBe(made.find("first"));
    expect(made.find("erste")?.tool.name).toBe("a");
    for (const name of ["A", "", "toString", "__proto__"]) expect(made.find(name)).toBeUndefined();
  });

  test("is replaced, never changed", () => {
    const before = registry(["a"]);
    const after = before.with(register({ name: "b" }));
    expect(before.tools.map((entry) => entry.tool.name)).toEqual(["a"]);
    expect(after.tools.map((entry) => entry.tool.name)).toEqual(["a", "b"]);
    expect(after.without("a").tools.map((entry) => entry.tool.name)).toEqual(["b"]);
    expect(page(before).tools).toHaveLength(1);
    expect(page(after).tools).toHaveLength(2);
  });

  test("refuses a name that is taken, by a tool or an alias", () => {
    expect(() => registry(["a", "a"])).toThrow(new TypeError('Cannot register tool "a": the name "a" is taken'));
    expect(() => registry(["a"]).with(register({ name: "b", aliases: ["a"] }))).toThrow(
      new TypeError('Cannot register tool "b": the name "a" is taken'),
    );
  });

  test("suggests the nearest name", () => {
    expect(registry(["create_task", "list_tasks"]).nearestName("createTask")).toBe("create_task");
    expect(registry(["create_task"]).nearestName("weather")).toBeUndefined();
  });
});

describe("a page", () => {
  test("is written once for each revision and kept", () => {
    const made = registry(["a", "b"]);
    expect(made.page(stateless, undefined, "")).toBe(made.page(stateless, undefined, ""));
    expect(made.page(stateless, undefined, "")).toBe(
      '{"resultType":"complete","tools":[' +
        '{"name":"a","description":"d","inputSchema":{"type":"object","properties":{},"additionalProperties":false}},' +
        '{"name":"b","description":"d","inputSchema":{"type":"object","properties":{},"additionalProperties":false}}' +
        '],"ttlMs":0,"cacheScope":"private"}',
    );
    expect(made.page(older, undefined, "")).not.toContain("resultType");
  });

  test.each([1, 2, 3, 4, 5, 6])("walk of %d at a time meets each tool once", (pageSize) => {
    const names = ["e", "d", "c", "b", "a"];
    const made = registry(names, pageSize);
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
    const before = registry(["a", "b", "c"], 2);
    const { nextCursor } = page(before);
    const after = before.with(register({ name: "d" }));
    expect(page(after, nextCursor).tools.map(({ name }) => name)).toEqual(["c", "d"]);
  });

  test("after the last tool is empty, and after a tool that is gone is refused", () => {
    const made = registry(["a", "b", "c"], 2);
    const { nextCursor } = page(made);
    expect(page(made.without("c"), nextCursor).tools).toEqual([]);
    expect(() => page(made.without("b"), nextCursor)).toThrow(
      "Invalid params: the cursor is unknown or has expired; list again without one",
    );
  });

  test.each(["", "a", "0", "after:a", "YWZ0ZXI6eg"])("after the made-up cursor %j is refused with -32602", (cursor) => {
    expect(() => page(registry(["a", "b"], 1), cursor)).toThrow(expect.objectContaining({ code: -32602 }));
  });
});
