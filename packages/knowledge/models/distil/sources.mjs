// The program's own parts that the distilling needs, so that texts are cut here exactly as they will be cut there.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

/** Bundles them into the cache, and loads them from there. */
export async function bundleSources(root, cache) {
  const knowledge = path.join(root, "packages/knowledge/src");
  const parts = [
    "embedders/install-model",
    "embedders/model-packages",
    "embedders/onnx-embedder",
    "embedders/open-onnx",
    "vectors/quantise",
  ];
  const outdir = path.join(cache, "sources");
  await build({
    entryPoints: parts.map((part) => path.join(knowledge, `${part}.ts`)),
    outdir,
    outbase: knowledge,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    // The engine is taken from its sources: it need not have been built.
    conditions: ["@toolwright/source"],
    alias: Object.fromEntries(
      ["", "/http", "/sockets", "/client", "/testing", "/tasks", "/observability", "/transport"].map((entry) => [
        `@toolwright/engine${entry}`,
        path.join(root, `packages/engine/src${entry || "/index"}.ts`),
      ]),
    ),
    external: [
      "yaml",
      "pg",
      "@photostructure/sqlite",
      "@toolwright/sqlite",
      "onnxruntime-node",
      "onnxruntime-common",
      "ws",
      "jose",
    ],
  });
  const loaded = await Promise.all(parts.map((part) => import(pathToFileURL(path.join(outdir, `${part}.js`)).href)));
  return Object.assign({}, ...loaded);
}
