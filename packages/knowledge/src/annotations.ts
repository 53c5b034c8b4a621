import type { ToolAnnotations } from "@toolwright/engine";

/** The tool changes nothing. */
export const READS: ToolAnnotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

/** The tool changes something, and the same call again changes nothing more. */
export const CHANGES_ONCE: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** The tool changes something with each call. */
export const CHANGES: ToolAnnotations = { ...CHANGES_ONCE, idempotentHint: false };

/** The tool takes something away for good. */
export const REMOVES: ToolAnnotations = { ...CHANGES, destructiveHint: true };
