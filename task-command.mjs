// `toolwright task` and `toolwright threats` are typed by people, who wait for them each time, and they end at once. So they have files
// of their own, as few as can be, and do not load the engine for the sake of one class.
import path from "node:path";
import { build } from "esbuild";
import { mergeStart } from "./merge-start.mjs";

/** Leaves these commands out of the files of all others; each is a file beside them. */
export const commandsBeside = {
  name: "some commands are files of their own",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/commands\/(?:task|threats)\.js$/ }, ({ path: file }) => ({
      path: `./${path.basename(file)}`,
      external: true,
    })),
};

/** All of the engine that the commands reach; whoever imports more there hears of it when this is built. */
const FACE = `export { ToolError } from "./protocol/outcome.js"; export { spawnChild } from "./children/spawn-child.js";`;

const partOfEngine = (root) => ({
  name: "only a part of the engine",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^@toolwright\/engine$/ }, () => ({ path: "@toolwright/engine", namespace: "part" }));
    onLoad({ filter: /./, namespace: "part" }, () => ({
      contents: FACE,
      resolveDir: path.join(root, "packages/engine/src"),
    }));
  },
});

/** Builds the files of a command, `task.js` or `threats.js`, and those that it loads. `early` tells which of them are merged as well. */
export async function buildCommand(options, root, folder, { name, early = /(?!)/ }) {
  const { metafile } = await build({
    ...options,
    entryPoints: { [name]: `packages/toolwright/src/cli/commands/${name}.ts` },
    chunkNames: `${name}-[name]-[hash]`,
    outdir: folder,
    packages: "external",
    plugins: [...options.plugins, partOfEngine(root)],
    metafile: true,
  });
  const { outputs } = metafile;
  const started = Object.keys(outputs).filter((file) => early.test(outputs[file].entryPoint ?? ""));
  const entries = [`${name}.js`, ...started.map((file) => path.basename(file))];
  await mergeStart({ ...options, splitting: false, packages: "external" }, outputs, folder, {
    entries,
    name: `${name}-start`,
  });
}
