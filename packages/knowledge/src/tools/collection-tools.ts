import { type Tool, tool } from "@toolwright/engine";
import { CREATE, DELETE, OVERWRITE, READ, REPLACE, UPDATE } from "@toolwright/kit/pack";
import { toolProgress } from "@toolwright/kit/progress";
import type { QuestionInput } from "../evaluation/questions.js";
import { type IngestOptions, STAGE_SHARES } from "../ingest/ingest-options.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { describeStats, describeVersion, waitingNote } from "./results.js";
import { COLLECTION, METADATA, VERSION } from "./schemas.js";

/** The tools that list, fill and manage collections. */
export const collectionTools = (context: KnowledgeContext): readonly Tool[] => [
  listCollections(context),
  stats(context),
  create(context),
  ingest(context),
  deleteCollection(context),
  versions(context),
  evaluate(context),
  exportCollection(context),
  importCollection(context),
];

const listCollections = (context: KnowledgeContext) =>
  tool({
    name: "kb_list_collections",
    aliases: ["kb.list_collections"],
    title: "List collections",
    description: "Lists the collections that can be searched, with version, size and health.",
    toolset: "documents",
    input: {
      type: "object",
      properties: {
        filters: {
          type: "object",
          properties: { text: { type: "string", description: "Part of the name or description." } },
          description: "Restricts the list.",
        },
      },
    },
    annotations: READ,
    async run({ filters = {} }) {
      const module = await import("../collections/stats.js");
      const found = await module.listCollections(context, filters);
      return {
        collections: found.map(({ collection, version, health, flows, status }) => ({
          id: collection.name,
          name: collection.name,
          version: version?.number ?? null,
          status,
          description: collection.description,
          documents: version?.documents ?? 0,
          chunks: version?.chunks ?? 0,
          health_score: health.score,
          pinned: collection.pinned !== null,
          flows: [...flows],
          last_updated: collection.updatedAt,
        })),
      };
    },
  });

const stats = (context: KnowledgeContext) =>
  tool({
    name: "kb_stats",
    aliases: ["kb.stats"],
    title: "Collection statistics",
    description: "Returns document counts, size, health and quality of one collection or of all.",
    toolset: "documents",
    input: {
      type: "object",
      properties: { collection: { ...COLLECTION, description: "Default: all collections." }, version: VERSION },
    },
    annotations: READ,
    async run({ collection, version }) {
      const { readAllStats, readCollectionStats } = await import("../collections/stats.js");
      const found =
        collection === undefined
          ? await readAllStats(context)
          : [await readCollectionStats(context, collection, version)];
      return { collections: found.map(describeStats) };
    },
  });

const create = (context: KnowledgeContext) =>
  tool({
    name: "kb_create",
    title: "Create a collection",
    description: "Creates an empty collection. Fill it with kb_ingest.",
    toolset: "documents",
    input: {
      type: "object",
      properties: {
        name: { type: "string", description: "1 to 100 letters, digits, _ and -." },
        description: { type: "string", description: "What the collection contains; helps to choose a collection." },
        chunk_size: {
          type: "integer",
          minimum: 64,
          maximum: 4096,
          description: "The maximum size of a passage in tokens; default: 512.",
        },
        chunk_overlap: {
          type: "integer",
          minimum: 0,
          maximum: 1024,
          description: "The tokens that adjacent passages share; default: 50.",
        },
      },
      required: ["name"],
    },
    annotations: CREATE,
    async run(options) {
      const { createCollection } = await import("../collections/create-collection.js");
      const { name, description, chunkSize, chunkOverlap, createdAt } = await createCollection(context, options);
      return { name, description, chunk_size: chunkSize, chunk_overlap: chunkOverlap, created_at: createdAt };
    },
  });

const ingest = (context: KnowledgeContext) =>
  tool({
    name: "kb_ingest",
    title: "Ingest documents",
    description:
      "Adds or updates documents of a collection from files, folders or texts, and makes the new version active.",
    toolset: "documents",
    input: {
      type: "object",
      properties: {
        collection: COLLECTION,
        paths: {
          type: "array",
          items: { type: "string" },
          description: "Files and folders: Markdown, HTML, PDF, DOCX, CSV, JSON, text and source code.",
        },
        texts: {
          type: "array",
          items: {
            type: "object",
            properties: {
              name: { type: "string", description: "A file name; its extension determines the kind." },
              text: { type: "string", maxLength: 10_000_000, description: "The content; empty removes the document." },
              title: { type: "string", description: "Default: the first heading." },
              url: { type: "string", description: "The web address for citations." },
              metadata: METADATA,
            },
            required: ["name", "text"],
          },
          description: "Documents as text.",
        },
        delete_missing: {
          type: "boolean",
          default: true,
          description: "Remove documents whose files no longer exist in the given folders.",
        },
        force: { type: "boolean", default: false, description: "Read unchanged documents again." },
        dry_run: { type: "boolean", default: false, description: "Only report what would change." },
        promote: { type: "boolean", default: true, description: "Make the new version active." },
        embed: { type: "boolean", default: true, description: "Create vectors for search by meaning." },
        metadata: METADATA,
      },
      required: ["collection"],
    },
    annotations: OVERWRITE,
    taskSupport: "optional",
    async run(options, call) {
      const module = await import("../ingest/ingest.js");
      const onProgress = toolProgress(call, { stages: STAGE_SHARES });
      // The values of objects with any keys are validated, but their types are not inferred.
      const result = await module.ingest(context, withProgress(call, onProgress), options as IngestOptions);
      return { ...result, delta: { ...result.delta }, outcomes: result.outcomes.map((outcome) => ({ ...outcome })) };
    },
  });

