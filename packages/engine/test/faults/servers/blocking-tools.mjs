// Tools that never return, ignore their signal, or block the event loop.
import { tool } from "@toolwright/engine";

const logLine = (text) => process.stderr.write(`${text}\n`);

export const blockingTools = [
  tool({
    name: "chatter",
    description: "Tells of so many steps at length, and then waits to be stopped.",
    input: { type: "object", properties: { steps: { type: "integer" } }, required: ["steps"] },
    async run({ steps }, call) {
      const stopped = new Promise((resolve) => {
        call.signal.addEventListener("abort", resolve);
      });
      for (let at = 1; at <= steps; at += 1) {
        call.progress(at, "x".repeat(100_000));
        if (at % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      logLine("logged all");
      await stopped;
      logLine("stopped");
    },
  }),
  tool({
    name: "told_when_stopped",
    description: "Runs until it is aborted, and says so.",
    input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    run: ({ text }, call) =>
      new Promise((_resolve, reject) => {
        call.signal.addEventListener("abort", () => {
          logLine(`stopped: ${text}`);
          reject(call.signal.reason);
        });
        logLine(`running: ${text}`);
        call.progress(1);
      }),
  }),
  tool({
    name: "hang",
    description: "Never answers.",
    run() {
      logLine("hanging");
      return new Promise(() => {});
    },
  }),
  tool({
    name: "hang_briefly",
    description: "Never answers, and has little time.",
    timeoutMs: 100,
    run: () => new Promise(() => {}),
  }),
  tool({
    name: "deaf",
    description: "Ignores its signal, and answers when the gate is opened.",
    timeoutMs: 100,
    async run(_input, call) {
      logLine("deaf");
      await new Promise((resolve) => {
        globalThis.openGate = resolve;
      });
      call.progress(1, "too late");
      call.log("error", "too late");
      logLine(`went on: ${call.signal.aborted}`);
      return "too late";
    },
  }),
  tool({
    name: "open_gate",
    description: "Lets the deaf tool answer.",
    run() {
      globalThis.openGate();
      return "open";
    },
  }),
  tool({
    name: "angry_stop",
    description: "Throws in its abort listener.",
    timeoutMs: 100,
    run: (_input, { signal }) =>
      new Promise(() => {
        logLine("listening");
        signal.addEventListener("abort", () => {
          throw new Error("thrown in a listener");
        });
      }),
  }),
  tool({
    name: "block",
    description: "Lets nothing else run for a second.",
    run() {
      logLine("blocking");
      const until = performance.now() + 1000;
      while (performance.now() < until);
      return "blocked";
    },
  }),
  tool({
    name: "block_in_turns",
    description: "Lets microtasks alone run, a million of them.",
    async run() {
      for (let at = 0; at < 1_000_000; at += 1) await Promise.resolve();
      return "turned";
    },
  }),
];
