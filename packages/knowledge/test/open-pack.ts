import type { JsonObject, Pack } from "@toolwright/engine";
import { createFilePolicy } from "@toolwright/kit/files";
import { bindPack } from "@toolwright/kit/pack";
import knowledge from "../src/index.js";
import { KnowledgeContext, type KnowledgeHost } from "../src/knowledge-context.js";
import type { Settings } from "../src/settings.js";

/** The host of a knowledge base: a state folder, and the folders that documents are read from. */
export const hostOf = (
  stateFolder: string,
  roots: readonly string[] = [stateFolder],
  now = () => new Date(),
): KnowledgeHost => ({
  stateFolder,
  files: createFilePolicy({ settings: { roots }, ownPaths: [stateFolder] }),
  now,
  log: () => undefined,
});

/** The pack with its settings. */
export const createKnowledge = (host: KnowledgeHost): ((settings?: JsonObject) => Pack) => bindPack(knowledge, host);

const DEFAULTS = {
  readOnly: false,
  maxDocumentBytes: 40_000_000,
  maxDocuments: 100_000,
  keepVersions: 10,
  citationsRequired: true,
  embedder: "static",
} as const;

/** A knowledge base without a server. */
export const openKnowledge = (settings: Partial<Settings>, host: KnowledgeHost): KnowledgeContext =>
  new KnowledgeContext({ ...DEFAULTS, ...settings }, host);
