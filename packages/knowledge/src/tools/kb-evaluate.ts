import { tool } from "@toolwright/engine";
import { CHANGES } from "../annotations.js";
import type { GivenQuestion } from "../evaluation/questions.js";
import type { Base } from "../knowledge-context.js";
import { COLLECTION, VERSION } from "./arguments.js";

/** How many missed questions are shown. */
const MOST_MISSES = 50;

/** Measures how well a version answers. */
export const kbEvaluateTool = (base: Base) =>
  tool({
    name: "kb_evaluate",
    title: "Measure quality",
    description: "Measures recall, precision, MRR, nDCG by questions.",
    toolset: "collections",
    input: {
      type: "object",
      properties: {
        collection: COLLECTION,
        version: VERSION,
        questions: {
          type: "array",
          items: { type: "object" },
          maxItems: 5000,
          description: "{question, relevant: [id, path or path#heading]}; default: saved ones.",
        },
        save: { type: "boolean", description: "Keep them as gate." },
      },
      required: ["collection"],
      additionalProperties: false,
    },
    annotations: CHANGES,
    taskSupport: "optional",
    async run(wish, call) {
      const { evaluate } = await import("../evaluation/evaluate.js");
      const total = wish.questions?.length;
      const hear = (done: number): void => {
        if (total !== undefined && done % 10 === 0) call.progress(done / total, `${done} of ${total} questions`);
      };
      const { misses, checks, measures, latency, warnings, ...result } = await evaluate(base, {
        ...wish,
        // What they are is checked where they are read.
        questions: wish.questions as readonly GivenQuestion[] | undefined,
        signal: call.signal,
        hear,
      });
      return {
        ...result,
        measures: { ...measures },
        latency: { ...latency },
        checks: [...checks],
        warnings: [...warnings],
        missed: misses.length,
        misses: misses.slice(0, MOST_MISSES),
      };
    },
  });
