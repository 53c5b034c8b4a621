/** Writes out `-h` among the words before `--`; what follows is the command line of another program. */
export function helpInFull(words: readonly string[]): readonly string[] {
  const end = words.indexOf("--");
  return words.map((word, at) => (word === "-h" && (end === -1 || at < end) ? "--help" : word));
}

/** Whether nothing is wanted but the help on the command itself. */
export function wantsOnlyHelp(words: readonly string[]): boolean {
  const end = words.indexOf("--");
  const own = helpInFull(end === -1 ? words : words.slice(0, end));
  return own.length > 0 && own.every((word) => word === "--help");
}
