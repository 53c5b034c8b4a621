import { describe, expect, test } from "vitest";
import { z } from "zod";
import { pack, tryClose } from "../../src/server/definitions/pack.js";
import { tool } from "../../src/server/definitions/tool.js";
import { McpServer } from "../../src/server/server.js";

const hello = tool({ name: "hello", description: "d", run: () => "Hello." });

const host = new McpServer({ name: "host", version: "1" });

describe("a pack", () => {
  test("is opened with validated settings and their defaults", async () => {
    const seen: unknown[] = [];
    const files = pack({
      name: "files",
      settings: z.object({ root: z.string().default("."), depth: z.number().default(3) }),
      open(settings) {
        seen.push(settings);
        return { tools: [hello] };
      },
    });
    expect((await files({ depth: 5 }).open(host)).tools).toEqual([hello]);
    await files().open(host);
    expect(seen).toEqual([
      { root: ".", depth: 5 },
      { root: ".", depth: 3 },
    ]);
  });

  test("that is prevalidated gets the same default settings", async () => {
    const settings = {
      type: "object",
      properties: {
        roots: { type: "array", items: { type: "string" } },
        tools: { type: "object", properties: { inner: { type: "integer", default: 1 } }, default: {} },
        hidden: { type: "array", items: { type: "string" }, default: ["a"] },
        depth: { type: "integer", minimum: 1, default: 3 },
      },
    };
    const seen: unknown[] = [];
    const open = (given: unknown) => {
      seen.push(given);
      return { tools: [] };
    };
    await pack({ name: "files", settings, open })().open(host);
    await pack({ name: "files", settings, prevalidated: true, open })().open(host);
    expect(seen).toEqual([
      { tools: { inner: 1 }, hidden: ["a"], depth: 3 },
      { tools: { inner: 1 }, hidden: ["a"], depth: 3 },
    ]);
  });

  test("that is prevalidated still validates settings that are passed", async () => {
    const settings = { type: "object", properties: { depth: { type: "integer" } }, required: ["depth"] };
    const files = pack({ name: "files", settings, prevalidated: true, open: () => ({ tools: [] }) });
    await expect(files({}).open(host)).rejects.toThrow('Cannot open pack "files": settings.depth: required');
    await expect(files({ depth: "5" }).open(host)).rejects.toThrow("settings.depth: expected an integer");
  });

  test("that is prevalidated compiles its schemas on first use", async () => {
    const input = { type: "strange" };
    const odd = tool({ name: "odd", description: "d", input, run: () => "" });
    const serverWith = (checked: boolean) =>
      new McpServer({
        name: "s",
        version: "1",
        packs: [pack({ name: "odd", prevalidated: checked, open: () => ({ tools: [odd] }) })()],
      });
    await expect(serverWith(false).start()).rejects.toThrow('Cannot register tool "odd": cannot read the input schema');
    const server = serverWith(true);
    await server.start();
    expect(server.tools.map(({ name }) => name)).toEqual(["odd"]);
    await server.close();
  });

  test("does nothing before it is opened", () => {
    const files = pack({
      name: "files",
      open: () => {
        throw new Error("opened");
      },
    });
    expect(files().name).toBe("files");
  });

  test("reports every invalid setting, and corrects none", async () => {
    const files = pack({
      name: "files",
      settings: {
        type: "object",
        properties: { root: { type: "string" }, depth: { type: "integer" } },
        required: ["root"],
      },
      open: () => ({ tools: [] }),
    });
    await expect(files({ depth: "5" }).open(host)).rejects.toThrow(
      /^Cannot open pack "files": settings\.root: .*; settings\.depth: expected an integer, got "5"$/,
    );
    await expect(files({}).open(host)).rejects.toThrow(TypeError);
    await expect(files({ root: ".", rooot: "." }).open(host)).rejects.toThrow(
      /^Cannot open pack "files": settings\.rooot: unknown/,
    );
  });

  test("has a settings schema and validates settings without being opened", async () => {
    const files = pack({
      name: "files",
      settings: { type: "object", properties: { root: { type: "string" } } },
      open: () => {
        throw new Error("opened");
      },
    });
    expect(files().settings).toEqual({
      type: "object",
      properties: { root: { type: "string" } },
      additionalProperties: false,
    });
    expect(await files({ root: "." }).validateSettings?.()).toEqual([]);
    expect(await files({ rot: "." }).validateSettings?.()).toEqual(['rot: unknown setting; did you mean "root"?']);
  });

  test("with an invalid settings schema is rejected by name", () => {
    const define = () => pack({ name: "files", settings: { type: "list" }, open: () => ({ tools: [] }) });
    expect(define).toThrow(TypeError);
    expect(define).toThrow(/^Cannot define pack "files": cannot read the schema: type must be /);
  });

  test("without a settings schema accepts no settings", async () => {
    const plain = pack({ name: "plain", open: () => ({ tools: [] }) });
    expect(await plain().open(host)).toEqual({ tools: [] });
    await expect(plain({ any: 1 }).open(host)).rejects.toThrow(/^Cannot open pack "plain": settings\.any: unknown/);
  });

  test("that cannot be opened rejects with its name, the reason and the cause", async () => {
    const thrown = new Error("no disk");
    const broken = pack({
      name: "broken",
      async open() {
        throw thrown;
      },
    });
    const error = await broken()
      .open(host)
      .catch((caught: unknown) => caught as Error);
    expect(error).toMatchObject({ message: 'Cannot open pack "broken": no disk', cause: thrown });
  });

  test("that returns no contents is rejected by name", async () => {
    const empty = pack({ name: "empty", open: () => undefined as never });
    await expect(empty().open(host)).rejects.toThrow('Cannot open pack "empty": open() must return an array of tools');
  });
});

test("tryClose returns an error with the label, and none if nothing is open", async () => {
  const broken = { close: () => Promise.reject(new Error("busy")) };
  expect((await tryClose("the stored results", broken)).map(({ message }) => message)).toEqual([
    "Cannot close the stored results: busy",
  ]);
  expect(await tryClose("the stored results", undefined)).toEqual([]);
});
