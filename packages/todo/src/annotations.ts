import type { ToolAnnotations } from "@toolwright/engine";

/** The tool changes nothing. */
export const READS: ToolAnnotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

/** The tool changes something, and the same call again changes nothing more; undo takes it back. */
export const CHANGES_ONCE: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** The tool changes something with each call. */
export const CHANGES: ToolAnnotations = { ...CHANGES_ONCE, idempotentHint: false };

/** The tool takes something away, or puts other things in its place. */
export const REPLACES: ToolAnnotations = { ...CHANGES, destructiveHint: true };

/** The tool may run a program, which may do anything that it can. */
export const RUNS: ToolAnnotations = { ...REPLACES, openWorldHint: true };
