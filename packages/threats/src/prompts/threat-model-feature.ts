import { prompt } from "@toolwright/engine";
import type { Desk } from "../desk.js";
import { summaryLines } from "./summary-lines.js";

/** How many patterns the prompt brings along; the agent asks for more itself. */
const BROUGHT = 6;

/** Goes through a feature before it is built: what is at stake, who could misuse it, what to check. */
export const threatModelFeature = ({ library }: Desk) =>
  prompt({
    name: "threat-model-feature",
    title: "Threat model of a feature",
    description:
      "Goes through a feature before it is built: what is at stake, where trust ends, which threats apply, what to do.",
    input: {
      type: "object",
      properties: {
        feature: {
          type: "string",
          minLength: 1,
          maxLength: 10_000,
          description: "What the feature does, and for whom.",
        },
        language: { type: "string", maxLength: 100, description: "The language that it is written in." },
        framework: { type: "string", maxLength: 100, description: "The framework that it is written with." },
      },
      required: ["feature"],
    },
    async run({ feature, language, framework }) {
      const { findListed } = await import("../answers/query.js");
      const found = await findListed(library, { context: feature, language, framework });
      const stack = [language, framework].filter((part) => part !== undefined).join(", ");
      return [
        `Make a threat model of this feature before any code is written${stack === "" ? "" : ` (${stack})`}: ${feature}`,
        "1. Say in a few lines what is worth protecting, who takes part, and where data or deeds cross from one who is trusted less to one who is trusted more: browser to server, server to job, tenant to tenant, tool to model.",
        "2. Go through the patterns below, then through each crossing: call tmkb_query with what happens there, in words of the task. Leave out what does not apply, and say why.",
        "3. For each threat that applies say: how it would happen here, how bad, the check that must be visible in the code, and where it belongs. tmkb_get shows a pattern whole, with code.",
        "4. End with a list of checks that a reviewer can tick off, the worst first, and the questions that only I can answer.",
        summaryLines(found.slice(0, BROUGHT)),
      ].join("\n");
    },
  });
