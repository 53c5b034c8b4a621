import { prompt } from "@toolwright/engine";
import type { Desk } from "../desk.js";
import { summaryLines } from "./summary-lines.js";

/** The families whose patterns say who may do what to what. */
const FAMILIES: ReadonlySet<string> = new Set(["authz", "tenant"]);
/** How many patterns the prompt brings along where a context was given; all of both families would be too many. */
const BROUGHT = 8;

/** Looks whether each way to a record or a deed asks who may. */
export const reviewForAuthorization = ({ library }: Desk) =>
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
      const { findListed } = await import("../answers/query.js");
      const found =
        context === undefined ? [] : await findListed(library, { context, files: path === undefined ? [] : [path] });
      const fitting = found.filter(({ category }) => FAMILIES.has(category)).slice(0, BROUGHT);
      const worst = (await library.list()).filter(
        ({ category, severity }) => FAMILIES.has(category) && severity === "critical",
      );
      return [
        `Review ${path ?? "the open change"} for authorization and nothing else.${context === undefined ? "" : ` It is about: ${context}`}`,
        "1. List every way in: route, resolver, job, command, webhook, tool. For each one say who can call it, which record or deed it reaches, and the line that decides whether this caller may.",
        "2. A way without such a line is a finding. So is one where the decision uses an id, an owner, a role or a tenant that the caller sent, one that is made in another layer that can be gone round, and a list that shows what the detail page hides.",
        "3. Follow what is handed on: does a job, an export, a cache, a search or a bulk operation decide again for each record?",
        "4. Call tmkb_query for each way in with what it does, tmkb_get for the code of a fix. Report each finding as: file and line, what a caller could do, the check that is missing, the pattern's id. Say also which ways in are right, and how you know.",
        summaryLines(fitting.length > 0 ? fitting : worst.slice(0, BROUGHT)),
      ].join("\n");
    },
  });