const deleteCollection = (context: KnowledgeContext) =>
  tool({
    name: "kb_delete",
    title: "Delete a collection",
    description: "Deletes a collection with all its versions. The source files stay.",
    toolset: "collections",
    input: {
      type: "object",
      properties: { collection: COLLECTION },
      required: ["collection"],
    },
    annotations: DELETE,
    async run({ collection }) {
      const module = await import("../collections/create-collection.js");
      return { ...(await module.deleteCollection(context, collection)) };
    },
  });

const versions = (context: KnowledgeContext) =>
  tool({
    name: "kb_versions",
    title: "List versions",
    description: "Lists the versions of a collection, newest first, with status, changes and quality.",
    toolset: "collections",
    input: {
      type: "object",
      properties: { collection: COLLECTION },
      required: ["collection"],
    },
    annotations: READ,
    async run({ collection: name }) {
      const { listVersions } = await import("../collections/find-collection.js");
      const { collection, versions: found, waiting } = await listVersions(context, name);
      const { active, pinned } = collection;
      return {
        collection: name,
        active,
        pinned,
        ...(waiting !== null && { note: waitingNote(waiting) }),
        versions: found.map(describeVersion),
      };
    },
  });

/** The maximum number of missed questions in a result. */
const MAX_MISSES = 50;

const evaluate = (context: KnowledgeContext) =>
  tool({
    name: "kb_evaluate",
    title: "Measure quality",
    description: "Measures recall, precision, MRR and nDCG of a version with questions whose answers are known.",
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
          description:
            '{"question", "relevant": [passage id, document id, path or path#heading]}; default: the saved questions.',
        },
        save: { type: "boolean", default: false, description: "Save the questions: promotions must pass them." },
      },
      required: ["collection"],
    },
    annotations: CREATE,
    taskSupport: "optional",
    async run(options, call) {
      const module = await import("../evaluation/evaluate.js");
      const { misses, checks, measures, latency, warnings, ...result } = await module.evaluate(context, {
        ...options,
        // Validated when they are parsed.
        questions: options.questions as readonly QuestionInput[] | undefined,
        signal: call.signal,
        onProgress: toolProgress(call),
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

const exportCollection = (context: KnowledgeContext) =>
  tool({
    name: "kb_export",
    title: "Export a collection",
    description: "Writes a version of a collection to one .kbpack file. Replaces an existing file.",
    toolset: "collections",
    input: {
      type: "object",
      properties: {
        collection: COLLECTION,
        version: VERSION,
        path: { type: "string", description: "The file to write, such as docs.kbpack." },
        vectors: { type: "boolean", default: true, description: "Include the vectors." },
      },
      required: ["collection", "path"],
    },
    annotations: REPLACE,
    taskSupport: "optional",
    async run(options, call) {
      const module = await import("../transfer/export-collection.js");
      return { ...(await module.exportCollection(context, withProgress(call, toolProgress(call)), options)) };
    },
  });

const importCollection = (context: KnowledgeContext) =>
  tool({
    name: "kb_import",
    title: "Import a collection",
    description: "Creates a collection, or a new version of an existing one, from a .kbpack file.",
    toolset: "collections",
    input: {
      type: "object",
      properties: {
        path: { type: "string", description: "The .kbpack file." },
        name: { ...COLLECTION, description: "The name of the collection; default: the name in the file." },
      },
      required: ["path"],
    },
    annotations: UPDATE,
    taskSupport: "optional",
    async run(options, call) {
      const module = await import("../transfer/import-collection.js");
      const onProgress = toolProgress(call, { stages: STAGE_SHARES });
      const { licenses, warnings, ...result } = await module.importCollection(
        context,
        withProgress(call, onProgress),
        options,
      );
      return { ...result, licenses: { ...licenses }, warnings: [...warnings] };
    },
  });

/** The parts of a call that work functions use. The methods keep their receiver. */
const withProgress = <Progress>(
  call: { readonly signal: AbortSignal; supports: FileCallerOf["supports"]; roots: FileCallerOf["roots"] },
  onProgress: Progress,
) => ({
  signal: call.signal,
  supports: (feature: Parameters<FileCallerOf["supports"]>[0]) => call.supports(feature),
  roots: () => call.roots(),
  onProgress,
});
type FileCallerOf = Parameters<KnowledgeContext["fileAccess"]>[0];
