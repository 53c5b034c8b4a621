import type { ToolAnnotations } from "@toolwright/engine";

/** The tool changes nothing. */
export const READS: ToolAnnotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

/** The tool replaces files where it is told to. */
export const REPLACES: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};
