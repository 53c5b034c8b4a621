import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import { dirname, join } from "node:path";
import type { JsonObject } from "@toolwright/engine";
import { connect } from "@toolwright/engine/client";
import { describe, expect, onTestFinished, test } from "vitest";
import { createMemoryServer } from "../../src/cli/memory-server.js";
import { loadServeConfig } from "../../src/cli/serve-config.js";

/** A server over a folder with these files. */
async function open(files: Readonly<Record<string, string>>, configuration: JsonObject, state: string) {
  const root = realpathSync(mkdtempSync(join(os.tmpdir(), "own-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const file = join(root, "toolwright.config.json");
  writeFileSync(file, JSON.stringify({ files: { roots: ["."] }, ...configuration }));
  const stateFolder = join(root, state);
  const config = await loadServeConfig(["--config", file, "--state", stateFolder, "--all-tools"], {
    env: {},
    folder: root,
  });
  const server = await createMemoryServer(config, stateFolder, "1.0.0");
  const client = await connect({ server });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return { root, client };
}

const SECRET = "SECRET-91";

/** Reads and writes a file with a tool of each pack that can. */
const CALLS: readonly ((file: string) => [tool: string, args: JsonObject])[] = [
  (path) => ["fs_read_file", { path }],
  (path) => ["fs_write_file", { path, content: "changed" }],
  (path) => ["fs_search", { pattern: "SECRET", path }],
  (path) => ["kb_ingest", { collection: "own", paths: [path] }],
  (file) => ["tmkb_review", { files: [file] }],
  (file) => ["tmkb_checklist", { files: [file] }],
  (file) => ["tmkb_query", { context: "a queue", files: [file] }],
  (path) => ["tmkb_coverage", { path }],
  (path) => ["generate_context", { project_path: path }],
];

describe("files that the server keeps in a folder of the tools", () => {
  test.each<[string, string, JsonObject, readonly string[]]>([
    [
      "a state folder that is the folder itself",
      ".",
      {},
      ["knowledge-tools.json", "models/a.txt", "results/a.txt", "recordings/a.jsonl", "workstation/blobs/a"],
    ],
    [
      "databases and an audit log elsewhere",
      "state",
      { packs: { todo: { database: "data/todo.db" } }, audit: { file: "logs/audit.jsonl" } },
      ["logs/audit.jsonl", "data/todo.db-journal"],
    ],
  ])("are neither shown nor changed: %s", async (_name, state, configuration, own) => {
    const { root, client } = await open(
      Object.fromEntries(own.map((name) => [name, `${SECRET}\n`])),
      configuration,
      state,
    );
    await client.callTool("kb_create", { collection: "own" });
    for (const name of own) {
      for (const call of CALLS) {
        const [tool, args] = call(name);
        const result = await client.callTool(tool, args).catch((error: Error) => error.message);
        expect([tool, JSON.stringify(result)]).toEqual([tool, expect.not.stringContaining(SECRET)]);
      }
      expect(readFileSync(join(root, name), "utf8")).toBe(`${SECRET}\n`);
    }
  });
});
