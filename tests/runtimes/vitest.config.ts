import { fileURLToPath } from "node:url";
import { mergeConfig } from "vitest/config";
import base from "../../vitest.config.js";

/** How the tests run on other runtimes: one that loads zod itself gives the runner another module than the tests ask for. */
export default mergeConfig(base, {
  test: {
    server: { deps: { inline: ["zod"] } },
    setupFiles: [fileURLToPath(new URL("servers-on.ts", import.meta.url))],
  },
});
