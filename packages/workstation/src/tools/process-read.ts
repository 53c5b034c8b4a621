import { tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import { PROCESS_PROPERTIES } from "../processes/process-result.js";
import type { Workstation } from "../workstation.js";

/** The longest wait for news. */
const MOST_WAIT_MS = 60_000;

/** Reads what a process has written. */
export const processRead = (workstation: Workstation) =>
  tool({
    name: "process_read",
    title: "Read the output of a process",
    description:
      "Reads output of a process or of a ci_ log from offset on; waits for more up to wait_ms. Without id: lists them.",
    toolset: "processes",
    input: {
      type: "object",
      properties: {
        id: { type: "string" },
        offset: { type: "integer", default: 0, description: "In bytes; negative: from the end." },
        limit: { type: "integer", minimum: 1, maximum: 40_000, default: 20_000 },
        wait_ms: { type: "integer", minimum: 0, maximum: MOST_WAIT_MS, default: 0 },
        failures: { type: "boolean", description: "Parsed failures of a ci_ log instead; offset counts them." },
      },
    },
    output: {
      type: "object",
      properties: {
        ...PROCESS_PROPERTIES,
        offset: { type: "integer" },
        text: { type: "string" },
        next_offset: { type: "integer" },
        skipped: { type: "integer", description: "Bytes before the text that are no longer kept." },
        left: { type: "integer" },
        failures: { type: "array", items: { type: "object" } },
        processes: { type: "array", items: { type: "object", properties: PROCESS_PROPERTIES } },
      },
    },
    annotations: READS,
    timeoutMs: MOST_WAIT_MS + 30_000,
    async run(request, call) {
      const { readProcess } = await import("../processes/read-process.js");
      return readProcess(await workstation.processes(), request, call);
    },
  });
