import type { Target } from "../targets/target.js";

/** The property that an input violates; undefined if none. */
export async function breaks(target: Target, input: string): Promise<string | undefined> {
  try {
    await target(input);
    return undefined;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

/** The part of the message before the text that differs by input. */
const kindOf = (message: string): string => message.slice(0, 20);

/** Removes from an input what is not needed to violate the same property. */
export async function minimise(target: Target, input: string, violation: string): Promise<string> {
  let smallest = input;
  for (let size = Math.ceil(input.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < smallest.length; ) {
      const shorter = smallest.slice(0, at) + smallest.slice(at + size);
      const found = await breaks(target, shorter);
      if (found !== undefined && kindOf(found) === kindOf(violation)) smallest = shorter;
      else at += size;
    }
  }
  return smallest;
}
