// Changes files on a disk that is full, and says what came of it. The first folder is the small disk, the second has room.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createServer, type JsonObject } from "@toolwright/engine";
import { connectTestClient } from "@toolwright/engine/testing";
import { createTestPack } from "../test-pack.js";

const [root = "", state = ""] = process.argv.slice(2);
const server = createServer({ name: "full", version: "1.0.0", packs: [createTestPack({ root, state })] });
const client = await connectTestClient(server);
const call = async (name: string, args: JsonObject): Promise<unknown> => {
  const result = await client.callTool(name, args);
  const [block] = result["content"] as { text: string }[];
  return result["isError"] === true ? block?.text : "ok";
};
const files = (): string[] => readdirSync(root).filter((name) => name !== "journal" && name !== "filler");

/** Takes all room there is, to the last byte. */
function fill(): void {
  let size = 1 << 20;
  while (size > 0) {
    try {
      writeFileSync(path.join(root, "filler"), "x".repeat(size), { flag: "a" });
    } catch {
      size >>= 1;
    }
  }
}

const write = (content: string) => call("fs_write_file", { path: "a", content });
const said: unknown[] = [await write("first")];
fill();
said.push(await write("y".repeat(100_000)), readFileSync(path.join(root, "a"), "utf8"), files());
rmSync(path.join(root, "filler"));
said.push(await write("second"), await call("undo_last", {}), readFileSync(path.join(root, "a"), "utf8"));
const { structuredContent } = (await client.callTool("changes_since")) as { structuredContent: JsonObject };
said.push((structuredContent["changes"] as { state: string }[]).map((change) => change.state));
process.stdout.write(`${JSON.stringify(said)}\n`);
client.close();
await server.close();
