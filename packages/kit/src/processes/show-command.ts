/** Writes arguments as one line, quoted so that `splitCommand` reads the same arguments from it. */
export function showCommand(argv: readonly string[]): string {
  return argv.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word))).join(" ");
}

const quoted = (word: string): string => (word.includes("'") ? `"${word.replaceAll(/["\\]/g, "\\$&")}"` : `'${word}'`);
