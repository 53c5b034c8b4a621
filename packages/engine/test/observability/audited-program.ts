import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, serveStdio, tool } from "@toolwright/engine";
import { type AuditOptions, audit } from "@toolwright/engine/observability";

/** A server with an audit log in a folder, and tools that fill the disk under it. */
const [folder = "", onFailure = "continue"] = process.argv.slice(2);
const file = `${folder}/audit.jsonl`;
const filler = `${folder}/filler`;
const input = { type: "object", properties: {} } as const;

const fill = tool({
  name: "fill",
  description: "Fills the disk to the last byte.",
  input,
  run: () => {
    for (let size = 65_536; size >= 1; size = Math.floor(size / 2)) {
      try {
        for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: "a" });
      } catch {
        // As much as this is too much; less may fit.
      }
    }
    return "full";
  },
});
const free = tool({
  name: "free",
  description: "Makes room again.",
  input,
  run: () => {
    rmSync(filler);
    return "free";
  },
});
// From outside, too: where no call may be made that is not on record, none can make room for it.
process.on("SIGUSR2", () => rmSync(filler));
const lines = tool({ name: "lines", description: "The audit log.", input, run: () => readFileSync(file, "utf8") });
const echo = tool({ name: "echo", description: "Echoes.", input, run: () => "hello" });

const middleware = [audit({ file, onFailure: onFailure as NonNullable<AuditOptions["onFailure"]> })];
await serveStdio(createServer({ name: "test", version: "1.0.0", tools: [fill, free, lines, echo], middleware }));
