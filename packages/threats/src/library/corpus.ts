import { readFile } from "node:fs/promises";
import { builtFile } from "@toolwright/kit/files/built-file.js";
import type { ThreatPattern } from "../format/pattern.js";
import type { ListedPattern } from "./listed-pattern.js";

/** The patterns that come with the program: what is known of all at once, and each one whole when it is wanted. */
export interface Corpus {
  index(): Promise<readonly ListedPattern[]>;
  pattern(id: string): Promise<ThreatPattern>;
}

/** The build compiles the patterns. */
const FOLDER = builtFile("threats/");

/** Reads the patterns that the build has compiled. */
export const builtInCorpus: Corpus = {
  index: async () => readJson<readonly ListedPattern[]>("index.json"),
  pattern: async (id) => readJson<ThreatPattern>(`${id}.json`),
};

/** A corpus whose index is read once. */
export function cacheIndex(corpus: Corpus): Corpus {
  let index: ReturnType<Corpus["index"]> | undefined;
  return {
    ...corpus,
    index() {
      index ??= corpus.index().catch((error: unknown) => {
        // What failed is tried again by the next one who asks.
        index = undefined;
        throw error;
      });
      return index;
    },
  };
}

const readJson = async <Content>(name: string): Promise<Content> =>
  JSON.parse(await readFile(new URL(name, FOLDER), "utf8")) as Content;
