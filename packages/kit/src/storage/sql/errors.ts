import { ToolError } from "@toolwright/engine";

/** What went wrong with the database, in plain words; what the work itself has thrown stays as it is. */
export function toDatabaseError(deed: string, what: string, place: string, error: unknown): unknown {
  if (error instanceof ToolError || !(error instanceof Error)) return error;
  const reason = error.message.replace(`Cannot use the file ${place}: `, "");
  return new ToolError(`Cannot ${deed} ${what} in ${place}: ${reason}`, { code: "UNAVAILABLE", cause: error });
}
