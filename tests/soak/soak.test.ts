import { expect, test } from "vitest";
import { soak } from "./soak.js";

const SEED = Number(process.env["SOAK_SEED"] ?? Date.now() % 1_000_000);

// The server reports its heap on a signal that Windows does not have.
test.skipIf(process.platform === "win32")(
  `a short soak run answers every request once and correctly, leaks nothing and leaves no process (seed ${SEED})`,
  async () => {
    const root = new URL("../../", import.meta.url);
    const { counts, usages, failures } = await soak({
      root,
      milliseconds: 14_000,
      roundMs: 2000,
      seed: SEED,
      onProgress: () => undefined,
    });
    expect(failures).toEqual([]);
    expect(usages.length).toBeGreaterThan(2);
    for (const [name, count] of Object.entries(counts)) expect(count, name).toBeGreaterThan(0);
  },
  90_000,
);
