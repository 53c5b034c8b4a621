import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["@toolwright/source"] },
  ssr: { resolve: { conditions: ["@toolwright/source"] } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "tests/**/*.test.ts"],
    testTimeout: 30_000,
    // Many tests wait for other processes, so that two files at once pay even on two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});
