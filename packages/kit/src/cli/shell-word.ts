const PLAIN = /^[\w@%+:,./~=-]+$/;

/** A word as it is typed into a shell, in quotes where it needs them. */
export function shellWord(word: string, platform: NodeJS.Platform = process.platform): string {
  if (PLAIN.test(word)) return word;
  if (platform === "win32") return `"${word.replaceAll('"', '\\"')}"`;
  return `'${word.replaceAll("'", "'\\''")}'`;
}
