import os from "node:os";
import process from "node:process";

/** The machine and the runtime, without anything that a project or a person has put there. */
export function machineFacts() {
  return {
    os: { platform: process.platform, name: os.type(), release: os.release(), version: os.version() },
    arch: process.arch,
    is_64_bit: /64|s390x/.test(process.arch),
    cpus: os.availableParallelism(),
    memory: { total_bytes: os.totalmem(), free_bytes: os.freemem() },
    cwd: currentFolder(),
    runtime: { node: process.versions.node, v8: process.versions.v8 },
  };
}

/** Null where it has been removed. */
function currentFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}
