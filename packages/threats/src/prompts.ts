import { type Prompt, prompt } from "@toolwright/engine";
import type { ListedPattern } from "./library/listed-pattern.js";
import type { ThreatsContext } from "./threats-context.js";

/** How many patterns the prompt contains. The agent can query for more. */
const FEATURE_PATTERNS = 6;

/** Threat modelling of a feature before it is built. */
const threatModelFeature = ({ library }: ThreatsContext) =>
  prompt({
    name: "threat-model-feature",
    title: "Threat model of a feature",
    requires: ["tmkb_query"],
    description:
      "Models the threats to a feature before it is built: assets, trust boundaries, applicable threats, checks.",
    input: {
      type: "object",
      properties: {
        feature: {
          type: "string",
          minLength: 1,
          maxLength: 10_000,
          description: "What the feature does, and for whom.",
        },
        language: { type: "string", maxLength: 100, description: "The programming language." },
        framework: { type: "string", maxLength: 100, description: "The framework." },
      },
      required: ["feature"],
    },
    async run({ feature, language, framework }) {
      const { findListed } = await import("./query/query.js");
      const found = await findListed(library, { context: feature, language, framework });
      const stack = [language, framework].filter((part) => part !== undefined).join(", ");
      return [
        `Create a threat model of this feature before any code is written${stack === "" ? "" : ` (${stack})`}: ${feature}`,
        "1. Describe in a few lines the assets, the actors and the trust boundaries that data or actions cross: browser to server, server to job, tenant to tenant, tool to model.",
        "2. Consider the patterns below, then each trust boundary: call tmkb_query with what happens there. Leave out what does not apply, and say why.",
        "3. For each threat that applies, state how it would happen here, its severity, the check that must be visible in the code, and where that check belongs. The resource threat://ID contains a pattern in full, with code.",
        "4. End with a checklist for the reviewer, most severe first, and the questions that only I can answer.",
        summaryLines(found.slice(0, FEATURE_PATTERNS)),
      ].join("\n");
    },
  });

/** The families about access control. */
const FAMILIES: ReadonlySet<string> = new Set(["authz", "tenant"]);
/** How many patterns the prompt contains. */
const REVIEW_PATTERNS = 8;

/** Review of access control. */
const reviewForAuthorization = ({ library }: ThreatsContext) =>
  prompt({
    name: "review-for-authorization",
    title: "Review for authorization",
    requires: ["tmkb_query"],
    description:
      "Reviews code or a change for authorization only: does every entry point check whether this caller is allowed?",
    input: {
      type: "object",
      properties: {
        context: {
          type: "string",
          minLength: 1,
          maxLength: 10_000,
          description: "What the code does, or the code itself.",
        },
        path: {
          type: "string",
          maxLength: 1000,
          description: "The file or folder to review. Default: the current change.",
        },
      },
    },
    async run({ context, path }) {
      const { findListed } = await import("./query/query.js");
      const found =
        context === undefined ? [] : await findListed(library, { context, files: path === undefined ? [] : [path] });
      const fitting = found.filter(({ category }) => FAMILIES.has(category)).slice(0, REVIEW_PATTERNS);
      const worst = (await library.list()).filter(
        ({ category, severity }) => FAMILIES.has(category) && severity === "critical",
      );
      return [
        `Review ${path ?? "the current change"} for authorization and nothing else.${context === undefined ? "" : ` Context: ${context}`}`,
        "1. List every entry point: route, resolver, job, command, webhook, tool. For each one, state who can call it, which record or action it reaches, and the line that decides whether this caller is allowed.",
        "2. An entry point without such a line is a finding. So is a decision based on an id, owner, role or tenant that the caller sent, a decision in another layer that can be bypassed, and a list that shows what the detail page hides.",
        "3. Follow data that is passed on: does a job, an export, a cache, a search or a bulk operation decide again for each record?",
        "4. Call tmkb_query for each entry point with what it does; the resource threat://ID contains the code of a fix. Report each finding as: file and line, what a caller could do, the missing check, the pattern id. Also list the entry points that are correct, and why.",
        summaryLines(fitting.length > 0 ? fitting : worst.slice(0, REVIEW_PATTERNS)),
      ].join("\n");
    },
  });

/** The patterns at the end of a prompt. */
function summaryLines(patterns: readonly ListedPattern[]): string {
  if (patterns.length === 0) return "\nNo pattern matches so far; the resource threats://index lists all.";
  const lines = patterns.map(
    ({ id, name, severity, agent_summary: { threat, check, fix } }) =>
      `- ${id} (${severity}) ${name}. ${threat} Check: ${check} Fix: ${fix}`,
  );
  return ["\nPatterns to start with:", ...lines].join("\n");
}

/** The prompts of the pack. */
export const prompts = (threats: ThreatsContext): readonly Prompt[] => [
  threatModelFeature(threats),
  reviewForAuthorization(threats),
];
