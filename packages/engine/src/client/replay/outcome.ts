import { resourceNotFound } from "../../jsonrpc/errors.js";
import { isObject, type Json, type JsonObject } from "../../jsonrpc/messages.js";
import type { ContentBlock } from "../../protocol/content.js";
import type { PromptDescription, ResourceDescription, ToolDescription } from "../../protocol/types.js";
import { RELATED_TASK_KEY, SERVER_INFO_KEY } from "../../revisions/meta-keys.js";
import { REVISIONS } from "../../revisions/negotiation.js";
import type { Revision } from "../../revisions/revision.js";
import { stringOr } from "../errors.js";
import type { Comparison } from "./compare.js";
import type { Outcome, RecordedRequest } from "./recorded-requests.js";
import type { Difference } from "./replay.js";

/** The outcome of a replayed request; `failed` says why there was no response. */
export type RunOutcome = Outcome | { readonly failed: string };

/** A replayed request with its recorded and actual outcome. */
export interface ReplayedOutcome {
  readonly request: RecordedRequest;
  readonly recorded: Outcome;
  readonly actual: RunOutcome;
  /** The messages of input requests that the recording does not have. */
  readonly unexpected: readonly string[];
  /** The recorded and the actual revision. */
  readonly revisions: readonly Revision[];
}

/** Compares the outcome of a request with the recorded one. */
export function compareOutcome(comparison: Comparison, replayed: ReplayedOutcome): Difference[] {
  const { request, unexpected } = replayed;
  const inputDifferences = compareInputRequests(request, unexpected).filter(({ path }) => !comparison.isIgnored(path));
  return [...compareResponses(comparison, replayed), ...inputDifferences];
}

function compareResponses(
  comparison: Comparison,
  { request, recorded, actual, revisions }: ReplayedOutcome,
): Difference[] {
  const normalize = (outcome: RunOutcome): JsonObject => {
    if ("result" in outcome) return { result: normalizeResult(revisions, outcome.result) };
    if ("error" in outcome) return { error: normalizeError(revisions, request.method, outcome.error) };
    return { failure: outcome.failed };
  };
  const [before, after] = [normalize(recorded), normalize(actual)];
  if (!("result" in recorded) || !("result" in actual)) return comparison.compare(before, after);
  comparison.mapId(recorded.result["nextCursor"], actual.result["nextCursor"]);
  return comparison.compare(before["result"], after["result"]);
}

function compareInputRequests({ inputRequests }: RecordedRequest, unexpected: readonly string[]): Difference[] {
  const path = "inputRequest";
  const missing = inputRequests.filter(({ isUsed, method }) => !isUsed && method !== "roots/list");
  return [
    ...missing.map(({ name, method, params }) => ({
      path,
      recorded: stringOr(params["message"], name || method),
      actual: undefined,
    })),
    ...unexpected.map((message) => ({ path, recorded: undefined, actual: message })),
  ];
}

/** The codes of all revisions for a resource that does not exist. */
const NOT_FOUND_CODES: ReadonlySet<number> = new Set(
  REVISIONS.map((revision) => revision.writeError(resourceNotFound(""))["code"] as number),
);

/** Reduces a result to what both revisions can express, without values that differ in every run. */
function normalizeResult(revisions: readonly Revision[], result: JsonObject): JsonObject {
  const { resultType, _meta, nextCursor, ...rest } = result;
  const { [SERVER_INFO_KEY]: _server, [RELATED_TASK_KEY]: _task, ...meta } = isObject(_meta) ? _meta : {};
  const plain: JsonObject = {
    ...rest,
    ...(resultType !== undefined && resultType !== "complete" && { resultType }),
    ...(nextCursor !== undefined && { nextCursor: true }),
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  };
  if (new Set(revisions).size < 2) return plain;
  const { ttlMs: _ttl, cacheScope: _scope, ...common } = plain;
  return revisions.reduce(writeInRevision, common);
}

/** Replaces an error code that differs between the revisions. */
function normalizeError(revisions: readonly Revision[], method: string, error: JsonObject): JsonObject {
  const hasVariantCode =
    new Set(revisions).size > 1 && method === "resources/read" && NOT_FOUND_CODES.has(error["code"] as number);
  return hasVariantCode ? { ...error, code: Math.max(...NOT_FOUND_CODES) } : error;
}

/** Writes a result as a revision does, which drops what it cannot express. */
function writeInRevision(result: JsonObject, revision: Revision): JsonObject {
  const { structuredContent, ...written } = result;
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
  const members = Object.entries(written).map(([name, value]): [string, unknown] => {
    const write = writers[name];
    return [name, write && Array.isArray(value) ? value.map((item) => (isObject(item) ? write(item) : item)) : value];
  });
  const text =
    structuredContent === undefined ? undefined : revision.writeStructuredContent(JSON.stringify(structuredContent));
  return {
    ...(Object.fromEntries(members) as JsonObject),
    ...(text !== undefined && { structuredContent: JSON.parse(text) as Json }),
  };
}
