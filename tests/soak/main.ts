import { parseArgs } from "node:util";
import { soak } from "./soak.js";

/** The command line of the soak test; returns the exit code. */
export async function main(args: readonly string[], root: URL): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { minutes: { type: "string", default: "10" }, seed: { type: "string" } },
  });
  const minutes = Number(values.minutes);
  const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
  if (!(minutes > 0 && minutes <= 24 * 60) || !Number.isInteger(seed)) {
    console.error("usage: npm run soak -- [--minutes 10] [--seed 1]");
    return 2;
  }
  console.log(`Soaking for ${minutes} minutes with seed ${seed}; --seed ${seed} repeats the run.`);
  const milliseconds = minutes * 60_000;
  const roundMs = Math.min(10_000, milliseconds / 8);
  const { counts, usages, failures } = await soak({
    root,
    milliseconds,
    roundMs,
    seed,
    onProgress: (line) => console.log(line),
  });
  console.log(
    `\n${Object.entries(counts)
      .map(([name, count]) => `${name}: ${count}`)
      .join("\n")}\nrounds: ${usages.length}`,
  );
  for (const failure of failures) console.log(`✗ ${failure}`);
  if (failures.length === 0)
    console.log(
      "✓ every request was answered once and correctly; heap and descriptors did not grow; every process exited with 0",
    );
  return failures.length === 0 ? 0 : 1;
}
