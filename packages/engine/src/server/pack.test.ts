import { describe, expect, test } from "vitest";
import { z } from "zod";
import { closeOne, pack } from "./pack.js";
import { createServer } from "./server.js";
import { tool } from "./tool.js";

const hello = tool({ name: "hello", description: "d", run: () => "Hello." });

const host = createServer({ name: "host", version: "1" });

describe("a pack", () => {
  test("is opened with its settings, checked and filled in", async () => {
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

  test("that is known to be right gets the same settings where nothing is said", async () => {
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
    await pack({ name: "files", settings, checked: true, open })().open(host);
    expect(seen).toEqual([
      { tools: { inner: 1 }, hidden: ["a"], depth: 3 },
      { tools: { inner: 1 }, hidden: ["a"], depth: 3 },
    ]);
  });

  test("that is known to be right is still told what is wrong with its settings", async () => {
    const settings = { type: "object", properties: { depth: { type: "integer" } }, required: ["depth"] };
    const files = pack({ name: "files", settings, checked: true, open: () => ({ tools: [] }) });
    await expect(files({}).open(host)).rejects.toThrow('Cannot open pack "files": settings.depth: required');
    await expect(files({ depth: "5" }).open(host)).rejects.toThrow("settings.depth: expected an integer");
  });

  test("that is known to be right has its schemas read when they are used", async () => {
    const input = { type: "strange" };
    const odd = tool({ name: "odd", description: "d", input, run: () => "" });
    const serverWith = (checked: boolean) =>
      createServer({
        name: "s",
        version: "1",
        packs: [pack({ name: "odd", checked, open: () => ({ tools: [odd] }) })()],
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

  test("says every fault of its settings, and mends none", async () => {
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

  test("shows what it can be told, and says what is wrong with it, without being opened", async () => {
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
    expect(await files({ root: "." }).check?.()).toEqual([]);
    expect(await files({ rot: "." }).check?.()).toEqual(['rot: unknown setting; did you mean "root"?']);
  });

  test("with settings that are no schema is refused by name", () => {
    const define = () => pack({ name: "files", settings: { type: "list" }, open: () => ({ tools: [] }) });
    expect(define).toThrow(TypeError);
    expect(define).toThrow(/^Cannot define pack "files": cannot read the schema: type must be /);
  });

  test("without settings takes none", async () => {
    const plain = pack({ name: "plain", open: () => ({ tools: [] }) });
    expect(await plain().open(host)).toEqual({ tools: [] });
    await expect(plain({ any: 1 }).open(host)).rejects.toThrow(/^Cannot open pack "plain": settings\.any: unknown/);
  });

  test("that cannot be opened says its name and the reason, and keeps what was thrown", async () => {
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

  test("that opens to nothing is refused by name", async () => {
    const empty = pack({ name: "empty", open: () => undefined as never });
    await expect(empty().open(host)).rejects.toThrow('Cannot open pack "empty": open() gave no list of tools');
  });
});

test("what cannot be closed is told by name, and what is not open is nothing to close", async () => {
  const broken = { close: () => Promise.reject(new Error("busy")) };
  expect((await closeOne("the kept results", broken)).map(({ message }) => message)).toEqual([
    "Cannot close the kept results: busy",
  ]);
  expect(await closeOne("the kept results", undefined)).toEqual([]);
});
