import { type Prompt, prompt } from "@toolwright/engine";
import type { KnowledgeContext } from "./knowledge-context.js";

/** The prompts of the pack. */
export const prompts = (context: KnowledgeContext): readonly Prompt[] => [
  answerWithCitations(context),
  compareVersions(context),
];

const COLLECTION = { type: "string", minLength: 1, maxLength: 100, description: "The collection to search." } as const;

const completeCollection = (context: KnowledgeContext) => async (typed: string) => {
  const { namesOf } = await import("./collections/find-collection.js");
  const store = await context.store();
  return (await store.read(namesOf)).filter((name) => name.toLowerCase().includes(typed.toLowerCase()));
};

const answerWithCitations = (context: KnowledgeContext) =>
  prompt({
    name: "answer-with-citations",
    title: "Answer with citations",
    description: "Answers a question from a collection, and cites a source for every sentence.",
    input: {
      type: "object",
      properties: {
        question: { type: "string", minLength: 1, maxLength: 10_000, description: "The question to answer." },
        collection: COLLECTION,
      },
      required: ["question", "collection"],
    },
    requires: ["kb_hybrid_search", "kb_get_document"],
    complete: { collection: completeCollection(context) },
    run: ({ question, collection }) =>
      [
        `Answer this question only from the collection "${collection}": ${question}`,
        `1. Call kb_hybrid_search with collection "${collection}" and the words of the question. If there are few results, try other words.`,
        "2. If the best passages are not enough, read more of their documents with kb_get_document.",
        "3. Write the answer. End each sentence with the anchor of its passage, such as (docs/a.md#L10-L24). Omit what no passage supports.",
        '4. If kb_resolve_citations is available, call it with the ids of the passages you used. If "verified" is not true, say so after the sentence.',
        "5. If the passages do not answer the question, say so, and mention what the collection contains that is close to it.",
      ].join("\n"),
  });

const compareVersions = (context: KnowledgeContext) =>
  prompt({
    name: "compare-versions",
    title: "Compare versions",
    description: "Describes how the answer to a question differs between two versions of a collection.",
    input: {
      type: "object",
      properties: {
        collection: COLLECTION,
        question: { type: "string", minLength: 1, maxLength: 10_000, description: "The question to compare." },
        from: { type: "integer", minimum: 1, description: "The earlier version." },
        to: { type: "integer", minimum: 1, description: "The later version." },
      },
      required: ["collection", "question"],
    },
    requires: ["kb_versions", "kb_compose_flow"],
    complete: { collection: completeCollection(context) },
    run: ({ collection, question, from, to }) =>
      [
        `Describe how the answer to this question differs between two versions of the collection "${collection}": ${question}`,
        `1. Call kb_versions with collection "${collection}"${from !== undefined && to !== undefined ? `; compare ${from} with ${to}` : "; compare the two newest ready versions, or those that the question is about"}.`,
        '2. Call kb_compose_flow with flow_id "compare-versions" and params query, collection, from, to.',
        "3. Answer from each version separately. Do not mix passages of both in one sentence.",
        "4. List what is new, removed and changed, each with the anchor of its passage and its version.",
      ].join("\n"),
  });
