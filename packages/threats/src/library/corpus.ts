import { readFile } from "node:fs/promises";
import { builtFile } from "@toolwright/kit/files/built-file.js";
import type { ThreatPattern } from "../format/pattern.js";
import type { ListedPattern } from "./listed-pattern.js";

/** The built-in patterns: an index, and each pattern when it is needed. */
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

/** Caches the index of a corpus. */
export function cacheIndex(corpus: Corpus): Corpus {
  let index: ReturnType<Corpus["index"]> | undefined;
  return {
    ...corpus,
    index() {
      index ??= corpus.index().catch((error: unknown) => {
        // After a failure the next use tries again.
        index = undefined;
        throw error;
      });
      return index;
    },
  };
}

const readJson = async <Content>(name: string): Promise<Content> =>
  JSON.parse(await readFile(new URL(name, FOLDER), "utf8")) as Content;
