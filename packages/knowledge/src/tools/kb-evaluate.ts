import { tool } from "@toolwright/engine";
import { CHANGES } from "../annotations.js";
import type { GivenQuestion } from "../evaluation/questions.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { COLLECTION, VERSION } from "./arguments.js";

/** How many missed questions are shown. */
const MAX_MISSES = 50;

/** Measures how well a version answers. */
export const kbEvaluateTool = (context: KnowledgeContext) =>
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
    async run(options, call) {
      const { evaluate } = await import("../evaluation/evaluate.js");
      const total = options.questions?.length;
      const onProgress = (done: number): void => {
        if (total !== undefined && done % 10 === 0) call.progress(done / total, `${done} of ${total} questions`);
      };
      const { misses, checks, measures, latency, warnings, ...result } = await evaluate(context, {
        ...options,
        // What they are is checked where they are read.
        questions: options.questions as readonly GivenQuestion[] | undefined,
        signal: call.signal,
        onProgress,
      });
      return {
        ...result,
        measures: { ...measures },
        latency: { ...latency },
        checks: [...checks],
        warnings: [...warnings],
        missed: misses.length,
        misses: misses.slice(0, MAX_MISSES),
      };
    },
  });
