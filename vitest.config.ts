import { existsSync, readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("./", import.meta.url));
const packages = readdirSync(`${root}packages`).flatMap((name) => [`packages/${name}/src/`, `packages/${name}/test/`]);
const files = [...packages, "tests/"]
  .filter((folder) => existsSync(root + folder))
  .flatMap((folder) =>
    readdirSync(root + folder, { recursive: true, encoding: "utf8" }).map(
      (name) => folder + name.replaceAll("\\", "/"),
    ),
  )
  .filter((file) => file.endsWith(".test.ts"));
const textOf = (file: string): string => readFileSync(`${root}${file}`, "utf8");

/**
 * The fast tier (`npm test`): unit tests, golden conversations and protocol tests, on one revision where the behaviour does not
 * differ. Everything that starts processes, databases or browsers belongs to the full run.
 */
const FAST =
  /^(?:packages\/[^/]+\/src\/|packages\/(?:engine|threats)\/test\/|packages\/[^/]+\/test\/unit\/|tests\/[^/]*\.test\.ts$)/;
const SLOW =
  /^(?:packages\/threats\/test\/review|packages\/engine\/test\/(?:client|faults|lifecycle|replay|stdio|limits\/(?:queue|slow-calls)|http\/(?:limits|malformed)|tasks\/races|authorization\/tokens))/;
/** The deep tier (`npm run test:deep`), before a release: soak, faults under attack, long fuzzing, and the large assistants of others. */
const DEEP = /^tests\/(?:soak\/soak|resilience\/long-run|fuzz\/messages|interop\/agents)\.test\.ts$/;
/** These have a longer form in the deep tier. */
const LONGER = /^packages\/toolwright\/test\/responsiveness\//;
const isFast = (file: string): boolean => FAST.test(file) && !SLOW.test(file);

/** Tests of every revision run on the newest one in the fast tier, and on the others in the rest. */
const runsOnEveryRevision = (file: string): boolean => /every-revision/.test(textOf(file));

/** Files that install fake timers or reset modules would disturb the files after them in the same process. */
const changesGlobals = (file: string): boolean => /useFakeTimers|resetModules/.test(textOf(file));

/** These measure their process or keep state in it, so each file has a process of its own. The others share processes, which halves the time. */
const ISOLATED =
  /^(?:tests\/(?:load|soak)|packages\/(?:(?:analysis|knowledge)\/test(?!\/unit)|toolwright\/test\/(?:analysis|knowledge)|workstation\/test\/attacks|engine\/test\/observability))\//;

export default defineConfig(({ mode }) => {
  const selected = files.filter((file) => {
    if (mode === "fast") return isFast(file);
    if (mode === "deep") return DEEP.test(file) || LONGER.test(file);
    if (mode === "rest") return (!isFast(file) && !DEEP.test(file)) || runsOnEveryRevision(file);
    return true;
  });
  const isolated = selected.filter((file) => ISOLATED.test(file) || changesGlobals(file));
  const shared = selected.filter((file) => !isolated.includes(file));
  return {
    resolve: { conditions: ["@toolwright/source"] },
    ssr: { resolve: { conditions: ["@toolwright/source"] } },
    test: {
      testTimeout: 30_000,
      // Tests of the full run mostly wait for other processes, so more files run at once than there are cores.
      maxWorkers: availableParallelism() + (mode === "fast" ? 0 : 1),
      env: { TEST_TIER: mode === "fast" || mode === "rest" ? mode : "all" },
      projects: [
        { extends: true, test: { name: "shared", isolate: false, include: shared } },
        { extends: true, test: { name: "isolated", include: isolated } },
      ],
    },
  };
});
