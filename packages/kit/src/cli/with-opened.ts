import { ToolError } from "@toolwright/engine";
import { outliveReaders } from "../terminal/output.js";
import { Failure } from "./errors.js";

/** Does a deed with what was opened for it, and closes that; faults become those of the command line. */
export async function withOpened(
  opened: { close(): Promise<void> },
  deed: () => Promise<void>,
  forPeople: (message: string) => string,
): Promise<void> {
  outliveReaders();
  try {
    await deed();
  } catch (error) {
    throw error instanceof ToolError ? new Failure(forPeople(error.message), 1, error) : error;
  } finally {
    await opened.close();
  }
}
