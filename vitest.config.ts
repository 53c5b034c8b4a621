import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Each file of these has a process of its own: they measure theirs, set what is global in it, or keep something for one file. The others share processes, which takes half the time. */
const APART = ["analysis", "knowledge", "load", "observability", "soak", "workstation/attacks"].map(
  (folder) => `tests/${folder}/**/*.test.ts`,
);

export default defineConfig({
  resolve: { conditions: ["@toolwright/source"] },
  ssr: { resolve: { conditions: ["@toolwright/source"] } },
  test: {
    testTimeout: 30_000,
    // Many tests wait for other processes, so that two files at once pay even on two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      { extends: true, test: { name: "sources", isolate: false, include: ["packages/*/src/**/*.test.ts"] } },
      { extends: true, test: { name: "shared", isolate: false, include: ["tests/**/*.test.ts"], exclude: APART } },
      { extends: true, test: { name: "apart", include: APART } },
    ],
  },
});
