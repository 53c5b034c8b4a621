import { type Tool, tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import type { Base } from "../base.js";
import type { BoundTool } from "./bound-tool.js";

/** Makes a tool that clients can call of one that is bound to a collection. */
export const toTool = (base: Base, bound: BoundTool): Tool =>
  tool({
    name: bound.name,
    description: bound.description,
    toolset: "documents",
    input: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1, maxLength: 10_000, description: "What to look for." },
        top_k: {
          type: "integer",
          minimum: 1,
          maximum: 100,
          default: topKOf(bound),
          description: "How many passages.",
        },
      },
      required: ["query"],
      additionalProperties: false,
    },
    annotations: READS,
    meta: { "toolwright/collection": bound.collection },
    async run(given, call) {
      const { collection: name, version, defaults, operation } = bound;
      const wish = { ...defaults, ...given, collections: [{ name, version }], signal: call.signal };
      if (operation === "answer") {
        const { answer } = await import("../answers/answer.js");
        return { ...(await answer(base, wish)) };
      }
      const { search } = await import("../search/search.js");
      return { ...(await search(base, wish)) };
    },
  });

const topKOf = ({ defaults, operation }: BoundTool): number => defaults.top_k ?? (operation === "answer" ? 8 : 10);
