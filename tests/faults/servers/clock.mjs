// A server whose clock can be set by a tool.
import { setClock } from "./jumping-clock.mjs";

const { audit, createLog, recordTo, tool } = await import("@toolwright/engine");
const { createFaulty, serve } = await import("./serve.mjs");

const say = (text) => process.stderr.write(`${text}\n`);
const given = (name) => (process.env[name] === undefined ? undefined : JSON.parse(process.env[name]));
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
    long: true,
    async run() {
      say("waiting");
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
      const answer = await call.ask("sure", "Sure?", { type: "object", properties: { sure: { type: "boolean" } } });
      return `sure: ${answer?.sure}`;
    },
  }),
];

const [audited, recorded, rate] = [given("AUDIT"), given("RECORD"), given("RATE")];
const server = createFaulty(tools, {
  tasks: { graceMs: 1 },
  layers: audited === undefined ? [] : [audit(audited)],
  log: createLog({ format: "json", level: "debug" }),
  ...(rate !== undefined && { rate }),
});
if (recorded !== undefined) await recordTo(server, recorded);
await serve(server);
