import type { JsonObject } from "@toolwright/engine";
import type { Era } from "../eras.js";
import type { Reply } from "./reply.js";

/** A conversation in one revision, whatever carries it. */
export interface Talk {
  readonly era: Era;
  /** What the server said to `initialize`; of a revision whose requests stand alone, to `server/discover`. */
  readonly opening: Reply;
  ask(method: string, params?: Readonly<Record<string, unknown>>, id?: number | string): Promise<Reply>;
  notify(method: string, params?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Every message that the server has sent. */
  heard(): readonly JsonObject[];
  /** Answers with ids that nobody has asked with, for people. */
  unmatched(): readonly string[];
  close(): Promise<void>;
}
