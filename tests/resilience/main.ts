// node main.mjs OPTIONS: runs clients and faults, prints progress to stderr and the report to stdout.
import { type FaultRunOptions, runWithFaults } from "./fault-run.js";

const options = JSON.parse(process.argv[2] ?? "{}") as Omit<FaultRunOptions, "onProgress">;
const report = await runWithFaults({ ...options, onProgress: (line) => console.error(line) });
process.stdout.write(`${JSON.stringify(report)}\n`);
process.exit(0);
