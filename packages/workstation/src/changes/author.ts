import type { FileAccess } from "@toolwright/kit/files";

/** Who changes something, with what, and how far they reach. */
export interface Author {
  /** Empty where callers are not told apart. */
  readonly principal: string;
  readonly tool: string;
  readonly reach: FileAccess;
}
