import { expect, test } from "vitest";
import { runOnSmallDisk } from "./run-on-small-disk.js";

const SEED = Number(process.env["FAULTS_SEED"] ?? Date.now() % 1_000_000);
const SECONDS = Number(process.env["FAULTS_SECONDS"] ?? 90);

// An even seed has clients with API keys, an odd one clients without authentication.
test.skipIf(process.platform !== "linux").each([2 * SEED, 2 * SEED + 1])(
  `under attacks, kills and full disks, other clients lose nothing that was acknowledged and wait at most for their limits (seed %i, ${SECONDS} s)`,
  async (seed) => {
    const { counts, failures, skipped, longestWaitMs } = await runOnSmallDisk({
      milliseconds: SECONDS * 1000,
      roundMs: 20_000,
      seed,
    });
    console.log(JSON.stringify({ seed, counts, skipped, longestWaitMs }));
    expect(failures).toEqual([]);
    expect(counts["acknowledged"]).toBeGreaterThan(0);
  },
  SECONDS * 1000 + 180_000,
);
