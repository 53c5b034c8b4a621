// node docs/reference.mjs: writes what is made from the sources: pages of the reference, or parts of them, and the JSON Schema of
// the configuration. Needs a build.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
// What compares the pages in the tests also writes them.
const args = [vitest, "run", "tests/docs/generated.test.ts", "--update"];
process.exitCode = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" }).status ?? 1;
