import { type Prompt, prompt } from "@toolwright/engine";
import type { KnowledgeContext } from "./knowledge-context.js";

/** What people can start with one word. */
export const prompts = (context: KnowledgeContext): readonly Prompt[] => [
  answerWithCitations(context),
  compareVersions(context),
];

const COLLECTION = { type: "string", minLength: 1, maxLength: 100, description: "Collection to ask." } as const;

const completeCollection = (context: KnowledgeContext) => async (typed: string) => {
  const { namesOf } = await import("./collections/find-collection.js");
  const store = await context.store();
  return (await store.read(namesOf)).filter((name) => name.toLowerCase().includes(typed.toLowerCase()));
};

const answerWithCitations = (context: KnowledgeContext) =>
  prompt({
    name: "answer-with-citations",
    title: "Answer with citations",
    description: "Answers a question from a collection, and cites every sentence.",
    input: {
      type: "object",
      properties: {
        question: { type: "string", minLength: 1, maxLength: 10_000, description: "What should be answered." },
        collection: COLLECTION,
      },
      required: ["question", "collection"],
    },
    complete: { collection: completeCollection(context) },
    run: ({ question, collection }) =>
      [
        `Answer this question from the collection "${collection}" alone: ${question}`,
        `1. Call kb_hybrid_search with collection "${collection}" and the words of the question; try other words where little comes.`,
        "2. Read around the best passages with kb_get_document where they are not enough.",
        "3. Write the answer. Each sentence ends with the anchor of the passage that says so, such as (docs/a.md#L10-L24). Leave out what no passage says.",
        '4. Call kb_resolve_citations with the ids of the passages you used. Where "verified" is not true, say so beside the sentence.',
        "5. Where the passages do not answer the question, say that the collection does not tell, and what it has that is near.",
      ].join("\n"),
  });

const compareVersions = (context: KnowledgeContext) =>
  prompt({
    name: "compare-versions",
    title: "Compare versions",
    description: "Tells how the answer to a question differs between two versions of a collection.",
    input: {
      type: "object",
      properties: {
        collection: COLLECTION,
        question: { type: "string", minLength: 1, maxLength: 10_000, description: "What is compared." },
        from: { type: "integer", minimum: 1, description: "Earlier version." },
        to: { type: "integer", minimum: 1, description: "Later version." },
      },
      required: ["collection", "question"],
    },
    complete: { collection: completeCollection(context) },
    run: ({ collection, question, from, to }) =>
      [
        `Tell how the answer to this question differs between two versions of the collection "${collection}": ${question}`,
        `1. Call kb_versions with collection "${collection}"${from !== undefined && to !== undefined ? `; compare ${from} with ${to}` : "; compare the two newest that are ready, or those that fit the question"}.`,
        '2. Call kb_compose_flow with flow_id "compare-versions" and params query, collection, from, to.',
        "3. Answer from each version on its own, and never mix passages of both in one sentence.",
        "4. List what is new, what is gone and what says something else, each with the anchor of its passage and its version.",
      ].join("\n"),
  });
