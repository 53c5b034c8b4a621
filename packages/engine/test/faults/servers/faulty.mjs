// A server with badly behaved tools.
import { tool } from "@toolwright/engine";
import { blockingTools } from "./blocking-tools.mjs";
import { dyingTools } from "./dying-tools.mjs";
import { excessiveTools } from "./excessive-tools.mjs";
import { leakingTools } from "./leaking-tools.mjs";
import { createFaulty, serve } from "./serve.mjs";
import { throwingTools } from "./throwing-tools.mjs";

const echo = tool({
  name: "echo",
  description: "Gives back the text.",
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  run: ({ text }) => text,
});

await serve(
  createFaulty([echo, ...throwingTools, ...blockingTools, ...leakingTools, ...dyingTools, ...excessiveTools]),
);
