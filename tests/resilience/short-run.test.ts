import { expect, test } from "vitest";
import { runOnSmallDisk } from "./run-on-small-disk.js";

const SEED = Number(process.env["FAULTS_SEED"] ?? Date.now() % 1_000_000);

// The clients have addresses of their own on the loopback interface, which other systems do not have.
test.skipIf(process.platform !== "linux").each(["kill", "power loss"])(
  `during attacks, other clients lose nothing that was acknowledged: %s (seed ${SEED})`,
  async (only) => {
    const { counts, failures, skipped } = await runOnSmallDisk({ milliseconds: 6000, roundMs: 3000, seed: SEED, only });
    expect(failures).toEqual([]);
    const isSkipped = skipped.some((reason) => reason.startsWith(only));
    if (!isSkipped) expect(counts["acknowledged"]).toBeGreaterThan(0);
  },
  120_000,
);
