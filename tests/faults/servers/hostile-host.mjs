// A server whose own parts fail: its log, and what hears of each call.
import { tool } from "@toolwright/engine";
import { createFaulty, serve } from "./serve.mjs";
import { throwingTools } from "./throwing-tools.mjs";

const pitfall = (what) => () => {
  throw new Error(`${what} failed`);
};

const echo = tool({
  name: "echo",
  description: "Gives back the text.",
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  run: ({ text }) => text,
});

await serve(createFaulty([echo, ...throwingTools], { log: pitfall("the log"), observe: pitfall("the observer") }));
