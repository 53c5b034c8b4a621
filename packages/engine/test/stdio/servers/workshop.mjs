// A server with well-behaved and badly behaved tools.
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { serveHttp } from "../../../dist/http.js";
import { createServer, pack, serveStdio, ToolError, tool } from "../../../dist/index.js";

/** Without `maxLength` a string of arguments has at most 1 MiB. */
const longText = {
  type: "object",
  properties: { text: { type: "string", maxLength: 10_485_760 } },
  required: ["text"],
};
const text = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
const number = (name) => ({ type: "object", properties: { [name]: { type: "integer" } }, required: [name] });
const gates = new Map();

function gate(name) {
  if (!gates.has(name)) {
    let open;
    const opened = new Promise((resolve) => {
      open = resolve;
    });
    gates.set(name, { open, opened });
  }
  return gates.get(name);
}

const tools = [
  tool({ name: "echo", description: "Gives back the text.", input: longText, run: ({ text: given }) => given }),
  tool({
    name: "wait_for",
    description: "Waits until the gate is opened.",
    input: text,
    run: ({ text: name }) => gate(name).opened.then(() => `${name} is open`),
  }),
  tool({
    name: "open",
    description: "Opens a gate.",
    input: text,
    run({ text: name }) {
      gate(name).open();
      return "opened";
    },
  }),
  tool({
    name: "pause",
    description: "Takes a while.",
    input: number("ms"),
    run: ({ ms }) => sleep(ms).then(() => `paused ${ms}`),
  }),
  tool({ name: "hang", description: "Never ends.", run: () => new Promise(() => {}) }),
  tool({
    name: "stoppable",
    description: "Runs until it is told to stop, and says so.",
    run: (_input, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          process.stderr.write(`stopped: ${signal.reason.message}\n`);
          reject(signal.reason);
        });
        process.stderr.write("running\n");
      }),
  }),
  tool({
    name: "leave_timer",
    description: "Leaves a timer running.",
    run() {
      setInterval(() => {}, 1000);
      return "left";
    },
  }),
  tool({
    name: "print",
    description: "Writes to stdout in every way there is.",
    async run() {
      console.log("logged %d", 7);
      console.info("informed");
      console.debug("debugged");
      console.table([{ a: 1 }]);
      console.dir({ deep: true });
      process.stdout.write("written");
      process.stdout.write(Buffer.from("bytes\n"));
      await new Promise((resolve) => process.stdout.write("awaited\n", resolve));
      return "printed";
    },
  }),
  tool({
    name: "import_noise",
    description: "Loads a module that prints while it is loaded.",
    run: () => import("./noise.mjs").then(({ loudness }) => loudness),
  }),
  tool({
    name: "read_input",
    description: "Reads the input of the server, and stops.",
    run() {
      createInterface({ input: process.stdin }).close();
      return "read";
    },
  }),
  tool({
    name: "reject_later",
    description: "Leaves a rejection behind.",
    run() {
      setImmediate(() => void Promise.reject(new Error("nobody waits for this")));
      setImmediate(() => void Promise.reject(Object.create(null)));
      return "soon";
    },
  }),
  tool({
    name: "throw_later",
    description: "Throws in a timer.",
    run() {
      setTimeout(() => {
        throw new Error("thrown in a timer");
      }, 1);
      return "soon";
    },
  }),
  tool({
    name: "large",
    description: "Returns so many bytes.",
    input: number("bytes"),
    run: ({ bytes }) => "x".repeat(bytes),
  }),
  tool({
    name: "steps",
    description: "Reports each step.",
    input: number("count"),
    async run({ count }, call) {
      for (let step = 1; step <= count; step += 1) {
        call.progress(step, `step ${step}`, count);
        await sleep(1);
      }
      return `${count} steps`;
    },
  }),
  tool({
    name: "burst",
    description: "Reports all steps at once, and is done.",
    run(_input, call) {
      for (let step = 1; step <= 3; step += 1) call.progress(step, undefined, 3);
      return "burst";
    },
  }),
  tool({
    name: "confirm",
    description: "Asks before it acts.",
    async run(_input, call) {
      const answer = await call.elicit("sure", "Really?", {
        type: "object",
        properties: { sure: { type: "boolean" } },
        required: ["sure"],
      });
      return answer === undefined ? "declined" : `sure: ${answer.sure}`;
    },
  }),
  tool({
    name: "lookup",
    title: "Look up",
    description: "Returns a value.",
    input: text,
    output: {
      type: "object",
      properties: { word: { type: "string" }, length: { type: "integer" } },
      required: ["word", "length"],
    },
    annotations: { readOnlyHint: true },
    run: ({ text: word }) => ({ word, length: word.length }),
  }),
  tool({
    name: "fail",
    description: "Fails in words for the model.",
    run() {
      throw new ToolError("The shelf is empty. Try another one.");
    },
  }),
  tool({
    name: "toss",
    description: "Throws what cannot be shown as text.",
    run() {
      throw Object.create(null);
    },
  }),
  tool({
    name: "crash",
    description: "Fails by accident.",
    run() {
      throw new Error("password=hunter2");
    },
  }),
  tool({
    name: "grow",
    description: "Offers one more tool.",
    run() {
      server.addTool(tool({ name: "grown", description: "Came later.", run: () => "here" }));
      return "grown";
    },
  }),
  tool({
    name: "cpu",
    description: "Tells the microseconds of CPU that the process has used.",
    run: () => String(process.cpuUsage().user + process.cpuUsage().system),
  }),
  tool({
    name: "memory",
    description: "Tells the resident memory in bytes, and the most there ever was.",
    run: () => ({ now: process.memoryUsage.rss(), most: process.resourceUsage().maxRSS * 1024 }),
  }),
  tool({
    name: "whose_token",
    description: "Shows a part of its credentials.",
    run: () => process.env.API_TOKEN?.slice(0, 3) ?? "none",
  }),
];

const opened = pack({
  name: "noisy",
  open: async () => {
    console.log("a pack opens");
    return { tools: [], close: () => console.log("a pack closes") };
  },
});

const server = createServer({
  name: "workshop",
  version: "1.0.0",
  dynamic: true,
  tools,
  packs: [opened()],
  limits: JSON.parse(process.env.LIMITS ?? "{}"),
});
if (process.argv[2] === "--http") {
  const running = await serveHttp(server, { port: 0, sse: true });
  process.stderr.write(`${running.url}\n`);
  process.once("SIGTERM", () => void running.close());
  await running.closed;
  await server.close();
} else await serveStdio(server);
