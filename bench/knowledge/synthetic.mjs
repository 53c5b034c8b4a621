/** Numbers that look random and are the same each time. */
export function randomFrom(/** @type {number} */ seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const syllables = "ba ce di fo gu ha ke li mo nu pa re si to vu wa xe yi zo bra cle dri flo gru pla ster tion".split(
  " ",
);

/** Words by how common they are: the n-th is about as often in a text as 1/n (Zipf), as in any language. */
export function vocabularyOf(/** @type {number} */ size, /** @type {() => number} */ random) {
  const words = new Set();
  while (words.size < size) {
    let word = "";
    const length = 2 + Math.floor(random() * 3);
    for (let part = 0; part < length; part++) word += syllables[Math.floor(random() * syllables.length)];
    words.add(word);
  }
  return [...words];
}

/** Draws words as texts have them; the most common ones are left out, as stop words are. */
export function zipf(/** @type {string[]} */ words, /** @type {() => number} */ random) {
  const sums = [];
  let sum = 0;
  for (let rank = 0; rank < words.length; rank++) sums.push((sum += 1 / (rank + 30)));
  return () => {
    const wanted = random() * sum;
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle] < wanted) low = middle + 1;
      else high = middle;
    }
    return words[low];
  };
}

/** A page of Markdown with headings and paragraphs. */
export function pageOf(/** @type {number} */ words, /** @type {() => string} */ next) {
  const lines = [`# ${next()} ${next()}`, ""];
  for (let written = 0; written < words; ) {
    if (written % 400 < 80) lines.push(`## ${next()} ${next()} ${next()}`, "");
    const paragraph = Array.from({ length: 80 }, next);
    lines.push(`${paragraph.join(" ")}.`, "");
    written += paragraph.length;
  }
  return lines.join("\n");
}
