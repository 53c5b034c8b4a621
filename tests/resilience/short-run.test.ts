import { expect, test } from "vitest";
import { runOnSmallDisk } from "./run-on-small-disk.js";

const SEED = Number(process.env["FAULTS_SEED"] ?? Date.now() % 1_000_000);

// The clients have addresses of their own on the loopback interface, which other systems do not have.
test.skipIf(process.platform !== "linux")(
  `for a few seconds of attacks, kills and full disks, other clients lose nothing that was acknowledged (seed ${SEED})`,
  async () => {
    const { counts, failures } = await runOnSmallDisk({ milliseconds: 10_000, roundMs: 3000, seed: SEED });
    expect(failures).toEqual([]);
    expect(counts["acknowledged"]).toBeGreaterThan(0);
  },
  120_000,
);
