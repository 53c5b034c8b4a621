import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import type { Server } from "@toolwright/engine";
import { dumpRecording } from "@toolwright/engine/observability";

/** How many files stay; whoever has more crashes than that looks at the newest. */
const MOST_FILES = 20;

/** Has the last messages written to a folder when the process gets SIGUSR2, and when it ends with a fault. */
export function keepLastMessages(server: Server, folder: string): void {
  process.on("exit", (code) => {
    if (code !== 0) keep(server, folder);
  });
  // There is no such signal there.
  if (process.platform !== "win32") process.on("SIGUSR2", () => keep(server, folder));
}

/** At once, because nothing else can be done while a process ends. The log says where they are. */
function keep(server: Server, folder: string): void {
  if (server.recorder === undefined || server.recorder.frames().length === 0) return;
  const time = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const file = path.join(folder, `${time}-${process.pid}.jsonl`);
  if (!dumpRecording(server, file)) return;
  server.log({ level: "notice", message: `the last messages are in ${file}` });
  for (const old of oldIn(folder)) rmSync(path.join(folder, old), { force: true });
}

/** The names begin with the time, so that the oldest comes first. */
function oldIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => /^\d{4}-\d\d-\d\dT[\dZ-]+\.jsonl$/.test(name));
  return names.sort().slice(0, -MOST_FILES);
}
