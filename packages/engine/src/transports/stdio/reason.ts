let words: string | undefined;

/** Keeps why the process is about to end, as somebody has said it who knows. */
export function giveReason(reason: string): void {
  words = reason;
}

/** What was given. */
export function givenReason(): string | undefined {
  return words;
}
