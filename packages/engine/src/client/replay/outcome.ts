import { resourceNotFound } from "../../jsonrpc/errors.js";
import { isObject, type JsonObject, omit } from "../../jsonrpc/messages.js";
import type { ContentBlock } from "../../protocol/content.js";
import type { PromptDescription, ResourceDescription, ToolDescription } from "../../protocol/types.js";
import { RELATED_TASK_KEY, SERVER_INFO_KEY } from "../../revisions/meta-keys.js";
import { REVISIONS } from "../../revisions/negotiation.js";
import type { Revision } from "../../revisions/revision.js";
import { objectOrEmpty } from "../errors.js";
import type { Outcome } from "./recorded-requests.js";

/** The outcome of a replayed request; `failed` says why there was no response. */
export type RunOutcome = Outcome | { readonly failed: string };

/** Reduces the outcome of a request to what two revisions can express, without values that differ in every run. */
export function normalizeOutcome(outcome: RunOutcome, method: string, revisions: readonly Revision[]): JsonObject {
  if ("result" in outcome) return { result: normalizeResult(outcome.result, revisions) };
  if ("failed" in outcome) return { failure: outcome.failed };
  const { error } = outcome;
  const isVaried = new Set(revisions).size > 1 && method === "resources/read";
  const isNotFound = isVaried && NOT_FOUND_CODES.includes(error["code"]);
  return { error: isNotFound ? { ...error, code: NOT_FOUND_CODES[0] as number } : error };
}

/** The codes of all revisions for a resource that does not exist. */
const NOT_FOUND_CODES: readonly unknown[] = REVISIONS.map(
  (revision) => revision.writeError(resourceNotFound(""))["code"],
);

function normalizeResult(result: JsonObject, revisions: readonly Revision[]): JsonObject {
  const { resultType, nextCursor } = result;
  const meta = omit(objectOrEmpty(result["_meta"]), SERVER_INFO_KEY, RELATED_TASK_KEY);
  const plain: JsonObject = {
    ...omit(result, "resultType", "_meta", "nextCursor"),
    ...(resultType !== undefined && resultType !== "complete" && { resultType }),
    ...(nextCursor !== undefined && { nextCursor: true }),
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  };
  if (new Set(revisions).size < 2) return plain;
  return revisions.reduce(writeInRevision, omit(plain, "ttlMs", "cacheScope"));
}

/** Writes a result as a revision does, which drops what it cannot express. */
function writeInRevision(result: JsonObject, revision: Revision): JsonObject {
  const writeBlock = (item: JsonObject): unknown => revision.writeBlocks([item as unknown as ContentBlock])[0];
  const writers: Readonly<Record<string, (item: JsonObject) => unknown>> = {
    tools: (item) => revision.writeTool(item as unknown as ToolDescription),
    resources: (item) => revision.writeResource(item as unknown as ResourceDescription),
    resourceTemplates: (item) => revision.writeResource(item as unknown as ResourceDescription),
    prompts: (item) => revision.writePrompt(item as unknown as PromptDescription),
    contents: (item) => revision.writeResourceContents([item])[0],
    content: writeBlock,
    messages: (item) => (isObject(item["content"]) ? { ...item, content: writeBlock(item["content"]) } : item),
  };
  const members = Object.entries(result).flatMap(([name, value]): [string, unknown][] => {
    const write = writers[name];
    if (write && Array.isArray(value)) return [[name, value.map((item) => (isObject(item) ? write(item) : item))]];
    if (name !== "structuredContent") return [[name, value]];
    const text = revision.writeStructuredContent(JSON.stringify(value));
    return text === undefined ? [] : [[name, JSON.parse(text)]];
  });
  return Object.fromEntries(members) as JsonObject;
}
