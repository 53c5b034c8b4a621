// Tools that exit the process or break what other code relies on.
import { fork, spawn, spawnSync } from "node:child_process";
import { writeSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { tool } from "@toolwright/engine";

const number = { type: "object", properties: { code: { type: "integer" } }, required: ["code"] };
const printing = ["-e", "console.log('a child prints'); console.log(process.pid)"];

const inWorker = (text, options) =>
  new Promise((resolve, reject) => {
    new Worker(text, { eval: true, ...options })
      .once("message", resolve)
      .once("error", reject)
      .once("exit", (code) => reject(new Error(`The worker ended with code ${code}.`)));
  });

export const dyingTools = [
  tool({
    name: "exit",
    description: "Ends the process.",
    input: number,
    run: ({ code }) => process.exit(code),
  }),
  tool({
    name: "exit_soon",
    description: "Ends the process when it is told to stop.",
    run: () =>
      new Promise(() => {
        process.once("SIGTERM", () => setImmediate(() => process.exit(3)));
        process.stderr.write("exiting soon\n");
      }),
  }),
  tool({ name: "abort", description: "Kills the process.", run: () => process.kill(process.pid, "SIGKILL") }),
  tool({
    name: "exhaust_worker",
    description: "Has a worker use up its memory.",
    async run() {
      // Without a limit, 400 MB are enough to show it.
      const grow =
        "const all = []; while (all.length < 50_000) all.push(new Array(1000).fill(Math.random())); throw new Error('nobody stopped it');";
      await inWorker(grow, { resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 } });
    },
  }),
  tool({
    name: "exit_worker",
    description: "Has a worker call process.exit.",
    run: () => inWorker("process.exit(3)"),
  }),
  tool({
    name: "worker_prints",
    description: "Has a worker write to stdout.",
    run: () =>
      inWorker("console.log('a worker prints'); require('node:worker_threads').parentPort.postMessage('printed')"),
  }),
  tool({
    name: "overflow",
    description: "Calls itself without end.",
    run() {
      const dive = () => dive() + 1;
      return dive();
    },
  }),
  tool({
    name: "print",
    description: "Writes to stdout in the ways there are.",
    run() {
      console.log("printed by console.log");
      process.stdout.write('{"jsonrpc":"2.0","id":"forged","result":{}}\n');
      process.stdout.write("half a line");
      process.stdout.end("the end\n");
      return "printed";
    },
  }),
  tool({
    name: "child_inherits",
    description: "Starts a child that writes to the stdout of this process.",
    run: () =>
      new Promise((resolve) => {
        spawn(process.execPath, printing, { stdio: "inherit" }).once("exit", () => resolve("done"));
      }),
  }),
  tool({
    name: "fork",
    description: "Starts a child in the way that shares stdin and stdout by default.",
    run: () =>
      new Promise((resolve) => {
        fork(fileURLToPath(new URL("./greedy-child.mjs", import.meta.url))).once("message", resolve);
      }),
  }),
  tool({
    name: "child_inherits_now",
    description: "Runs a child that writes to the stdout of this process, and waits for it.",
    run() {
      spawnSync(process.execPath, printing, { stdio: "inherit" });
      return "done";
    },
  }),
  tool({
    name: "write_to_one",
    description: "Writes a whole line to file descriptor 1.",
    run() {
      writeSync(1, "written to 1\n");
      return "done";
    },
  }),
  tool({
    name: "delete_global",
    description: "Takes away one of the things that others stand on.",
    input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    run({ name }) {
      Reflect.deleteProperty(globalThis, name);
      return "deleted";
    },
  }),
  tool({
    name: "delete_globals",
    description: "Takes away what others stand on.",
    run() {
      for (const name of ["setTimeout", "setImmediate", "queueMicrotask", "Promise", "Buffer", "performance", "URL"])
        Reflect.deleteProperty(globalThis, name);
      return "deleted";
    },
  }),
  tool({
    name: "remove_listeners",
    description: "Removes all listeners of the process.",
    run() {
      process.removeAllListeners();
      return "removed";
    },
  }),
  tool({
    name: "change_folder",
    description: "Goes to another folder.",
    run() {
      process.chdir("/");
      return "moved";
    },
  }),
];
