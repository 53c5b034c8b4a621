import { type Tool, tool } from "@toolwright/engine";
import { READ, UPDATE } from "@toolwright/kit/pack";
import type { Flow } from "../flows/flow.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { CITATION_FORMAT, SEARCHED, VERSION } from "./schemas.js";

/** The tools that search, answer, read and cite documents. */
export const searchTools = (context: KnowledgeContext): readonly Tool[] => [
  hybridSearch(context),
  getDocument(context),
  answer(context),
  resolveCitations(context),
  composeFlow(context),
];

const hybridSearch = (context: KnowledgeContext) =>
  tool({
    name: "kb_hybrid_search",
    aliases: ["kb.hybrid_search"],
    title: "Search",
    description:
      'Finds passages of ingested documents by words and meaning. Supports "phrases", AND, OR, NOT, +, - and parentheses.',
    toolset: "documents",
    input: {
      type: "object",
      properties: {
        ...SEARCHED,
        top_k: { type: "integer", minimum: 1, maximum: 100, default: 10, description: "Number of results." },
        mode: { enum: ["hybrid", "words", "vector"], default: "hybrid", description: "hybrid: by both." },
        explain: { type: "boolean", description: "Explain the scores." },
        cache_ttl: { type: "integer", maximum: 86_400, description: "Seconds to cache." },
      },
      required: ["query"],
    },
    annotations: READ,
    async run({ collection, collection_ids, version, filters, ...options }, { signal }) {
      const [{ search }, { chooseCollections }, { parseFilters }] = await Promise.all([
        import("../search/search.js"),
        import("../search/choose-collections.js"),
        import("../search/filters.js"),
      ]);
      const parsed = parseFilters(filters);
      const collections = await chooseCollections(context, { collection, collection_ids, version });
      return { ...(await search(context, { ...options, filters: parsed, collections, signal })) };
    },
  });

const getDocument = (context: KnowledgeContext) =>
  tool({
    name: "kb_get_document",
    aliases: ["kb.get_document"],
    title: "Read a document",
    description: "Returns the text of a document, or a range of it. Use it to read around a search result.",
    toolset: "documents",
    input: {
      type: "object",
      properties: {
        doc_id: { type: "string", description: "document_id of a search result." },
        range: {
          type: "object",
          properties: {
            start: { type: "integer", minimum: 0, description: "First character or line." },
            end: { type: "integer", description: "End; a line is included." },
            unit: { enum: ["characters", "lines"], description: "Lines count from 1." },
          },
          required: ["start", "end"],
          description: "Default: the first 20,000 characters.",
        },
        version: VERSION,
        chunks: { type: "boolean", description: "List the passages." },
      },
      required: ["doc_id"],
    },
    annotations: READ,
    // The text is in the text content and in the structured content.
    budgetBytes: 16 * 1024 * 1024,
    async run({ doc_id: id, ...options }) {
      const module = await import("../collections/get-document.js");
      return { ...(await module.getDocument(context, id, options)) };
    },
  });

const answer = (context: KnowledgeContext) =>
  tool({
    name: "kb_answer",
    aliases: ["kb.answer"],
    title: "Answer",
    description:
      "Answers a question with quoted sentences and their citations, or says that the documents do not answer it.",
    toolset: "documents",
    input: {
      type: "object",
      properties: {
        ...SEARCHED,
        query: { type: "string", description: "The question." },
        filters: { type: "object", description: "As in kb_hybrid_search." },
        top_k: { type: "integer", minimum: 1, maximum: 50, default: 8, description: "Passages to read." },
      },
      required: ["query"],
    },
    annotations: READ,
    async run({ collection, collection_ids, version, filters, ...options }, { signal }) {
      const [module, { chooseCollections }, { parseFilters }] = await Promise.all([
        import("../answers/answer.js"),
        import("../search/choose-collections.js"),
        import("../search/filters.js"),
      ]);
      const parsed = parseFilters(filters);
      const collections = await chooseCollections(context, { collection, collection_ids, version });
      return { ...(await module.answer(context, { ...options, filters: parsed, collections, signal })) };
    },
  });

const resolveCitations = (context: KnowledgeContext) =>
  tool({
    name: "kb_resolve_citations",
    aliases: ["kb.resolve_citations"],
    title: "Resolve citations",
    description:
      "Returns the citations of passages with licence and exact location, and verifies that the source files still contain them.",
    toolset: "documents",
    input: {
      type: "object",
      properties: {
        chunk_ids: {
          type: "array",
          items: { type: "string" },
          minItems: 1,
          maxItems: 1000,
          description: "The chunk_id of each passage, from search results.",
        },
        format: CITATION_FORMAT,
      },
      required: ["chunk_ids"],
    },
    annotations: READ,
    async run(options, call) {
      const module = await import("../citations/resolve-citations.js");
      return { ...(await module.resolveCitations(context, call, options)) };
    },
  });

const composeFlow = (context: KnowledgeContext) =>
  tool({
    name: "kb_compose_flow",
    aliases: ["kb.compose_flow"],
    title: "Run a flow",
    description:
      "Runs several steps as one call: search-and-cite, compare-versions, brief, or a flow of your own, which is saved.",
    toolset: "documents",
    input: {
      type: "object",
      properties: {
        flow_id: {
          type: "string",
          description: "search-and-cite, compare-versions, brief, or the id of a saved flow.",
        },
        params: { type: "object", description: "The parameters of the flow, such as query and collection." },
        flow: {
          type: "object",
          description:
            'A flow to save and run: {"id", "steps": [{"id", "do": "search" | "answer" | "resolve" | "filter", "with": {…}}]}. "{{step.results}}" in "with" refers to an earlier step.',
        },
      },
    },
    annotations: context.settings.readOnly ? READ : UPDATE,
    async run({ flow_id, params, flow }, call) {
      const module = await import("../flows/compose-flow.js");
      return { ...(await module.composeFlow(context, call, { flow_id, params, flow: flow as Flow | undefined })) };
    },
  });
