// A server of its own over a folder that others change too: writes with the hash of what it has read, and prints which writes succeeded.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { createServer, type JsonObject } from "@toolwright/engine";
import { connectTestClient } from "@toolwright/engine/testing";
import { createTestPack } from "../test-pack.js";

const [root = "", state = "", name = "", count = "0"] = process.argv.slice(2);
const server = createServer({ name: "racer", version: "1.0.0", packs: [createTestPack({ root, state })] });
const client = await connectTestClient(server);
const written: [base: string, text: string][] = [];
for (let at = 0; at < Number(count); at += 1) {
  const base = await readFile(path.join(root, "shared"), "utf8");
  const expected = `sha256:${createHash("sha256").update(base).digest("hex").slice(0, 32)}`;
  const text = `${name} ${at}`;
  const edits = [{ old_text: base, new_text: text }];
  const [tool, change]: [string, JsonObject] =
    at % 2 === 0 ? ["fs_write_file", { content: text }] : ["fs_edit_file", { edits }];
  const { isError } = await client.callTool(tool, { path: "shared", ...change, expected_hash: expected });
  if (isError !== true) written.push([base, text]);
}
process.stdout.write(`${JSON.stringify(written)}\n`);
client.close();
await server.close();
