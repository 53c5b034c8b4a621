import type { ToolAnnotations } from "@toolwright/engine";

/** The tool changes nothing. */
export const READS: ToolAnnotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
