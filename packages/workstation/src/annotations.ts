import type { ToolAnnotations } from "@toolwright/engine";

/** The tool changes nothing. */
export const READS: ToolAnnotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

/** The tool adds something, and the same call again adds nothing more. */
export const ADDS_ONCE: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** The tool adds something with each call. */
export const ADDS: ToolAnnotations = { ...ADDS_ONCE, idempotentHint: false };

/** The tool replaces or removes something. */
export const REPLACES: ToolAnnotations = { ...ADDS, destructiveHint: true };

/** The tool runs programs, which may do anything that they can. */
export const RUNS: ToolAnnotations = { ...REPLACES, openWorldHint: true };
