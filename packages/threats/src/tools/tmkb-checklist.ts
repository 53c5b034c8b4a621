import { Content, type JsonObject, text, tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import type { Desk } from "../desk.js";
import { TEXTS } from "./output-schemas.js";
import { REVIEW_INPUT } from "./review-input.js";

const TEXT = { type: "string" } as const;

const CHECK = {
  type: "object",
  properties: {
    id: TEXT,
    category: TEXT,
    severity: TEXT,
    check: TEXT,
    places: TEXTS,
    count: { type: "integer" },
    visible: { type: "boolean" },
  },
  required: ["id", "category", "severity", "check", "places", "count", "visible"],
} as const;

/** Writes what to check in a pull request. */
export const tmkbChecklist = ({ library, reach }: Desk) =>
  tool({
    name: "tmkb_checklist",
    title: "Write a threat checklist",
    description: "Writes check boxes for a pull request: what to check for a task or a change, and where.",
    toolset: "threats",
    input: {
      type: "object",
      properties: {
        context: { type: "string", maxLength: 10_000, description: "The task" },
        ...REVIEW_INPUT,
        limit: { type: "integer", minimum: 1, maximum: 100, default: 15 },
      },
    },
    output: {
      type: "object",
      properties: { markdown: TEXT, checks: { type: "array", items: CHECK }, left_out: { type: "integer" } },
      required: ["markdown", "checks", "left_out"],
    },
    annotations: READS,
    async run({ limit, ...ask }, call) {
      const { runChecklist } = await import("../review/run-checklist.js");
      const way = {
        limit,
        signal: call.signal,
        hear: (done: number, total: number) => call.progress(done, "Looking at files", total),
      };
      const found = await runChecklist(library, ask, way, () => reach(call));
      return new Content([text(found.markdown)], found as object as JsonObject);
    },
  });
