/** How many bytes of JSON a list may have in one result. */
export const MAX_RESULT_BYTES = 36_000;

/** The first entries of a list that fit into a result; never none, so that the next page gets further. */
export function fitToBudget<Entry>(entries: readonly Entry[], room: number = MAX_RESULT_BYTES): Entry[] {
  let left = room;
  const end = entries.findIndex((entry) => {
    left -= sizeInJson(entry) + 1;
    return left < 0;
  });
  return entries.slice(0, end === -1 ? undefined : Math.max(1, end));
}

/** How many bytes a value takes in a result. */
export const sizeInJson = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
