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
