// The server under test: over stdio, or with "listen PATH" over HTTP, WebSocket and a Unix socket.
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
  tool({ name: "echo", description: "Returns the text.", input: input({ text }), run: (args) => args.text }),
  tool({
    name: "slow",
    description: "Returns the text after a delay.",
    input: input({ text, ms: number }),
    run: (args, { signal }) => sleep(args.ms, args.text, { signal }),
  }),
  tool({
    name: "uncancellable",
    description: "Returns the text after a delay and ignores cancellation.",
    input: input({ text, ms: number }),
    run: (args) => sleep(args.ms, args.text),
  }),
  tool({
    name: "steps",
    description: "Reports progress after each step.",
    input: input({ text, count: number }),
    async run(args, call) {
      for (let step = 1; step <= args.count; step += 1) {
        call.progress(step, args.text, args.count);
        await sleep(3, undefined, { signal: call.signal });
      }
      return args.text;
    },
  }),
  tool({
    name: "hang",
    description: "Runs until it is cancelled.",
    input: input({ text }),
    run: (_args, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  }),
  tool({
    name: "fail",
    description: "Fails with a tool error.",
    input: input({ text }),
    run(args) {
      throw new ToolError(args.text);
    },
  }),
  tool({
    name: "crash",
    description: "Throws an unexpected error.",
    input: input({ text }),
    async run(args) {
      await sleep(1);
      throw new Error(args.text);
    },
  }),
  tool({
    name: "noisy",
    description: "Writes to stdout.",
    input: input({ text }),
    run(args) {
      console.log(args.text);
      process.stdout.write(`${args.text} {"jsonrpc":"2.0","id":1,"result":{}}\n`);
      return args.text;
    },
  }),
  tool({
    name: "large",
    description: "Returns a large text.",
    input: input({ text, size: number }),
    run: (args) => args.text.padEnd(args.size, "x"),
  }),
  tool({
    name: "ask",
    description: "Asks the user.",
    input: input({ text }),
    async run(args, call) {
      const answer = await call.elicit("word", args.text, said);
      return `${args.text}: ${answer === undefined ? "declined" : answer.said}`;
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
  // Long enough for clients on a busy machine.
  const limits = { sessionIdleMs: 5000, keepAliveMs: 5000 };
  const http = await serveHttp(server, { port: 0, rate: false, webSocket: true, limits });
  const socket = await serveUnixSocket(server, process.argv[3]);
  process.once("SIGTERM", () => {
    void Promise.all([http.close(), socket.close()]).then(() => server.close());
  });
  process.stderr.write(`${http.url}\n`);
} else await serveStdio(server);
