import type { ToolAnnotations } from "@toolwright/engine";

/** Every tool of the pack only looks. */
export const READS: ToolAnnotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
