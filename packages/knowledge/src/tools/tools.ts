import type { PackHost, Tool } from "@toolwright/engine";
import type { BoundTools } from "../bound-tools/bound-tools.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { collectionTools } from "./collection-tools.js";
import { searchTools } from "./search-tools.js";
import { versionTools } from "./version-tools.js";

/** The names of the tools by toolset. */
export const TOOLSETS = {
  documents: [
    "kb_hybrid_search",
    "kb_get_document",
    "kb_list_collections",
    "kb_answer",
    "kb_resolve_citations",
    "kb_compose_flow",
    "kb_stats",
    "kb_create",
    "kb_ingest",
  ],
  collections: [
    "kb_delete",
    "kb_versions",
    "kb_switch_version",
    "kb_evaluate",
    "kb_export",
    "kb_import",
    "kb_manage_tool",
  ],
} as const;

const LISTED: ReadonlySet<string> = new Set(TOOLSETS.documents.slice(0, 3));

/** The tools that are not listed by default. */
export const OPTIONAL_TOOLS: readonly string[] = Object.values(TOOLSETS)
  .flat()
  .filter((name) => !LISTED.has(name));

/** All tools in the order of the list; with the setting `readOnly` only those that change nothing. */
export function tools(
  context: KnowledgeContext,
  host: Pick<PackHost, "tools">,
  boundTools: BoundTools,
): readonly Tool[] {
  const all = [...searchTools(context), ...collectionTools(context), ...versionTools(context, host, boundTools)];
  const names: readonly string[] = Object.values(TOOLSETS).flat();
  const position = ({ name }: Tool): number => (names.includes(name) ? names.indexOf(name) : names.length);
  return all
    .toSorted((one, other) => position(one) - position(other))
    .filter(({ annotations }) => !context.settings.readOnly || annotations?.readOnlyHint === true);
}
