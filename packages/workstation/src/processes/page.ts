/** Bytes of the entries in one result; what is more is paged. */
const MOST_BYTES = 24_000;

/** As many entries from `offset` on as fit into one result. */
export function pageOf<Item extends object>(all: readonly Item[], offset: number, limit: number): readonly Item[] {
  const page: Item[] = [];
  let room = MOST_BYTES;
  for (const each of all.slice(offset, offset + limit)) {
    room -= Buffer.byteLength(JSON.stringify(each));
    if (room < 0 && page.length > 0) break;
    page.push(each);
  }
  return page;
}
