import type { Screen } from "@toolwright/kit/terminal";
import type { TodoContext } from "../todo-context.js";
import type { Options } from "./options.js";

/** What a deed of `toolwright task` works with. */
export interface Bench {
  readonly todo: TodoContext;
  readonly options: Options;
  /** The words that belong to no option. */
  readonly words: readonly string[];
  /** Who does it. */
  readonly actor: string;
  readonly now: Date;
  readonly screen: Screen;
}

/** One of the things that `toolwright task` does. */
export type Deed = (bench: Bench) => Promise<void>;
