import type { ContentBlock } from "../../protocol/content.js";
import type { ToolOutcome } from "../../protocol/outcome.js";
import type { RequestContext } from "../request-context.js";

/** What tool results have, as the option `toolResults` says it. */
export const TOOL_RESULTS = ["full", "plain", "content", "string"] as const;

/** Encodes a tool result with less than its revision has, as the server is configured. */
export function writeReducedResult({ state, revision, isDirect }: RequestContext, toolOutcome: ToolOutcome): string {
  const { toolResults } = state.settings;
  const { content, isError, structured } = toolOutcome;
  if (isDirect && !isError && structured !== undefined) return structured;
  const error = isError ? { isError } : {};
  if (toolResults === "string" && revision.handshake)
    return JSON.stringify({
      content: typeof content === "string" ? content : content.map(toText).join("\n"),
      ...error,
    });
  if (toolResults === "content" && revision.handshake) {
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : revision.writeBlocks(content);
    return JSON.stringify({ content: blocks, ...error });
  }
  const isReduced = toolResults !== "full";
  const result: ToolOutcome = isReduced ? { ...toolOutcome, structured: undefined, meta: undefined } : toolOutcome;
  return revision.writeResult({ kind: "tool", result }, state.serverInfoMeta);
}

const toText = (block: ContentBlock): string =>
  typeof block["text"] === "string" ? block["text"] : JSON.stringify(block);
