import type { ContentBlock } from "../../protocol/content.js";
import type { ToolOutcome } from "../../protocol/outcome.js";
import type { Revision } from "../../revisions/revision.js";
import type { ServerSettings } from "../options.js";

/** What tool results have: all that their revision has, only content and `isError`, or content that is one string. */
export const TOOL_RESULTS = ["full", "plain", "string"] as const;

/** Encodes a tool result with less than its revision has, as the server is configured. */
export function writeReducedResult(
  { toolResults }: ServerSettings,
  revision: Revision,
  toolOutcome: ToolOutcome,
  serverInfoMeta: string,
): string {
  if (toolResults === "string" && revision.handshake) return writeString(toolOutcome);
  const result: ToolOutcome = { ...toolOutcome, structured: undefined, meta: undefined };
  return revision.writeResult({ kind: "tool", result }, serverInfoMeta);
}

/** Only an error says whether it is one. */
function writeString({ content, isError }: ToolOutcome): string {
  const text = typeof content === "string" ? content : content.map(toText).join("\n");
  return JSON.stringify({ content: text, ...(isError && { isError }) });
}

const toText = (block: ContentBlock): string =>
  typeof block["text"] === "string" ? block["text"] : JSON.stringify(block);
