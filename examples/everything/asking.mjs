// What a tool can ask of the person at the other end. Ask first, act after: it may run again for each answer.
import { tool } from "@toolwright/engine";
import { z } from "zod";

const person = tool({
  name: "test_elicitation",
  description: "Asks for a name and an address.",
  input: z.object({ message: z.string().describe("What to say to the person") }),
  async run({ message }, call) {
    const form = z.object({ username: z.string().describe("Your name"), email: z.string().describe("Your email") });
    const answer = await call.elicit("person", message, form);
    return `User response: ${answer ? JSON.stringify(answer) : "none"}`;
  },
});

const defaults = tool({
  name: "test_elicitation_sep1034_defaults",
  description: "Asks with a form that is filled in already.",
  async run(_input, call) {
    const form = z.object({
      name: z.string().default("John Doe"),
      age: z.int().default(30),
      score: z.number().default(95.5),
      status: z.enum(["active", "inactive", "pending"]).default("active"),
      verified: z.boolean().default(true),
    });
    const answer = await call.elicit("defaults", "Is this right?", form);
    return `Elicitation completed: ${answer ? JSON.stringify(answer) : "none"}`;
  },
});

const titled = [
  { const: "value1", title: "First Option" },
  { const: "value2", title: "Second Option" },
  { const: "value3", title: "Third Option" },
];

/** Every way in which a form can offer choices; those with titles are written as JSON Schema. */
const CHOICES = /** @type {const} */ ({
  type: "object",
  properties: {
    untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
    titledSingle: { type: "string", oneOf: titled },
    legacyEnum: { type: "string", enum: ["opt1", "opt2"], enumNames: ["Option One", "Option Two"] },
    untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
    titledMulti: { type: "array", items: { anyOf: titled } },
  },
});

const choices = tool({
  name: "test_elicitation_sep1330_enums",
  description: "Asks with every kind of choice.",
  async run(_input, call) {
    const answer = await call.elicit("choices", "Please choose.", CHOICES);
    return `Elicitation completed: ${answer ? JSON.stringify(answer) : "none"}`;
  },
});

const confirmed = tool({
  name: "test_streaming_elicitation",
  description: "Asks for a yes or no.",
  async run(_input, call) {
    const answer = await call.elicit("confirm", "Shall it go on?", z.object({ sure: z.boolean() }));
    return answer?.sure ? "Went on." : "Left alone.";
  },
});

const page = tool({
  name: "test_elicitation_url",
  description: "Asks for a visit to a page, for what must not pass through the client.",
  async run(_input, call) {
    const agreed = await call.elicitUrl("consent", "Please allow access on this page.", "https://example.com/consent");
    return agreed ? "The page was opened." : "The page was not opened.";
  },
});

export const askingTools = [person, defaults, choices, confirmed, page];
