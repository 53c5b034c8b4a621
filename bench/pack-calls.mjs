import path from "node:path";
import { pathToFileURL } from "node:url";

const engine = new URL("../packages/engine/dist/index.js", import.meta.url).href;
const transport = new URL("../packages/engine/dist/transport.js", import.meta.url).href;

/**
 * Connects to a server in this process, and gives what asks it: the answer to a request, as the client would read it.
 * @param {any} server
 */
export async function connectTo(server) {
  const { openMemoryConnection } = await import(transport);
  let answered = (/** @type {string} */ _text) => {};
  const connection = await openMemoryConnection(server, (/** @type {string} */ text) => answered(text));
  const ask = (/** @type {string} */ method, /** @type {object} */ params) =>
    new Promise((resolve) => {
      answered = (text) => resolve(JSON.parse(text));
      connection.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
    });
  const clientInfo = { name: "b", version: "1" };
  await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  connection.send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
  return ask;
}

/** What is built to open a pack alone, for `buildParts`. */
export const partsOf = (/** @type {string} */ pack) => ({
  index: `packages/${pack}/src/index.ts`,
  pack: "packages/kit/src/pack/index.ts",
  files: "packages/kit/src/files/index.ts",
});

/**
 * Opens a built pack in a server of its own, and gives what asks it.
 * @param {{ built: string, stateFolder: string, roots: string[], settings?: object }} options
 */
export async function openBuiltPack({ built, stateFolder, roots, settings = {} }) {
  const load = (/** @type {string} */ name) => import(pathToFileURL(path.join(built, `${name}.js`)).href);
  const [{ createServer }, { default: definition }, { bindPack }, { createFilePolicy }] = await Promise.all([
    import(engine),
    ...["index", "pack", "files"].map(load),
  ]);
  const files = createFilePolicy({ settings: { roots } });
  const pack = bindPack(definition, { stateFolder, files })(settings);
  return connectTo(createServer({ name: "bench", version: "1.0.0", packs: [pack] }));
}
