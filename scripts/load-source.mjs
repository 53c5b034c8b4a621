import { rmSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { build } from "rolldown";

/** Imports a TypeScript file of the project. It is bundled to a temporary file beside `folder`, where its dependencies resolve. */
export async function loadSource(root, source, folder) {
  const file = `${folder}-source.mjs`;
  try {
    await build({
      cwd: root,
      input: source,
      platform: "node",
      external: /^(?!@toolwright\/)[^./]/,
      resolve: { conditionNames: ["@toolwright/source", "node", "import"] },
      output: { file, format: "esm", codeSplitting: false },
    });
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(file, { force: true });
  }
}
