import type { Call } from "@toolwright/engine";
import type { FileAccess } from "@toolwright/kit/files";
import type { Library } from "./library/library.js";
import type { Renderer } from "./rendering/renderer.js";

/** What every tool of the pack is given: the templates, what fills them in, the clock, and the folders it may write to. */
export interface Workshop {
  readonly library: Library;
  readonly renderer: Renderer;
  /** Whether nothing may be written. */
  readonly isReadOnly: boolean;
  readonly now: () => Date;
  /** What a call can reach of the file system. */
  readonly reach: (call: Pick<Call, "signal" | "supports" | "roots">) => Promise<FileAccess>;
}

/** The clock that builds agree on where it is set (SOURCE_DATE_EPOCH), else that of the machine. */
export function clockOf(env: NodeJS.ProcessEnv): () => Date {
  const seconds = env["SOURCE_DATE_EPOCH"];
  return seconds !== undefined && /^\d{1,11}$/.test(seconds)
    ? () => new Date(Number(seconds) * 1000)
    : () => new Date();
}
