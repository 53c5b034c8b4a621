import {
  type Resource,
  type ResourceContents,
  type ResourceTemplate,
  resourceTemplate,
  ToolError,
} from "@toolwright/engine";
import type { ListedDocument } from "./collections/get-document.js";
import type { KnowledgeContext } from "./knowledge-context.js";
import { describeStats } from "./tools/results.js";

/** The maximum number of listed documents and of completions. */
const LIMIT = { documents: 200, completed: 100 } as const;

/** Collections and documents as resources that clients can subscribe to. */
export const resources = (context: KnowledgeContext): readonly (Resource | ResourceTemplate)[] => [
  collectionResource(context),
  documentResource(context),
];

const collectionResource = (context: KnowledgeContext) =>
  resourceTemplate({
    uri: "kb://{collection}",
    name: "collection",
    title: "Collection",
    description: "A collection with its statistics and documents, as JSON and as text.",
    requires: ["kb_list_collections"],
    complete: { collection: (typed) => completeCollection(context, typed) },
    async list() {
      const { listCollections } = await import("./collections/stats.js");
      const all = await listCollections(context);
      return {
        resources: all.map(({ collection: { name, description } }) => ({
          uri: `kb://${name}`,
          name,
          ...(description !== "" && { description }),
          mimeType: "application/json",
        })),
      };
    },
    read: ({ collection }) =>
      orNothing(async () => {
        const [{ readCollectionStats }, { listDocuments }] = await Promise.all([
          import("./collections/stats.js"),
          import("./collections/get-document.js"),
        ]);
        const stats = describeStats(await readCollectionStats(context, collection));
        const documents = await listDocuments(context, collection, "", LIMIT.documents);
        const uri = `kb://${collection}`;
        return [
          { uri, mimeType: "application/json", text: JSON.stringify({ ...stats, document_list: documents }) },
          { uri, mimeType: "text/markdown", text: collectionText(stats, documents) },
        ];
      }),
  });

const documentResource = (context: KnowledgeContext) =>
  resourceTemplate({
    uri: "kb://{collection}/{document}",
    name: "document",
    title: "Document",
    description: "The text of a document in the active version.",
    requires: ["kb_get_document"],
    complete: {
      collection: (typed) => completeCollection(context, typed),
      async document(typed, { collection = "" }) {
        const { listDocuments } = await import("./collections/get-document.js");
        try {
          const found = await listDocuments(context, collection, typed, LIMIT.completed);
          return found.map(({ doc_id: id }) => id);
        } catch (error) {
          if (error instanceof ToolError) return [];
          throw error;
        }
      },
    },
    read: ({ collection, document }) =>
      orNothing(async () => {
        const { getDocument } = await import("./collections/get-document.js");
        const { text, ...about } = await getDocument(context, document, { range: { start: 0, end: MAX_TEXT } });
        if (about.collection_id !== collection) return undefined;
        const uri = `kb://${collection}/${document}`;
        return [
          { uri, mimeType: "text/plain", text },
          { uri, mimeType: "application/json", text: JSON.stringify(about) },
        ];
      }),
  });

const MAX_TEXT = 200_000;

async function completeCollection(context: KnowledgeContext, typed: string): Promise<readonly string[]> {
  const { namesOf } = await import("./collections/find-collection.js");
  const store = await context.store();
  const names = await store.read(namesOf);
  const part = typed.toLowerCase();
  return names.filter((name) => name.toLowerCase().includes(part)).slice(0, LIMIT.completed);
}

/** Returns undefined if the collection or document does not exist or has no active version. */
async function orNothing(
  read: () => Promise<readonly ResourceContents[] | undefined>,
): Promise<readonly ResourceContents[] | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ToolError && (error.code === "NOT_FOUND" || error.code === "CONFLICT")) return undefined;
    throw error;
  }
}

/** Describes a collection as text. */
function collectionText(stats: ReturnType<typeof describeStats>, documents: readonly ListedDocument[]): string {
  const { collection, version, documents: count, chunks, health_score: health, health_reasons: reasons } = stats;
  const more = count > documents.length ? [`… and ${count - documents.length} more`] : [];
  return [
    `# ${collection}`,
    version === null ? "No version is active yet." : `Version ${version}: ${count} documents, ${chunks} passages.`,
    `Health ${health}${reasons.length === 0 ? "" : `: ${reasons.join("; ")}`}`,
    "",
    ...documents.map(({ doc_id: id, source, title }) => `- ${id} ${source}${title === source ? "" : `: ${title}`}`),
    ...more,
  ].join("\n");
}
