import { type Prompt, prompt } from "@toolwright/engine";
import type { ListedPattern } from "./library/listed-pattern.js";
import type { ThreatsContext } from "./threats-context.js";

/** How many patterns the prompt brings along; the agent asks for more itself. */
const FEATURE_PATTERNS = 6;

/** Goes through a feature before it is built: what is at stake, who could misuse it, what to check. */
export const threatModelFeature = ({ library }: ThreatsContext) =>
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
      const { findListed } = await import("./query/query.js");
      const found = await findListed(library, { context: feature, language, framework });
      const stack = [language, framework].filter((part) => part !== undefined).join(", ");
      return [
        `Make a threat model of this feature before any code is written${stack === "" ? "" : ` (${stack})`}: ${feature}`,
        "1. Say in a few lines what is worth protecting, who takes part, and where data or deeds cross from one who is trusted less to one who is trusted more: browser to server, server to job, tenant to tenant, tool to model.",
        "2. Go through the patterns below, then through each crossing: call tmkb_query with what happens there, in words of the task. Leave out what does not apply, and say why.",
        "3. For each threat that applies say: how it would happen here, how bad, the check that must be visible in the code, and where it belongs. tmkb_get shows a pattern whole, with code.",
        "4. End with a list of checks that a reviewer can tick off, the worst first, and the questions that only I can answer.",
        summaryLines(found.slice(0, FEATURE_PATTERNS)),
      ].join("\n");
    },
  });

/** The families whose patterns say who may do what to what. */
const FAMILIES: ReadonlySet<string> = new Set(["authz", "tenant"]);
/** How many patterns the prompt brings along where a context was given; all of both families would be too many. */
const REVIEW_PATTERNS = 8;

/** Looks whether each way to a record or a deed asks who may. */
export const reviewForAuthorization = ({ library }: ThreatsContext) =>
  prompt({
    name: "review-for-authorization",
    title: "Review for authorization",
    description:
      "Looks at code or a change for one thing: does each way to a record or a deed ask whether this caller may?",
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
          description: "The file or folder to look at; the open change if left out.",
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
        `Review ${path ?? "the open change"} for authorization and nothing else.${context === undefined ? "" : ` It is about: ${context}`}`,
        "1. List every way in: route, resolver, job, command, webhook, tool. For each one say who can call it, which record or deed it reaches, and the line that decides whether this caller may.",
        "2. A way without such a line is a finding. So is one where the decision uses an id, an owner, a role or a tenant that the caller sent, one that is made in another layer that can be gone round, and a list that shows what the detail page hides.",
        "3. Follow what is handed on: does a job, an export, a cache, a search or a bulk operation decide again for each record?",
        "4. Call tmkb_query for each way in with what it does, tmkb_get for the code of a fix. Report each finding as: file and line, what a caller could do, the check that is missing, the pattern's id. Say also which ways in are right, and how you know.",
        summaryLines(fitting.length > 0 ? fitting : worst.slice(0, REVIEW_PATTERNS)),
      ].join("\n");
    },
  });

/** Patterns as a list that a prompt ends with. */
export function summaryLines(patterns: readonly ListedPattern[]): string {
  if (patterns.length === 0) return "\nNo pattern fits what was said so far; threats://index shows all.";
  const lines = patterns.map(
    ({ id, name, severity, agent_summary: { threat, check, fix } }) =>
      `- ${id} (${severity}) ${name}. ${threat} Check: ${check} Fix: ${fix}`,
  );
  return ["\nPatterns to begin with:", ...lines].join("\n");
}

/** What people can start with one word. */
export const prompts = (desk: ThreatsContext): readonly Prompt[] => [
  threatModelFeature(desk),
  reviewForAuthorization(desk),
];
