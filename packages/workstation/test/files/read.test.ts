import { createHash } from "node:crypto";
import { open, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { openWorkstation, type TestWorkstation } from "../kit.js";

const hash = (bytes: string | Uint8Array): string =>
  `sha256:${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}`;

/** Reads a file page by page until there is no next one. */
async function readAll({ call }: TestWorkstation, first: JsonObject): Promise<JsonObject[]> {
  const pages: JsonObject[] = [];
  for (let next: JsonObject | undefined = {}; next !== undefined; next = pages.at(-1)?.["next"] as typeof next) {
    const { path: file, limit, byte_limit: bytes } = first;
    const kept = {
      path: file,
      ...(limit !== undefined && { limit }),
      ...(bytes !== undefined && { byte_limit: bytes }),
    };
    pages.push(await call("fs_read_file", pages.length === 0 ? first : ({ ...kept, ...next } as JsonObject)));
  }
  return pages;
}

const joined = (pages: readonly JsonObject[]): string => pages.map(({ text }) => text as string).join("");

describe("fs_read_file", () => {
  test("gives a small file whole, with its facts", async () => {
    const { call } = await openWorkstation({ files: { "src/a.ts": "one\ntwo\n" } });
    expect(await call("fs_read_file", { path: "src/a.ts" })).toEqual({
      path: "src/a.ts",
      kind: "text",
      text: "one\ntwo\n",
      first_line: 1,
      last_line: 2,
      total_lines: 2,
      size: 8,
      mime: "text/plain",
      encoding: "utf-8",
      line_ending: "lf",
      hash: hash("one\ntwo\n"),
    });
  });

  test("gives the plain text as the text block, and structured content beside it", async () => {
    const { client } = await openWorkstation({ files: { a: "1\n2\n3\n" } });
    const whole = await client.callTool("fs_read_file", { path: "a" });
    // Some clients show only text to the model, and it needs the hash for a safe edit.
    expect(whole["content"]).toEqual([
      { type: "text", text: "1\n2\n3\n" },
      { type: "text", text: `[a: hash: ${hash("1\n2\n3\n")}]` },
    ]);
    const part = await client.callTool("fs_read_file", { path: "a", limit: 2 });
    const blocks = part["content"] as JsonObject[];
    expect(blocks.map(({ type }) => type)).toEqual(["text", "text", "resource_link"]);
    expect(blocks[0]?.["text"]).toBe("1\n2\n");
    expect(blocks[1]?.["text"]).toContain('{"offset":3}');
    expect(blocks[2]?.["uri"]).toMatch(/^file:\/\/\/.*\/a$/);
  });

  test("reads several files, each with its own result or error", async () => {
    const { client, fail } = await openWorkstation({ files: { a: "1\n", "sub/b": "2\n" } });
    const result = await client.callTool("fs_read_file", { paths: ["a", "gone", "sub/b"] });
    expect(result["isError"]).not.toBe(true);
    expect(result["structuredContent"]).toMatchObject({
      files: [
        { path: "a", text: "1\n", hash: hash("1\n") },
        { path: "gone", error: { code: "NOT_FOUND" } },
        { path: "sub/b", text: "2\n", total_lines: 1 },
      ],
    });
    const texts = (result["content"] as JsonObject[]).map(({ text }) => text);
    expect(texts).toEqual([
      `[a: hash: ${hash("1\n")}]`,
      "1\n",
      '[gone: "gone" does not exist.]',
      `[sub/b: hash: ${hash("2\n")}]`,
      "2\n",
    ]);
    expect(await fail("fs_read_file", { paths: ["gone", "none"] })).toMatchObject({ code: "NOT_FOUND" });
    expect(await fail("fs_read_file", {})).toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(await fail("fs_read_file", { path: "a", paths: ["a"] })).toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  test("shares the size of a result: small files are whole, large ones get equal parts", async () => {
    const line = `${"x".repeat(99)}\n`;
    const files = { small: line, large: line.repeat(2000), larger: line.repeat(5000) };
    const { call } = await openWorkstation({ files });
    const { files: read } = (await call("read_multiple_files", { paths: Object.keys(files), byte_limit: 20_100 })) as {
      files: { text: string; next?: JsonObject }[];
    };
    expect(read.map(({ text, next }) => [text.length, next])).toEqual([
      [100, undefined],
      [10_000, { offset: 101 }],
      [10_000, { offset: 101 }],
    ]);
    const { files: byDefault } = (await call("fs_read_file", { path: ["larger", "large"] })) as {
      files: { text: string }[];
    };
    expect(byDefault.map(({ text }) => text.length)).toEqual([40_000, 40_000]);
  });

  test("gives large files whole if the settings say so, and refuses those that are too large", async () => {
    const line = `${"x".repeat(99)}\n`;
    const files = { large: line.repeat(3000), larger: line.repeat(90_000) };
    const { call, fail } = await openWorkstation({ files, settings: { wholeFiles: true } });
    expect(await call("fs_read_file", { path: "large" })).toMatchObject({ text: line.repeat(3000), last_line: 3000 });
    expect(await call("fs_read_file", { path: "large", limit: 2 })).toMatchObject({ text: line.repeat(2) });
    expect(await fail("fs_read_file", { path: "larger" })).toMatchObject({
      code: "TOO_LARGE",
      details: { size: 9_000_000 },
    });
    expect(await call("fs_read_file", { path: "larger", offset: -1 })).toMatchObject({ text: line });
  });

  test("knows the aliases of the source documents", async () => {
    const { call } = await openWorkstation({ files: { a: "x" } });
    for (const name of ["filesystem/read", "ReadFileAsync"])
      expect(await call(name, { path: "a" })).toMatchObject({ text: "x", line_ending: "none", total_lines: 1 });
  });

  test.each<[string, Uint8Array, string, string, string]>([
    ["utf-8", Buffer.from("Grüße\n", "utf8"), "utf-8", "Grüße\n", "lf"],
    ["utf-8 with a mark", Buffer.from("\uFEFFGrüße\r\nx", "utf8"), "utf-8", "Grüße\r\nx", "crlf"],
    ["utf-16le with a mark", Buffer.from("\uFEFFGrüße 😀\n", "utf16le"), "utf-16le", "Grüße 😀\n", "lf"],
    ["utf-16be with a mark", Buffer.from("\uFEFFGrüße 😀\n", "utf16le").swap16(), "utf-16be", "Grüße 😀\n", "lf"],
    ["utf-16le without a mark", Buffer.from("plain words\r\n", "utf16le"), "utf-16le", "plain words\r\n", "crlf"],
    ["utf-16be without a mark", Buffer.from("plain words\n", "utf16le").swap16(), "utf-16be", "plain words\n", "lf"],
    ["latin-1", Buffer.from("Gr\u00FC\u00DFe\r", "latin1"), "windows-1252", "Grüße\r", "cr"],
    ["windows-1252", Buffer.from([0x80, 0x20, 0x93, 0x78, 0x94, 0x0a]), "windows-1252", "€ “x”\n", "lf"],
    ["nothing", Buffer.alloc(0), "utf-8", "", "none"],
    ["mixed line ends", Buffer.from("a\r\nb\nc"), "utf-8", "a\r\nb\nc", "mixed"],
  ])("detects %s", async (_name, bytes, encoding, text, ending) => {
    const { call } = await openWorkstation({ files: { a: bytes } });
    expect(await call("fs_read_file", { path: "a" })).toMatchObject({
      kind: "text",
      encoding,
      text,
      line_ending: ending,
      size: bytes.length,
      hash: hash(bytes),
    });
  });

  test("believes an encoding that is given", async () => {
    const { call } = await openWorkstation({ files: { a: Buffer.from("é") } });
    expect(await call("fs_read_file", { path: "a", encoding: "windows-1252" })).toMatchObject({ text: "Ã©" });
  });

  test("recognizes binary files, and returns them as base64 on request", async () => {
    const bytes = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3, 0xff]);
    const { call, client } = await openWorkstation({ files: { "a.bin": bytes, "b.pdf": "%PDF-1.4\nplain" } });
    const found = await call("fs_read_file", { path: "a.bin" });
    expect(found).toMatchObject({ kind: "binary", size: 9, mime: "application/x-executable", hash: hash(bytes) });
    expect(found["text"]).toBeUndefined();
    expect(found["note"]).toContain("7f454c46");
    expect(await call("fs_read_file", { path: "b.pdf" })).toMatchObject({ kind: "binary", mime: "application/pdf" });
    const first = await call("fs_read_file", { path: "a.bin", encoding: "base64", byte_limit: 6 });
    expect(first).toMatchObject({ text: "f0VMRgAB", encoding: "base64", byte_offset: 0, next: { byte_offset: 6 } });
    const second = await call("fs_read_file", { path: "a.bin", encoding: "base64", byte_offset: 6 });
    expect(second).toMatchObject({ text: "AgP/" });
    expect(second["next"]).toBeUndefined();
    const { content } = await client.callTool("fs_read_file", { path: "a.bin" });
    expect((content as JsonObject[]).map(({ type }) => type)).toEqual(["text", "resource_link"]);
  });

  test("shows images as images, vector graphics as text", async () => {
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    const { client, call, root } = await openWorkstation({
      files: {
        "a.png": png,
        "b.jpg": Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]),
        "c.gif": Buffer.from("GIF89a\u0001\0\u0001\0\0"),
        "d.webp": Buffer.from("RIFF\u0004\0\0\0WEBPVP8 "),
        "e.svg": "<svg/>",
      },
    });
    const { content, structuredContent } = await client.callTool("fs_read_file", { path: "a.png" });
    expect(content).toEqual([{ type: "image", data: png.toString("base64"), mimeType: "image/png" }]);
    expect(structuredContent).toMatchObject({ kind: "image", mime: "image/png", size: png.length, hash: hash(png) });
    for (const [name, mime] of [
      ["b.jpg", "image/jpeg"],
      ["c.gif", "image/gif"],
      ["d.webp", "image/webp"],
    ] as const)
      expect(await call("fs_read_file", { path: name })).toMatchObject({ kind: "image", mime });
    expect(await call("fs_read_file", { path: "e.svg" })).toMatchObject({ kind: "text", mime: "image/svg+xml" });
    await truncate(path.join(root, "a.png"), 4_000_000);
    const large = await call("fs_read_file", { path: "a.png" });
    expect(large).toMatchObject({ kind: "binary", mime: "image/png", size: 4_000_000 });
    expect(large["note"]).toContain("shown up to");
  });

  test("gives ranges of lines, from the start and from the end", async () => {
    const { call } = await openWorkstation({ files: { a: "1\n2\n3\n4\n5" } });
    expect(await call("fs_read_file", { path: "a", offset: 2, limit: 2 })).toMatchObject({
      text: "2\n3\n",
      first_line: 2,
      last_line: 3,
      total_lines: 5,
      next: { offset: 4 },
    });
    expect(await call("fs_read_file", { path: "a", offset: -2 })).toMatchObject({
      text: "4\n5",
      first_line: 4,
      last_line: 5,
    });
    expect(await call("fs_read_file", { path: "a", offset: -9 })).toMatchObject({ first_line: 1, last_line: 5 });
  });

  test("says how long a file is where a page starts behind its end", async () => {
    const { fail } = await openWorkstation({ files: { a: "1\n2\n", empty: "" } });
    const late = await fail("fs_read_file", { path: "a", offset: 3 });
    expect([late.code, late.text]).toEqual(["INVALID_ARGUMENT", 'Cannot read "a" from line 3: it has 2 lines.']);
    expect((await fail("fs_read_file", { path: "empty", offset: 2 })).text).toContain("it has 0 lines");
    expect((await fail("fs_read_file", { path: "a", byte_offset: 5 })).text).toContain("from byte 5: it has 4 bytes");
  });

  test.each(["utf8", "utf16le", "latin1"] as const)(
    "pages give each character of %s exactly once",
    async (encoding) => {
      const letters = encoding === "latin1" ? "aé\n" : "aé€😀\n";
      const words = Array.from({ length: 150 }, (_, at) => letters.repeat((at % 7) + 1).replace("\n", "")).join("\n");
      const text = `${encoding === "utf16le" ? "\uFEFF" : ""}${words}`;
      const bench = await openWorkstation({ files: { a: Buffer.from(text, encoding) } });
      const byLines = await readAll(bench, { path: "a", limit: 7 });
      expect(joined(byLines)).toBe(words);
      expect(byLines.length).toBeGreaterThan(20);
      const byRoom = await readAll(bench, { path: "a", byte_limit: 301 });
      expect(joined(byRoom)).toBe(words);
      const byBytes = await readAll(bench, { path: "a", byte_offset: 0, byte_limit: 7 * 31 });
      expect(joined(byBytes)).toBe(words);
    },
  );

  test("a byte offset inside a character starts with the next one", async () => {
    const { call } = await openWorkstation({ files: { a: "a😀b" } });
    for (const offset of [2, 3, 4, 5])
      expect(await call("fs_read_file", { path: "a", byte_offset: offset })).toMatchObject({
        text: "b",
        byte_offset: 5,
      });
  });

  test("a line that has no room is cut, and goes on by bytes", async () => {
    const bench = await openWorkstation({ files: { a: `short\n${"é".repeat(1000)}\nend` } });
    const pages = await readAll(bench, { path: "a", offset: 2, byte_limit: 301 });
    expect(pages[0]).toMatchObject({ first_line: 2, last_line: 2, next: { byte_offset: 306 } });
    expect(pages[0]?.["note"]).toContain("Line 2 is too long for one page and goes on at byte 306");
    expect(joined(pages)).toBe(`${"é".repeat(1000)}\nend`);
  });

  test("a hundred megabytes in one line are not loaded", async () => {
    const { root, call } = await openWorkstation({ files: { a: "x" } });
    await truncate(path.join(root, "a"), 100 * 1024 * 1024);
    const handle = await open(path.join(root, "a"), "r+");
    await handle.write("y".repeat(1_100_000), 0);
    await handle.close();
    const found = await call("fs_read_file", { path: "a" });
    expect(found).toMatchObject({ text: "y".repeat(40_000), size: 104_857_600, next: { byte_offset: 40_000 } });
    expect(found["hash"]).toBeUndefined();
    expect(found["total_lines"]).toBeUndefined();
    expect(found["note"]).toContain("No hash is given of a file of more than 64 MiB");
    expect(await call("fs_read_file", { path: "a", byte_offset: 1_099_999, byte_limit: 4 })).toMatchObject({
      text: "y\0\0\0",
    });
  });

  test("thirty megabytes are read by ranges", async () => {
    const { root, call } = await openWorkstation();
    const line = (at: number): string => `line ${String(at).padStart(8, "0")} of many ${"·".repeat(at % 50)}\n`;
    const lines = Array.from({ length: 500_000 }, (_, at) => line(at + 1)).join("");
    await writeFile(path.join(root, "big"), lines);
    for (const at of [1, 250_000, 499_999])
      expect(await call("fs_read_file", { path: "big", offset: at, limit: 2 })).toMatchObject({
        text: line(at) + line(at + 1),
        size: 36_000_000,
        total_lines: 500_000,
        hash: hash(lines),
      });
  });

  test("says what stands in the way", async () => {
    const { call, fail } = await openWorkstation({
      files: { "src/a.ts": "", "b.env": "secret" },
      policy: { hidden: ["**/*.env"] },
    });
    expect((await fail("fs_read_file", { path: "src/b.ts" })).code).toBe("NOT_FOUND");
    expect((await fail("fs_read_file", { path: "src" })).text).toBe('"src" is a folder, not a regular file.');
    expect((await fail("fs_read_file", { path: "b.env" })).code).toBe("FORBIDDEN_PATH");
    expect(await call("fs_read_file", { path: "src/a.ts" })).toMatchObject({
      text: "",
      total_lines: 0,
      line_ending: "none",
    });
  });

  test("reads names with odd characters", async () => {
    const names = ["-rf", "new\nline", "tab\there", "uni–code 😀", "a b'c\"d", "\u0001x", "#%?[x]"];
    const { call } = await openWorkstation({ files: Object.fromEntries(names.map((name) => [name, name])) });
    for (const name of names)
      expect(await call("fs_read_file", { path: name })).toMatchObject({ path: name, text: name });
  });

  test("pages that are read at once do not disturb one another", async () => {
    const text = Array.from({ length: 60_000 }, (_, at) => `row ${at}\n`)
      .join("")
      .repeat(4);
    const { call } = await openWorkstation({ files: { a: text } });
    const pages = await Promise.all(
      Array.from({ length: 8 }, (_, at) => call("fs_read_file", { path: "a", offset: at * 20_000 + 1, limit: 1 })),
    );
    expect(pages.map(({ text: row }) => row)).toEqual(
      [0, 20_000, 40_000, 0, 20_000, 40_000, 0, 20_000].map((at) => `row ${at}\n`),
    );
    expect(new Set(pages.map((page) => page["hash"]))).toEqual(new Set([hash(text)]));
  });

  test("knows a file anew after it was changed", async () => {
    const { root, call } = await openWorkstation({ files: { a: "old\n" } });
    const before = await call("fs_read_file", { path: "a" });
    await writeFile(path.join(root, "a"), "new\n");
    const now = await call("fs_read_file", { path: "a" });
    expect([before["text"], now["text"], now["hash"]]).toEqual(["old\n", "new\n", hash("new\n")]);
  });
});
