// Compiles the built-in templates into one JSON file, which the program reads when a template is first needed. The compiler is the
// reader of users' templates.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { loadSource } from "./load-source.mjs";

/** Writes the compiled templates into `folder`. Throws if a template has a fault. */
export async function packTemplates(root, folder) {
  const { compileCatalogue } = await loadSource(root, "packages/templates/src/library/compile-catalogue.ts", folder);
  const templates = await compileCatalogue(path.join(root, "packages/templates/templates"));
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "catalogue.json"), JSON.stringify(templates));
}
