import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("./", import.meta.url));

/**
 * Files that put another clock in, or load modules anew: what a module has begun by that clock would never come to its end in the files
 * after them, and these would have two copies of what is there once, such as a parser.
 */
const changing = ["packages/engine/src/", "packages/toolwright/src/", "tests/"].flatMap((folder) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}${name.replaceAll("\\", "/")}`)
    .filter(
      (file) => file.endsWith(".test.ts") && /useFakeTimers|resetModules/.test(readFileSync(`${root}${file}`, "utf8")),
    ),
);

/** Each file of these has a process of its own: they measure theirs, set what is global in it, or keep something for one file. The others share processes, which takes half the time. */
const APART = ["analysis", "knowledge", "load", "observability", "soak", "workstation/attacks"]
  .map((folder) => `tests/${folder}/**/*.test.ts`)
  .concat(changing);

export default defineConfig({
  resolve: { conditions: ["@toolwright/source"] },
  ssr: { resolve: { conditions: ["@toolwright/source"] } },
  test: {
    testTimeout: 30_000,
    // Many tests wait for other processes, so that two files at once pay even on two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        extends: true,
        test: { name: "sources", isolate: false, include: ["packages/*/src/**/*.test.ts"], exclude: APART },
      },
      { extends: true, test: { name: "shared", isolate: false, include: ["tests/**/*.test.ts"], exclude: APART } },
      { extends: true, test: { name: "apart", include: APART } },
    ],
  },
});
