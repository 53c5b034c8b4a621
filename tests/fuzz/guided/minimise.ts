import type { Target } from "../targets/target.js";

/** What an input breaks; undefined = nothing. */
export async function breaks(target: Target, input: string): Promise<string | undefined> {
  try {
    await target(input);
    return undefined;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

/** Where the words begin that differ from input to input. */
const kindOf = (words: string): string => words.slice(0, 20);

/** Takes away of an input what it does not need to break the same thing. */
export async function minimise(target: Target, input: string, broke: string): Promise<string> {
  let least = input;
  for (let size = Math.ceil(input.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < least.length; ) {
      const shorter = least.slice(0, at) + least.slice(at + size);
      const found = await breaks(target, shorter);
      if (found !== undefined && kindOf(found) === kindOf(broke)) least = shorter;
      else at += size;
    }
  }
  return least;
}
