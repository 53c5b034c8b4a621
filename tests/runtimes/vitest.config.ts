import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const conditions = ["@toolwright/source"];

/** How the tests run on other runtimes: each file in a process of its own. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["packages/*/{src,test}/**/*.test.ts", "tests/**/*.test.ts"],
    testTimeout: 30_000,
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // A runtime that loads zod itself gives the runner another module than the tests ask for.
    server: { deps: { inline: ["zod"] } },
    setupFiles: [fileURLToPath(new URL("servers-on.ts", import.meta.url))],
  },
});
