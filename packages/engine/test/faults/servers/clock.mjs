// A server whose clock can be set by a tool.
import { setClock } from "./jumping-clock.mjs";

const { createLogger, tool } = await import("@toolwright/engine");
const { audit, recordTo } = await import("@toolwright/engine/observability");
const { createFaulty, serve } = await import("./serve.mjs");

const logLine = (text) => process.stderr.write(`${text}\n`);
const parseEnv = (name) => (process.env[name] === undefined ? undefined : JSON.parse(process.env[name]));
let open;
const opened = new Promise((resolve) => {
  open = resolve;
});

const tools = [
  tool({
    name: "set_clock",
    description: "Sets the clock so many hours ahead.",
    input: { type: "object", properties: { hours: { type: "number" } }, required: ["hours"] },
    run({ hours }) {
      setClock(hours);
      return "set";
    },
  }),
  tool({
    name: "echo",
    description: "Gives back the text.",
    input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    run: ({ text }) => text,
  }),
  tool({
    name: "wait_for_gate",
    description: "Waits until the gate is opened.",
    taskSupport: "optional",
    async run() {
      logLine("waiting");
      await opened;
      return "it is open";
    },
  }),
  tool({
    name: "open_gate",
    description: "Opens the gate.",
    run() {
      open();
      return "opened";
    },
  }),
  tool({
    name: "hang_briefly",
    description: "Never answers, and has little time.",
    timeoutMs: 200,
    run: () => new Promise(() => {}),
  }),
  tool({
    name: "confirm",
    description: "Asks a question.",
    async run(_input, call) {
      const answer = await call.elicit("sure", "Sure?", { type: "object", properties: { sure: { type: "boolean" } } });
      return `sure: ${answer?.sure}`;
    },
  }),
];

const [audited, recorded, rate] = [parseEnv("AUDIT"), parseEnv("RECORD"), parseEnv("RATE")];
const server = createFaulty(tools, {
  tasks: { graceMs: 1 },
  middleware: audited === undefined ? [] : [audit(audited)],
  log: createLogger({ format: "json", level: "debug" }),
  ...(rate !== undefined && { limits: { rate } }),
});
if (recorded !== undefined) await recordTo(server, recorded);
await serve(server);
