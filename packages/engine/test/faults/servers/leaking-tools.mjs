// Tools that leave something behind which keeps a process alive.
import { spawn } from "node:child_process";
import { watch } from "node:fs";
import { connect, createServer as createListener } from "node:net";
import { tmpdir } from "node:os";
import { Worker } from "node:worker_threads";
import { tool } from "@toolwright/engine";
import { spawnChild } from "@toolwright/engine/transport";

const sleeper = "setInterval(() => {}, 1000)";
/** A shell with a child. It prints both process ids. */
const calm = ["-c", "sleep 1000 & echo $$ $!; wait"];
/** The same, but both ignore SIGTERM. */
const stubborn = ["-c", "trap '' TERM; sleep 1000 & echo $$ $!; wait"];

const firstLine = (child) =>
  new Promise((resolve) => {
    child.stdout.setEncoding("utf8").once("data", (text) => resolve(text.trim()));
  });

const leaks = {
  timer: () => setTimeout(() => {}, 2 ** 31 - 1),
  interval: () => setInterval(() => {}, 10),
  immediates: () => {
    const again = () => setImmediate(again);
    again();
  },
  listener: () => createListener().listen(0, "127.0.0.1"),
  socket: () =>
    new Promise((resolve) => {
      const listener = createListener((socket) => void socket.on("error", () => {})).listen(0, "127.0.0.1", () =>
        connect(listener.address().port, "127.0.0.1", resolve),
      );
    }),
  watcher: () => watch(tmpdir()),
  worker: () =>
    new Promise((resolve) => {
      new Worker(`require("node:worker_threads").parentPort.postMessage(1); ${sleeper}`, { eval: true }).once(
        "message",
        resolve,
      );
    }),
  busy_worker: () =>
    new Promise((resolve) => {
      new Worker('require("node:worker_threads").parentPort.postMessage(1); for (;;);', { eval: true }).once(
        "message",
        resolve,
      );
    }),
  // Deno has none.
  stdin: () => process.stdin.ref?.(),
  exit_listener: () => void process.on("exit", () => process.stderr.write("the exit listener ran\n")),
  before_exit: () => void process.on("beforeExit", () => setImmediate(() => {})),
};

export const leakingTools = [
  ...Object.entries(leaks).map(([name, leak]) =>
    tool({
      name: `leak_${name}`,
      description: "Leaves something behind.",
      async run() {
        await leak();
        return "left";
      },
    }),
  ),
  tool({
    name: "family",
    description: "Starts a child with a child of its own through the engine, and gives their pids.",
    run: (_input, call) => firstLine(spawnChild(call, "sh", stubborn, { graceMs: 50 })),
  }),
  tool({
    name: "calm_family",
    description: "Starts a family that ends when it is asked to, and gives their pids.",
    run: (_input, call) => firstLine(spawnChild(call, "sh", calm)),
  }),
  tool({
    name: "stray_family",
    description: "Starts a child with a child of its own past the engine, and gives their pids.",
    run: () => firstLine(spawn("sh", calm, { stdio: ["ignore", "pipe", "ignore"] })),
  }),
  tool({
    name: "family_and_hang",
    description: "Starts a family, says their pids on stderr, and never answers.",
    async run(_input, call) {
      const child = spawnChild(call, "sh", stubborn, { graceMs: 50 });
      process.stderr.write(`family: ${await firstLine(child)}\n`);
      await new Promise(() => {});
    },
  }),
];
