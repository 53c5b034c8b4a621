import { cpSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { workspacePackages } from "../../tests/support/workspace-packages.mjs";
import { connectTo } from "../pack-calls.mjs";

export const root = fileURLToPath(new URL("../..", import.meta.url));
const home = path.join(root, "packages/toolwright");

/** @typedef {(name: string, args: object) => Promise<any>} CallTool */
/** @typedef {{ call: CallTool, context: any, inner: any, folder: string, close: () => Promise<void> }} OpenPack */

/**
 * Bundles the pack, with what the bench asks inside it, beside `dist`: its files are found from there.
 * @returns {Promise<{ open: (settings?: object) => Promise<OpenPack>, drop: () => void }>}
 */
export async function buildPack() {
  const built = mkdtempSync(path.join(home, "bench-"));
  for (const name of ["models", "vectors"])
    cpSync(path.join(home, "dist", name), path.join(built, name), { recursive: true });
  const from = "./packages/knowledge/src";
  const contents = `export { createKnowledge, openKnowledge } from "${from}/index.ts";
export { search } from "${from}/search/search.ts";
export { buildSegment } from "${from}/search/segment-writer.ts";
export { quantise } from "${from}/vectors/quantise.ts";`;
  const options = /** @type {const} */ ({
    absWorkingDir: root,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    plugins: [workspacePackages],
    logLevel: "warning",
  });
  const stdin = /** @type {const} */ ({ contents, resolveDir: root, loader: "ts", sourcefile: "bench-knowledge.ts" });
  await build({ ...options, stdin, outfile: path.join(built, "index.js") });
  // The thread that reads documents.
  const entryPoints = { "knowledge-reader": `${from}/documents/reader-worker.ts` };
  await build({ ...options, entryPoints, outdir: built });
  const inner = await import(pathToFileURL(path.join(built, "index.js")).href);
  const engine = await import(pathToFileURL(path.join(root, "packages/engine/dist/index.js")).href);
  return {
    open: (settings = {}) => openPack(engine, inner, settings),
    drop: () => rmSync(built, { recursive: true, force: true }),
  };
}

/** The pack in a server of its own, over an empty knowledge base; and the same database by its functions. */
async function openPack(/** @type {any} */ engine, /** @type {any} */ inner, /** @type {object} */ settings) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "bench-knowledge-"));
  const said = { roots: [root, folder], embedder: "static", client_roots: false, ...settings };
  const packs = [inner.createKnowledge(folder)(said)];
  const server = engine.createServer({ name: "bench", version: "1.0.0", packs, limits: { callTimeoutMs: 3_600_000 } });
  const ask = await connectTo(server);
  const context = inner.openKnowledge(said, folder, { log: () => {} });
  return {
    folder,
    inner,
    context,
    async call(/** @type {string} */ name, /** @type {object} */ args) {
      const { result, error } = await ask("tools/call", { name, arguments: args });
      if (error !== undefined || result.isError) throw new Error(`${name}: ${JSON.stringify(error ?? result.content)}`);
      return result.structuredContent;
    },
    async close() {
      await context.close();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
