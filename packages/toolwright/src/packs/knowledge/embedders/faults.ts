import { ToolError } from "@toolwright/engine";

/** An embedder that cannot be had, or that did not answer as it should. */
export const unavailable = (message: string, cause?: unknown): ToolError =>
  new ToolError(message, { code: "UNAVAILABLE", ...(cause !== undefined && { cause }) });

/** An endpoint that gives no answer to anybody, whatever it is asked. */
export class EndpointDown extends ToolError {
  constructor(message: string) {
    super(message, { code: "UNAVAILABLE" });
  }
}

/** What an error says, for the end of a sentence. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
