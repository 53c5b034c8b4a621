import type { Screen } from "@toolwright/kit/terminal";
import type { KnowledgeContext } from "../knowledge-context.js";
import type { Options } from "./options.js";

/** What a deed of `toolwright kb` works with. */
export interface Bench {
  readonly base: KnowledgeContext;
  readonly options: Options;
  /** The words that belong to no option. */
  readonly words: readonly string[];
  readonly now: Date;
  readonly screen: Screen;
}

/** One of the things that `toolwright kb` does. */
export type Deed = (bench: Bench) => Promise<void>;
