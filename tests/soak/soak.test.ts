import { expect, test } from "vitest";
import { soak } from "./soak.js";

const SEED = Number(process.env["SOAK_SEED"] ?? Date.now() % 1_000_000);

// What a server holds is asked for with a signal that Windows does not have.
test.skipIf(process.platform === "win32")(
  `a short soak loses, doubles and mistakes no answer, holds no more at its end, and leaves no process (seed ${SEED})`,
  async () => {
    const root = new URL("../../", import.meta.url);
    const { counts, rests, wrongs } = await soak({
      root,
      milliseconds: 14_000,
      roundMs: 2000,
      seed: SEED,
      tell: () => undefined,
    });
    expect(wrongs).toEqual([]);
    expect(rests.length).toBeGreaterThan(2);
    for (const [name, count] of Object.entries(counts)) expect(count, name).toBeGreaterThan(0);
  },
  90_000,
);
