import { createJudge } from "../../packages/engine/test/judges/official-schema.js";
import { leaks } from "../../packages/engine/test/judges/revision-words.js";
import type { ExchangedMessage } from "./recorded-transport.js";

/** The violations in the server's half of a conversation. */
export function violationsOf(revision: string, messages: readonly ExchangedMessage[]): string[] {
  const judge = createJudge(revision);
  return messages.flatMap(({ from, message }) => {
    const violations = judge.saw(from, message);
    return from === "client" ? [] : [...violations, ...leaks(revision, message).map((word) => `leaks ${word}`)];
  });
}
