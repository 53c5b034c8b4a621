import { type Page, storeChanges } from "@toolwright/kit/pages";
import type { KnowledgeContext } from "../knowledge-context.js";
import { KNOWLEDGE_PATH } from "./elements.js";

/** The dashboard pages of the pack. */
export function knowledgePages(context: KnowledgeContext): readonly Page[] {
  const shared = {
    parent: KNOWLEDGE_PATH,
    ...storeChanges(() => context.store(), "SELECT max(seq) AS seq FROM changes"),
  };
  return [
    {
      ...shared,
      path: KNOWLEDGE_PATH,
      title: "Knowledge",
      nav: { label: "Knowledge", order: 20 },
      render: async () => (await import("./collections.js")).renderCollections(context),
    },
    {
      ...shared,
      path: `${KNOWLEDGE_PATH}/search`,
      title: "Search",
      render: async (request) => (await import("./search.js")).renderSearch(context, request),
    },
    {
      ...shared,
      path: `${KNOWLEDGE_PATH}/collections/:name`,
      title: "Collection",
      render: async (request) => (await import("./collection.js")).renderCollection(context, request),
    },
    {
      ...shared,
      path: `${KNOWLEDGE_PATH}/documents/:id`,
      title: "Document",
      render: async (request) => (await import("./document.js")).renderDocument(context, request),
    },
  ];
}
