// Changes files until it is killed: by its parent, or by itself before one of its operations of the file system.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import { createServer } from "@toolwright/engine";
import { connectTestClient } from "@toolwright/engine/testing";
import { createTestPack } from "../test-pack.js";

const [root = "", state = "", seed = "1", killAt = "0"] = process.argv.slice(2);

/** The same numbers for the same seed, each from 0 to 1. */
let turn = Number(seed);
const random = (): number => {
  turn = (turn + 0x6d2b79f5) | 0;
  let mixed = Math.imul(turn ^ (turn >>> 15), 1 | turn);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};
const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;

let left = Number(killAt);
const dieSometimes = (before = () => {}): void => {
  left -= 1;
  if (left !== 0) return;
  before();
  process.kill(process.pid, "SIGKILL");
};

/** Half of what is to be written is on the disk when the process dies. */
async function killInside(): Promise<void> {
  for (const name of ["open", "rename", "unlink", "link", "mkdir", "rmdir", "symlink"] as const) {
    const real = fs.promises[name] as (...args: unknown[]) => Promise<unknown>;
    const watched = async (...args: unknown[]) => {
      dieSometimes();
      const done = await real(...args);
      dieSometimes();
      return done;
    };
    Object.assign(fs.promises, { [name]: watched });
  }
  syncBuiltinESMExports();
  const handle = await fs.promises.open(process.execPath);
  const prototype = Object.getPrototypeOf(handle) as { writeFile: (bytes: Uint8Array) => Promise<void> };
  await handle.close();
  const { writeFile } = prototype;
  prototype.writeFile = function (this: fs.promises.FileHandle, bytes: Uint8Array) {
    dieSometimes(() => fs.writeSync(this.fd, bytes, 0, bytes.length >> 1));
    return Reflect.apply(writeFile, this, [bytes]);
  };
}

const NAMES = ["a", "b", "folder/c", "folder/deep/d", "other/e"];
let number = 0;
const text = (id: string): string => `begin ${id}\n${"x".repeat(30_000)}\nend ${id}\n`;
const fresh = (): string => `${seed}-${(number += 1)}`;

/** A random call. Most fail now and then, because there is no such file. */
function randomCall(): [name: string, args: Record<string, unknown>] {
  const file = pick(NAMES);
  const id = fresh();
  const found = fs.existsSync(path.join(root, file)) ? fs.readFileSync(path.join(root, file), "utf8") : "";
  const [, now = ""] = /^begin (\S+)/.exec(found) ?? [];
  const edits = ["begin", "end"].map((word) => ({ old_string: `${word} ${now}\n`, new_string: `${word} ${id}\n` }));
  return pick<[string, Record<string, unknown>]>([
    ["fs_write_file", { path: file, content: text(id) }],
    ["fs_write_file", { path: file, content: text(id) }],
    ["fs_edit_file", { path: file, edits }],
    ["fs_move", { from: file, to: pick(NAMES), overwrite: true }],
    ["fs_move", { from: "folder", to: "elsewhere/folder" }],
    ["fs_move", { from: "elsewhere/folder", to: "folder" }],
    ["fs_delete_file", { path: file }],
    ["undo_last", { count: pick([1, 3]) }],
    ["redo", { count: pick([1, 2]) }],
    ["workspace_begin", {}],
    [pick(["workspace_commit", "workspace_rollback"]), {}],
  ]);
}

const server = createServer({
  name: "kill",
  version: "1.0.0",
  packs: [createTestPack({ root, state })],
});
const client = await connectTestClient(server);
if (left > 0) await killInside();
process.stdout.write("ready\n");
for (;;) {
  const [name, args] = randomCall();
  await client.callTool(name, args as never);
  process.stdout.write("done\n");
}
