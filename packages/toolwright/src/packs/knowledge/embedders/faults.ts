import { ToolError } from "@toolwright/engine";

/** An embedder that cannot be had, or that did not answer as it should. */
export const unavailable = (message: string, cause?: unknown): ToolError =>
  new ToolError(message, { code: "UNAVAILABLE", ...(cause !== undefined && { cause }) });

/** What an error says, for the end of a sentence. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
