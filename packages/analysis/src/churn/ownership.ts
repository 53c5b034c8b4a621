/** How few authors hold more than half of the changed lines; where no line has changed, of the commits. */
export function busFactor(authors: readonly { readonly commits: number; readonly lines: number }[]): number {
  const lines = authors.map((author) => author.lines).sort((one, other) => other - one);
  const shares = lines[0] === 0 ? authors.map(({ commits }) => commits).sort((one, other) => other - one) : lines;
  const half = shares.reduce((sum, share) => sum + share, 0) / 2;
  let held = 0;
  let count = 0;
  while (held <= half && count < shares.length) {
    held += shares[count] ?? 0;
    count += 1;
  }
  return count;
}
