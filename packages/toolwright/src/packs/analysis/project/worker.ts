import { parentPort } from "node:worker_threads";
import type { Language } from "../../../syntax/languages.js";
import type { Fact } from "../facts/facts.js";
import { readFacts } from "../facts/read-facts.js";

/** What a thread is asked: to tell facts of a text. */
export interface Job {
  readonly id: number;
  readonly language: Language;
  readonly text: string;
  readonly wanted: readonly Fact[];
}

parentPort?.on("message", async ({ id, language, text, wanted }: Job) => {
  try {
    parentPort?.postMessage({ id, facts: await readFacts(language, text, wanted) });
  } catch (error) {
    parentPort?.postMessage({ id, fault: error instanceof Error ? error.message : String(error) });
  }
});
