// `toolwright task` is typed by people, who wait for it each time, and it ends at once. So it has files of its own, as few as can be,
// and does not load the engine for the sake of one class.
import path from "node:path";
import { build } from "esbuild";
import { mergeStart } from "./merge-start.mjs";

/** Leaves the command out of the files of all others; it is a file beside them. */
export const taskBeside = {
  name: "the task command is a file of its own",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/commands\/task\.js$/ }, () => ({ path: "./task.js", external: true })),
};

/** All of the engine that the command reaches; whoever imports more there hears of it when this is built. */
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

/** Builds the file `task.js` and those that it loads. */
export async function buildTask(options, root, folder) {
  const { metafile } = await build({
    ...options,
    entryPoints: { task: "packages/toolwright/src/cli/commands/task.ts" },
    chunkNames: "task-[name]-[hash]",
    outdir: folder,
    packages: "external",
    plugins: [...options.plugins, partOfEngine(root)],
    metafile: true,
  });
  const { outputs } = metafile;
  const started = Object.keys(outputs).filter((file) => outputs[file].entryPoint?.endsWith("/sqlite-ledger.ts"));
  const entries = ["task.js", ...started.map((file) => path.basename(file))];
  await mergeStart({ ...options, splitting: false, packages: "external" }, outputs, folder, {
    entries,
    name: "task-start",
  });
}
