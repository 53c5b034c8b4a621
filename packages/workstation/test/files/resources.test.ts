import { truncate } from "node:fs/promises";
import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { openWorkstation } from "../kit.js";

describe("files as resources", () => {
  test("can be read as text or bytes, with their media type", async () => {
    const { root, client } = await openWorkstation({
      files: {
        "a b/ü[1].md": "\uFEFF# Grüße",
        "b.bin": Buffer.from([0, 1, 255]),
        "c.txt": Buffer.from("\uFEFFx", "utf16le"),
      },
    });
    const uri = `file://${root}/a%20b/%C3%BC%5B1%5D.md`;
    expect((await client.request("resources/read", { uri }))["contents"]).toEqual([
      { uri, mimeType: "text/markdown", text: "# Grüße" },
    ]);
    const [bytes] = (await client.request("resources/read", { uri: `file://${root}/b.bin` }))[
      "contents"
    ] as JsonObject[];
    expect(bytes).toMatchObject({ mimeType: "application/octet-stream", blob: "AAH/" });
    const [wide] = (await client.request("resources/read", { uri: `file://${root}/c.txt` }))[
      "contents"
    ] as JsonObject[];
    expect(wide).toMatchObject({ text: "x" });
  });

  test("are listed where they lie directly in a root", async () => {
    const { root, client } = await openWorkstation({
      files: { "a.md": "x", "[b]": "", "new\nline": "", "sub/c": "", ".env": "" },
      policy: { hidden: [".env"] },
    });
    const { resources } = await client.request("resources/list");
    const files = (resources as JsonObject[]).filter(({ uri }) => (uri as string).startsWith("file:"));
    expect(files.map(({ uri, name, size }) => [uri, name, size])).toEqual([
      [`file://${root}/%5Bb%5D`, "[b]", 0],
      [`file://${root}/a.md`, "a.md", 1],
    ]);
    for (const { uri } of files)
      expect((await client.request("resources/read", { uri: uri as string }))["contents"]).toHaveLength(1);
  });

  test("are only those that can be reached", async () => {
    const { root, client } = await openWorkstation({
      files: { ".env": "secret", a: "" },
      policy: { hidden: [".env"] },
    });
    for (const uri of [`file://${root}/.env`, "file:///etc/passwd", `file://${root}/gone`, `file://${root}`])
      await expect(client.request("resources/read", { uri })).rejects.toThrow(
        /hide it|outside the allowed folders|not found|is a folder/i,
      );
    await truncate(path.join(root, "a"), 5_000_000);
    await expect(client.request("resources/read", { uri: `file://${root}/a` })).rejects.toThrow(
      'Cannot read "a" at once: it has 5000000 bytes, at most 4194304 are. Read it in pages with fs_read_file.',
    );
  });

  test("have their paths completed", async () => {
    const { root, client } = await openWorkstation({ files: { "src/one.ts": "", "src/other/x": "", "src/z": "" } });
    const complete = async (value: string): Promise<unknown> => {
      const ref = { type: "ref/resource", uri: "file:///{+path}" };
      const { completion } = await client.request("completion/complete", { ref, argument: { name: "path", value } });
      return (completion as JsonObject)["values"];
    };
    const below = root.slice(1);
    expect(await complete(below.slice(0, 4))).toEqual([`${below}/`]);
    expect(await complete(`${below}/src/o`)).toEqual([`${below}/src/one.ts`, `${below}/src/other/`]);
    expect(await complete(`${below}/gone/`)).toEqual([]);
    expect(await complete("etc/pass")).toEqual([]);
  });
});
