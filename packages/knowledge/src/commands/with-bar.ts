import { Failure } from "@toolwright/kit/cli";
import type { IngestCall } from "../ingest/ingest-options.js";
import type { Bench } from "./bench.js";
import { listenForInterruption } from "./interruption.js";
import { StageBar } from "./stage-bar.js";

/** Does long work with a bar on the screen. Ctrl-C ends it cleanly; `interrupted` says how things stand then. */
export async function withBar<Result>(
  { options }: Pick<Bench, "options">,
  interrupted: string,
  work: (call: IngestCall) => Promise<Result>,
): Promise<Result> {
  const interruption = listenForInterruption();
  const bar = options["--quiet"] === undefined ? new StageBar(process.stderr) : undefined;
  let isDone = false;
  try {
    const result = await work({
      signal: interruption.signal,
      supports: () => false,
      roots: async () => [],
      progress: (_value, message = "") => bar?.tell(message),
    });
    isDone = true;
    return result;
  } catch (error) {
    if (interruption.signal.aborted) throw new Failure(interrupted, interruption.code, error);
    throw error;
  } finally {
    bar?.end(isDone);
    interruption.release();
  }
}
