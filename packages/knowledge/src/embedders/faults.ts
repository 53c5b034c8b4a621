import { ToolError } from "@toolwright/engine";

/** An embedder that cannot be had, or that did not answer as it should. */
export const unavailable = (message: string, cause?: unknown): ToolError =>
  new ToolError(message, { code: "UNAVAILABLE", ...(cause !== undefined && { cause }) });

/** An endpoint that gave no answer, or said that it has none for anybody: whoever asks next is not likely to fare better. */
export class EndpointDown extends ToolError {
  constructor(message: string) {
    super(message, { code: "UNAVAILABLE" });
  }
}

/** What an error says, for the end of a sentence. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
