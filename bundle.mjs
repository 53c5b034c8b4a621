// The npm packages that are built into the engine, so that installing it installs nothing else: how, and their notices.
import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import path from "node:path";
import { build } from "esbuild";

/** Leaves `ws` out of the files that use it: it is one file beside them, which is read when a WebSocket is opened. */
export const wsBeside = {
  name: "ws is a file of its own",
  setup: ({ onResolve }) => onResolve({ filter: /^ws$/ }, () => ({ path: "./ws.js", external: true })),
};

/** A `require` of one of Node's modules, which modules of today do not have, asks the process for it. */
const requireOfNode = {
  name: "require of Node's modules",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /./ }, ({ kind, path: name }) =>
      kind === "require-call" && builtinModules.includes(name) ? { path: name, namespace: "node" } : undefined,
    );
    onLoad({ filter: /./, namespace: "node" }, ({ path: name }) => ({
      contents: `module.exports = process.getBuiltinModule("node:${name}");`,
    }));
  },
};

/** Builds the file `ws.js`, and gives the names of what was read. */
export async function buildWs(options, root, folder) {
  const { metafile } = await build({
    ...options,
    minify: true,
    splitting: false,
    stdin: { contents: 'export { WebSocket, WebSocketServer } from "ws";', resolveDir: root },
    outfile: path.join(folder, "ws.js"),
    plugins: [requireOfNode],
    // Machine code that it would use if it were there.
    define: { "process.env.WS_NO_BUFFER_UTIL": '"1"', "process.env.WS_NO_UTF_8_VALIDATE": '"1"' },
    metafile: true,
  });
  return metafile.inputs;
}

/** The licences of all packages among the files that were read. */
export function noticesOf(root, inputs) {
  const found = Object.keys(inputs).map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  const folders = [...new Set(found)].filter((folder) => folder !== undefined).sort();
  return folders.map((folder) => noticeOf(path.join(root, folder))).join("\n");
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`Cannot build ${name} in: it has no file with its licence`);
  return `${name} ${version} (${license})\n\n${readFileSync(path.join(folder, file), "utf8").trim()}\n`;
}
