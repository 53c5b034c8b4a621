// The npm packages that are built into ours, so that installing them installs little else: how, and their notices.
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

/** Leaves out of `ws` what nobody asks it for: no message is compressed, no socket is made a stream or has listeners as in browsers. */
const withoutUnused = {
  name: "without what is not used",
  setup: ({ onLoad }) => {
    const replaced = {
      "permessage-deflate": 'module.exports = { extensionName: "permessage-deflate" };',
      "event-target": "module.exports = { EventTarget: {} };",
      extension: "module.exports = {};",
      stream: "module.exports = undefined;",
    };
    onLoad({ filter: /\/ws\/lib\/(?:permessage-deflate|event-target|extension|stream)\.js$/ }, ({ path: file }) => ({
      contents: replaced[path.basename(file, ".js")],
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
    plugins: [requireOfNode, withoutUnused],
    // Its own members, but not those that Node's streams know.
    mangleProps: /^_/,
    reserveProps: /^_(?:write|writableState|readableState)$/,
    // Machine code that it would use if it were there.
    define: { "process.env.WS_NO_BUFFER_UTIL": '"1"', "process.env.WS_NO_UTF_8_VALIDATE": '"1"' },
    metafile: true,
  });
  return metafile.inputs;
}

/** Where a package is that is not built in but packed. */
export const folderOf = (name) => `node_modules/${name}`;

/** The licences of all packages among the files that were read, and of `more`. */
export function noticesOf(root, inputs, more = []) {
  const found = Object.keys(inputs).map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  const named = more.map(folderOf);
  const folders = [...new Set([...found, ...named])].filter((folder) => folder !== undefined).sort();
  return folders.map((folder) => noticeOf(path.join(root, folder))).join("\n");
}

/** Packages that say under which licence they are, but bring no text of it. */
const WITHOUT_TEXT = new Set(["js-tiktoken"]);

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const head = `${name} ${version} (${license})\n`;
  if (file !== undefined) return `${head}\n${readFileSync(path.join(folder, file), "utf8").trim()}\n`;
  if (WITHOUT_TEXT.has(name)) return head;
  throw new Error(`Cannot build ${name} in: it has no file with its licence`);
}
