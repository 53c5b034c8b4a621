import { setMaxListeners } from "node:events";
import { ToolError } from "@toolwright/engine";
import { type CommandContext, Failure } from "@toolwright/kit/cli";
import { currentFolder } from "@toolwright/kit/files";
import { outliveReaders, Progress } from "@toolwright/kit/terminal";
import { openAnalysis } from "../index.js";
import type { Settings } from "../settings.js";
import type { Desk } from "./deed.js";
import { findFolders } from "./folders.js";
import { forPeople } from "./words.js";

/** What a command says of how it works. */
export interface Way {
  /** The folder or file that is analysed. */
  readonly given: string;
  readonly isQuiet: boolean;
  readonly isUncached: boolean;
}

/** Opens what analyses work with for the time of one; its faults become those of the command line. */
export async function withAnalysis<Value>(
  { given, isQuiet, isUncached }: Way,
  { loadConfig }: CommandContext,
  work: (open: Pick<Desk, "analysis" | "call" | "path" | "project">) => Promise<Value>,
): Promise<Value> {
  outliveReaders();
  const current = currentFolder();
  const folders = findFolders(given, current);
  const { settings: configured, state } = await loadConfig();
  const settings: Settings = {
    hidden: [],
    deadline_ms: 10_000,
    exclude: [],
    file_bytes: 1024 * 1024,
    cache: true,
    ...(configured as Partial<Settings>),
    roots: [...folders.roots],
    client_roots: false,
    ...(isUncached && { cache: false }),
  };
  const progress = isQuiet ? undefined : new Progress(process.stderr);
  const stop = stopOnSignals(() => progress?.end());
  const call: Desk["call"] = {
    signal: stop.signal,
    supports: () => false,
    roots: async () => [],
    progress: (value, message, total) => progress?.tell(value, message, total),
  };
  try {
    const analysis = await openAnalysis(settings, state, { log: () => undefined });
    try {
      return await work({ analysis, call, path: folders.path, project: folders.name });
    } finally {
      await analysis.close();
    }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    // The pack knows what was given only as the folder in which it works.
    const said = forPeople(error.message).replaceAll('"."', JSON.stringify(given)).replace(/\.$/, "");
    throw new Failure(said, 2, error);
  } finally {
    progress?.end();
    stop.release();
  }
}

/** Ends the process at once by Ctrl-C; what was started for it is ended too, and nothing is half written. */
function stopOnSignals(before: () => void): { readonly signal: AbortSignal; release(): void } {
  const stop = new AbortController();
  // Each file that is read listens to it.
  setMaxListeners(0, stop.signal);
  const handlers = Object.entries({ SIGINT: 2, SIGTERM: 15 }).map(([name, number]) => {
    const handle = (): void => {
      before();
      stop.abort();
      process.exit(128 + number);
    };
    process.once(name, handle);
    return [name, handle] as const;
  });
  return {
    signal: stop.signal,
    release: () => {
      for (const [name, handle] of handlers) process.removeListener(name, handle);
    },
  };
}
