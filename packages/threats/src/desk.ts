import type { Call } from "@toolwright/engine";
import type { FileAccess } from "@toolwright/kit/files";
import type { Library } from "./library/library.js";

/** What every tool of the pack is given: the patterns, how long an answer may be, and the folders it may read. */
export interface Desk {
  readonly library: Library;
  readonly tokenBudget: number;
  /** What a call can reach of the file system. */
  readonly reach: (call: Pick<Call, "signal" | "supports" | "roots">) => Promise<FileAccess>;
}
