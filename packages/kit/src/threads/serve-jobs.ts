import { parentPort } from "node:worker_threads";
import { type JsonObject, ToolError } from "@toolwright/engine";

/** The answer to a job: its result, or the error as plain values. */
export type JobAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly message: string; readonly code?: string | undefined; readonly details?: JsonObject } };

/** Answers the jobs of a `JobThread`; called once by the script of a worker. */
export function serveJobs(run: (job: never) => unknown): void {
  parentPort?.on("message", (job: unknown) => {
    void answer(job as never).then((message) => parentPort?.postMessage(message, []));
  });

  async function answer(job: never): Promise<JobAnswer> {
    try {
      return { result: await run(job) };
    } catch (error) {
      const { message } = error as Error;
      return {
        error: error instanceof ToolError ? { message, code: error.code, details: error.details } : { message },
      };
    }
  }
}
