// What a tool can tell while it runs: how far it is, and what it is doing.
import { setTimeout as sleep } from "node:timers/promises";
import { tool } from "@toolwright/engine";

const STEP_MS = 50;
/** Longer than the server holds a connection, where clients can come back for the answer. */
const LONG_MS = 1000;

const progressing = tool({
  name: "test_tool_with_progress",
  description: "Says how far it is, three times.",
  async run(_input, call) {
    for (const done of [0, 50, 100]) {
      call.progress(done, `Completed step ${done} of 100`, 100);
      await sleep(STEP_MS, undefined, { signal: call.signal });
    }
    return "All steps are done.";
  },
});

const logging = tool({
  name: "test_tool_with_logging",
  description: "Logs what it does.",
  async run(_input, call) {
    call.log("info", "Tool execution started");
    await sleep(STEP_MS, undefined, { signal: call.signal });
    call.log("info", "Tool processing data");
    await sleep(STEP_MS, undefined, { signal: call.signal });
    call.log("info", "Tool execution completed");
    return "Tool with logging executed successfully";
  },
});

const quiet = tool({
  name: "test_logging_tool",
  description: "Logs a line, which only those hear who asked for log lines.",
  run(_input, call) {
    call.log("info", "Only for those who listen");
    return "Logged.";
  },
});

const lasting = tool({
  name: "test_reconnection",
  description: "Takes long enough for a connection to be lost and found again.",
  async run(_input, call) {
    await sleep(LONG_MS, undefined, { signal: call.signal });
    return "Reconnection test completed successfully.";
  },
});

export const tellingTools = [progressing, logging, quiet, lasting];
