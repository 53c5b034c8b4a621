import type { Base } from "../base.js";
import { allStats, type Stats } from "./stats.js";

/** Which collections are listed. */
export interface ListWish {
  /** A part of the name or the description. */
  readonly text?: string | undefined;
}

/** The collections, by name, with their numbers. */
export async function listCollections(base: Base, { text = "" }: ListWish = {}): Promise<readonly Stats[]> {
  const part = text.toLowerCase();
  const all = await allStats(base);
  return all.filter(({ collection: { name, description } }) => `${name}\n${description}`.toLowerCase().includes(part));
}
