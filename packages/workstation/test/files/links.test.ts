import { open } from "node:fs/promises";
import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import { expect, test } from "vitest";
import { openWorkstation } from "../kit.js";

test("a file is linked as a resource only where it can be read as one", async () => {
  const line = `${"x".repeat(99)}\n`;
  const { root, client } = await openWorkstation({
    files: { fits: line.repeat(5000), "line\nbreak": line.repeat(5000) },
  });
  const handle = await open(path.join(root, "large"), "w");
  await handle.writeFile(line.repeat(42_000));
  await handle.close();
  const kinds = async (name: string): Promise<unknown[]> => {
    const { content } = await client.callTool("fs_read_file", { path: name });
    return (content as JsonObject[]).map(({ type }) => type);
  };
  expect(await kinds("fits")).toEqual(["text", "text", "resource_link"]);
  expect(await kinds("line\nbreak")).toEqual(["text", "text"]);
  expect(await kinds("large")).toEqual(["text", "text"]);
});
