/** What a step can do. */
export const DEEDS = ["search", "answer", "resolve", "filter"] as const;
/** One of the deeds. */
export type Deed = (typeof DEEDS)[number];

const ASKING = ["query", "collection", "collections", "version", "top_k", "filters"];
/** What each of them can be told in `with`. */
export const ARGUMENTS: Readonly<Record<Deed, readonly string[]>> = {
  search: ASKING,
  answer: ASKING,
  resolve: ["chunk_ids", "format"],
  filter: ["from", "by", "equals", "contains", "min", "except", "unique", "limit"],
};

/**
 * One step of a flow. In `with`, "{{name}}" stands for a parameter, "{{step.results}}" for what a step before has given, and
 * "{{step.results.*.title}}" for the title of each of them.
 */
export interface Step {
  readonly id: string;
  readonly do: Deed;
  readonly with: Readonly<Record<string, unknown>>;
}

/** Steps that are done one after the other, under a name. */
export interface Flow {
  readonly id: string;
  readonly description?: string | undefined;
  /** Parameters that need not be given. */
  readonly defaults?: Readonly<Record<string, unknown>> | undefined;
  readonly steps: readonly Step[];
  /** What the flow gives, by names; by default what its last step does. */
  readonly give?: Readonly<Record<string, unknown>> | undefined;
}

/** The flows that are always there. */
export const BUILT_IN: readonly Flow[] = [
  {
    id: "search-and-cite",
    description: "Finds passages and cites them. Parameters: query, collection, top_k, format.",
    defaults: { top_k: 5, format: "json" },
    steps: [
      { id: "found", do: "search", with: { query: "{{query}}", collection: "{{collection}}", top_k: "{{top_k}}" } },
      { id: "cited", do: "resolve", with: { chunk_ids: "{{found.results.*.chunk_id}}", format: "{{format}}" } },
    ],
    give: { results: "{{found.results}}", citations: "{{cited.citations}}" },
  },
  {
    id: "compare-versions",
    description: "What two versions find for a question. Parameters: query, collection, from, to, top_k.",
    defaults: { top_k: 10 },
    steps: [
      {
        id: "before",
        do: "search",
        with: { query: "{{query}}", collection: "{{collection}}", version: "{{from}}", top_k: "{{top_k}}" },
      },
      {
        id: "after",
        do: "search",
        with: { query: "{{query}}", collection: "{{collection}}", version: "{{to}}", top_k: "{{top_k}}" },
      },
      { id: "gone", do: "filter", with: { from: "{{before.results}}", except: "{{after.results}}", by: "chunk_id" } },
      { id: "new", do: "filter", with: { from: "{{after.results}}", except: "{{before.results}}", by: "chunk_id" } },
    ],
    give: { gone: "{{gone.results}}", new: "{{new.results}}" },
  },
  {
    id: "brief",
    description: "Answers and cites the sources. Parameters: query, collection, format.",
    defaults: { format: "apa" },
    steps: [
      { id: "said", do: "answer", with: { query: "{{query}}", collection: "{{collection}}" } },
      { id: "cited", do: "resolve", with: { chunk_ids: "{{said.citations.*.chunk_id}}", format: "{{format}}" } },
    ],
    give: { answer: "{{said}}", sources: "{{cited.citations.*.text}}" },
  },
];
