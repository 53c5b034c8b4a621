// The server that is soaked: over stdio, or with "listen PATH" over HTTP, WebSocket and a Unix socket at once.
import { setTimeout as sleep } from "node:timers/promises";
import { serveHttp } from "../../packages/engine/dist/http.js";
import { createServer, serveStdio, ToolError, tool } from "../../packages/engine/dist/index.js";
import { serveUnixSocket } from "../../packages/engine/dist/sockets.js";
import { collectGarbage } from "../load/collect-garbage.mjs";

process.on("SIGUSR2", () => {
  collectGarbage();
  process.send(process.memoryUsage().heapUsed);
});

const text = { type: "string" };
const number = { type: "integer" };
const input = (properties) => ({ type: "object", properties, required: Object.keys(properties) });
const said = input({ said: text });

const tools = [
  tool({ name: "echo", description: "Gives back the text.", input: input({ text }), run: (given) => given.text }),
  tool({
    name: "slow",
    description: "Gives it back after a while.",
    input: input({ text, ms: number }),
    run: (given, { signal }) => sleep(given.ms, given.text, { signal }),
  }),
  tool({
    name: "deaf",
    description: "Takes a while, whether it is cancelled or not.",
    input: input({ text, ms: number }),
    run: (given) => sleep(given.ms, given.text),
  }),
  tool({
    name: "steps",
    description: "Tells of each step.",
    input: input({ text, count: number }),
    async run(given, call) {
      for (let step = 1; step <= given.count; step += 1) {
        call.progress(step, given.text, given.count);
        await sleep(3, undefined, { signal: call.signal });
      }
      return given.text;
    },
  }),
  tool({
    name: "hang",
    description: "Runs until it is cancelled.",
    input: input({ text }),
    run: (_given, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  }),
  tool({
    name: "fail",
    description: "Fails in words.",
    input: input({ text }),
    run(given) {
      throw new ToolError(given.text);
    },
  }),
  tool({
    name: "crash",
    description: "Fails by accident.",
    input: input({ text }),
    async run(given) {
      await sleep(1);
      throw new Error(given.text);
    },
  }),
  tool({
    name: "noisy",
    description: "Writes to stdout.",
    input: input({ text }),
    run(given) {
      console.log(given.text);
      process.stdout.write(`${given.text} {"jsonrpc":"2.0","id":1,"result":{}}\n`);
      return given.text;
    },
  }),
  tool({
    name: "large",
    description: "Gives much.",
    input: input({ text, size: number }),
    run: (given) => given.text.padEnd(given.size, "x"),
  }),
  tool({
    name: "ask",
    description: "Asks a person.",
    input: input({ text }),
    async run(given, call) {
      const answer = await call.elicit("word", given.text, said);
      return `${given.text}: ${answer === undefined ? "declined" : answer.said}`;
    },
  }),
];

const server = createServer({
  name: "soaked",
  version: "1.0.0",
  dynamic: true,
  tools,
  limits: { drainMs: 5000, inputTimeoutMs: 5000 },
  log: () => undefined,
});

if (process.argv[2] === "listen") {
  // Not too short for clients on a machine that has much else to do.
  const limits = { sessionIdleMs: 5000, keepAliveMs: 5000 };
  const http = await serveHttp(server, { port: 0, rate: false, webSocket: true, limits });
  const socket = await serveUnixSocket(server, process.argv[3]);
  process.once("SIGTERM", () => {
    void Promise.all([http.close(), socket.close()]).then(() => server.close());
  });
  process.stderr.write(`${http.url}\n`);
} else await serveStdio(server);
