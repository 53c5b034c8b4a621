import { type JsonObject, tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import type { Desk } from "../desk.js";
import type { ThreatPattern } from "../format/pattern.js";
import { LISTED } from "./output-schemas.js";
import { toShown } from "./shown.js";

/** Shows a pattern whole. */
export const tmkbGet = ({ library }: Desk) =>
  tool({
    name: "tmkb_get",
    title: "Show a threat pattern",
    description: "Shows a threat pattern whole: scenario, mitigations, code, checks.",
    toolset: "threats",
    input: {
      type: "object",
      properties: {
        id: { type: "string", minLength: 1, description: "Such as TMKB-AUTHZ-001" },
        language: { type: "string", description: "Only code in it" },
      },
      required: ["id"],
    },
    output: {
      type: "object",
      properties: {
        uri: { type: "string" },
        listed: LISTED,
        pattern: { type: "object" },
        note: { type: "string" },
      },
      required: ["uri", "listed", "pattern"],
    },
    annotations: READS,
    async run({ id, language }) {
      const entry = await library.find(id);
      const pattern = await library.read(entry.id);
      const isThere = language === undefined || entry.code.some((code) => code.language === language);
      const listed = toShown(entry);
      return {
        uri: `threat://${entry.id}`,
        listed,
        pattern: (isThere && language !== undefined ? inLanguage(pattern, language) : pattern) as unknown as JsonObject,
        ...(!isThere && {
          note: `There is no code in ${language}, so that all of it is shown: ${listed.languages.join(", ")}.`,
        }),
      };
    },
  });

const inLanguage = (pattern: ThreatPattern, language: string): ThreatPattern => ({
  ...pattern,
  mitigations: pattern.mitigations.map(({ code_examples: examples = [], ...mitigation }) => ({
    ...mitigation,
    code_examples: examples.filter((example) => example.language === language),
  })),
});
