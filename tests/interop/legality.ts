import { createJudge } from "../../packages/engine/test/judges/official-schema.js";
import { leaks } from "../../packages/engine/test/judges/revision-words.js";
import type { Spoken } from "./wire.js";

/** What is wrong with the server's half of a conversation. */
export function faultsOf(revision: string, spoken: readonly Spoken[]): string[] {
  const judge = createJudge(revision);
  return spoken.flatMap(({ from, message }) => {
    const violations = judge.saw(from, message);
    return from === "client" ? [] : [...violations, ...leaks(revision, message).map((word) => `leaks ${word}`)];
  });
}
