import { tool } from "@toolwright/engine";

/** Gives back what it was given: the quickest way to see that a client is connected. */
export const echo = tool({
  name: "echo",
  title: "Echo",
  description: "Gives back the text it was given. Use it to check that the connection works.",
  toolset: "basics",
  input: {
    type: "object",
    properties: { text: { type: "string", description: "The text to give back." } },
    required: ["text"],
  },
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  run: ({ text }) => text,
});
