import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

/** Makes one file that Node can run of a program of the tests, with the engine's sources in it. */
export async function buildProgram(source: URL, outfile: string, plugins: Plugin[] = []): Promise<void> {
  await build({
    entryPoints: [fileURLToPath(source)],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    conditions: ["@toolwright/source"],
    logLevel: "warning",
    plugins,
  });
}
