// A server whose logger and onCall hook throw.
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

await serve(createFaulty([echo, ...throwingTools], { log: pitfall("the log"), onCall: pitfall("the observer") }));
