import { resourceNotFound } from "../../jsonrpc/errors.js";
import { isObject, type Json, type JsonObject } from "../../jsonrpc/json.js";
import type { Block } from "../../protocol/content.js";
import type { PromptDescription, ResourceDescription, ToolDescription } from "../../protocol/description.js";
import { RELATED_TASK_KEY, SERVER_KEY } from "../../revisions/meta-keys.js";
import type { Revision } from "../../revisions/revision.js";
import { REVISIONS } from "../../revisions/select.js";

/** What stands for a value of which only matters that it is there. */
const SOME = "(some)";
/** Every code that revisions have for a resource that is not there. */
const NOT_FOUND: ReadonlySet<number> = new Set(
  REVISIONS.map((revision) => revision.writeError(resourceNotFound(""))["code"] as number),
);

/** A result with only what both revisions can say, and nothing that is another each time. */
export function resultIn(revisions: readonly Revision[], result: JsonObject): JsonObject {
  const { resultType, _meta, nextCursor, ...rest } = result;
  const meta = isObject(_meta) ? withoutOwn(_meta) : {};
  const plain: JsonObject = {
    ...rest,
    ...(resultType !== undefined && resultType !== "complete" && { resultType }),
    ...(nextCursor !== undefined && { nextCursor: SOME }),
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  };
  if (new Set(revisions).size < 2) return plain;
  const { ttlMs: _ttl, cacheScope: _scope, ...common } = plain;
  return revisions.reduce(writtenIn, common);
}

/** An error with one code for what revisions spell in several ways. */
export function errorIn(revisions: readonly Revision[], method: string, error: JsonObject): JsonObject {
  const { code } = error;
  const isSpelt = new Set(revisions).size > 1 && method === "resources/read" && NOT_FOUND.has(code as number);
  return isSpelt ? { ...error, code: Math.max(...NOT_FOUND) } : error;
}

function withoutOwn(meta: JsonObject): JsonObject {
  const { [SERVER_KEY]: _server, [RELATED_TASK_KEY]: _task, ...rest } = meta;
  return rest;
}

/** A result as a revision would write it that has less to say. */
function writtenIn(result: JsonObject, revision: Revision): JsonObject {
  const { structuredContent, ...rest } = result;
  const written: JsonObject = { ...rest };
  const each = (member: string, write: (value: JsonObject) => unknown): void => {
    const list = rest[member];
    if (Array.isArray(list)) written[member] = list.map((one) => (isObject(one) ? (write(one) as Json) : one));
  };
  const block = (one: JsonObject): Json => revision.writeBlocks([one as unknown as Block])[0] as unknown as Json;
  each("tools", (one) => revision.writeTool(one as unknown as ToolDescription));
  for (const member of ["resources", "resourceTemplates"])
    each(member, (one) => revision.writeResource(one as unknown as ResourceDescription));
  each("prompts", (one) => revision.writePrompt(one as unknown as PromptDescription));
  each("contents", (one) => revision.writeContents([one])[0]);
  each("content", block);
  each("messages", (one) => (isObject(one["content"]) ? { ...one, content: block(one["content"]) } : one));
  const text =
    structuredContent === undefined ? undefined : revision.writeStructured(JSON.stringify(structuredContent));
  return text === undefined ? written : { ...written, structuredContent: JSON.parse(text) as Json };
}
