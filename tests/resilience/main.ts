// node main.mjs PROGRAM FOLDER SMALL_DISK MILLISECONDS ROUND_MS SEED: prints progress to stderr and the report to stdout.
import { runWithFaults } from "./fault-run.js";

const [program = "", folder = "", hasSmallDisk = "no", milliseconds = "0", roundMs = "4000", seed = "1"] =
  process.argv.slice(2);
const report = await runWithFaults({
  program,
  folder,
  hasSmallDisk: hasSmallDisk === "yes",
  milliseconds: Number(milliseconds),
  roundMs: Number(roundMs),
  seed: Number(seed),
  onProgress: (line) => console.error(line),
});
process.stdout.write(`${JSON.stringify(report)}\n`);
process.exit(0);
