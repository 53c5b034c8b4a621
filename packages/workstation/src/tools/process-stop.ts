import { tool } from "@toolwright/engine";
import { REPLACES } from "../annotations.js";
import { askFirst } from "../asking.js";
import { PROCESS_PROPERTIES } from "../processes/process-result.js";
import type { Workstation } from "../workstation.js";

/** Ends a process. */
export const processStop = (workstation: Workstation) =>
  tool({
    name: "process_stop",
    title: "Stop a process",
    description: "Ends a process and all that it has started.",
    toolset: "processes",
    input: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
    output: { type: "object", properties: PROCESS_PROPERTIES, required: ["id", "command", "state"] },
    annotations: { ...REPLACES, idempotentHint: true },
    async run({ id }, call) {
      const [{ showProcess }, processes] = await Promise.all([
        import("../processes/process-result.js"),
        workstation.processes(),
      ]);
      const process = processes.find(id, call.principal);
      if (process.isRunning) await askFirst(workstation, call, `Stop ${process.command.slice(0, 500)}`, "destructive");
      process.stop();
      await process.ended;
      return showProcess(process);
    },
  });
