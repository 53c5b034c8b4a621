import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { buildProgram } from "../../../../tests/support/program.js";

/** A program that Node can run. */
export interface Built {
  readonly file: string;
  remove(): void;
}

/** Makes a program that uses SQLite; the driver stays where it is installed. */
export async function buildWithDriver(source: URL): Promise<Built> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "program-"));
  const file = path.join(folder, "program.mjs");
  await buildProgram(source, file, [
    {
      name: "the driver stays where it is installed",
      setup: (builder) =>
        builder.onResolve({ filter: /^@(?:photostructure|toolwright)\/sqlite$/ }, ({ path: name }) => ({
          path: import.meta.resolve(name),
          external: true,
        })),
    },
  ]);
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
