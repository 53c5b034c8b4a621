// Work that outlasts the request. A tool with `taskSupport` goes on as a task where the client can follow one: it gets an answer at once,
// and asks for the rest when it likes. With other clients it is a call that takes its time.
import { setTimeout as sleep } from "node:timers/promises";
import { RpcError, ToolError, tool } from "@toolwright/engine";
import { z } from "zod";

const INTERNAL_ERROR = -32603;

/** Stands for work; it ends when the call does. */
const work = (/** @type {number} */ ms, /** @type {AbortSignal} */ signal) => sleep(ms, undefined, { signal });

const greet = tool({
  name: "greet",
  description: "Says hello, at once.",
  input: z.object({ name: z.string() }),
  run: ({ name }) => `Hello, ${name}!`,
});

const compute = tool({
  name: "slow_compute",
  description: "Takes as many seconds as it is told to.",
  taskSupport: "optional",
  input: z.object({ seconds: z.number().min(0).max(60), label: z.string().default("it") }),
  async run({ seconds, label }, call) {
    await work(seconds * 1000, call.signal);
    return `Computed ${label} in ${seconds} s.`;
  },
});

const failingJob = tool({
  name: "failing_job",
  description: "Works for a second and fails. It is only there for clients that can follow it.",
  taskSupport: "required",
  async run(_input, call) {
    await work(1000, call.signal);
    throw new ToolError("The job failed, as it always does.");
  },
});

const brokenJob = tool({
  name: "protocol_error_job",
  description: "Ends with an error of the protocol, which is for the client and not for the model.",
  taskSupport: "optional",
  async run(_input, call) {
    await work(200, call.signal);
    throw new RpcError(INTERNAL_ERROR, "The job ended with an error of the protocol.");
  },
});

const confirmDelete = tool({
  name: "confirm_delete",
  description: "Looks for a file, then asks whether to delete it; it deletes nothing.",
  taskSupport: "optional",
  input: z.object({ filename: z.string() }),
  async run({ filename }, call) {
    await work(200, call.signal);
    const answer = await call.elicit("confirm", `Delete ${filename}?`, z.object({ confirm: z.boolean() }));
    return answer?.confirm ? `Deleted ${filename}.` : `Kept ${filename}.`;
  },
});

const twoQuestions = tool({
  name: "multi_input",
  description: "Works for a while, then asks two things at once.",
  taskSupport: "optional",
  async run(_input, call) {
    await work(200, call.signal);
    const [who, sure] = await Promise.all([
      call.elicit("who", "What is your name?", z.object({ name: z.string() })),
      call.elicit("sure", "Are you sure?", z.object({ confirm: z.boolean() })),
    ]);
    return `${who?.name ?? "Somebody"} is ${sure?.confirm ? "sure" : "not sure"}.`;
  },
});

const askThenWork = tool({
  name: "test_tool_with_task",
  description: "Asks for a name while it is still a call, and goes on as a task.",
  taskSupport: "optional",
  async run(_input, call) {
    const answer = await call.elicit("user_name", "What is your name?", z.object({ name: z.string() }));
    await work(500, call.signal);
    return `The task for ${answer?.name ?? "somebody"} is done.`;
  },
});

export const taskTools = [greet, compute, failingJob, brokenJob, confirmDelete, twoQuestions, askThenWork];
