import type { FileAccess, FileContents } from "@toolwright/kit/files";
import type { Source } from "./find-sources.js";
import type { Workers } from "./workers.js";

/** A file that is to be read, and what it held if a thread could read it. */
export interface ReadAhead {
  readonly source: Source;
  readonly plain: FileContents | undefined;
  /** When its reading began. */
  readonly readAt: number;
}

/** How many files a thread is asked for at once. */
const AT_ONCE = 32;

/** Has the threads read files, some ahead of those that are taken. */
export async function* readAhead(
  { reach, workers, most, signal }: { reach: FileAccess; workers: Workers; most: number; signal: AbortSignal },
  sources: readonly Source[],
): AsyncGenerator<ReadAhead, void> {
  let next = read(0);
  for (let at = 0; at < sources.length; at += AT_ONCE) {
    const some = await next;
    next = read(at + AT_ONCE);
    yield* some;
  }

  function read(from: number): Promise<readonly ReadAhead[]> {
    const reading = readSome(sources.slice(from, from + AT_ONCE));
    // Who takes no more of them is not told of it.
    reading.catch(() => undefined);
    return reading;
  }

  async function readSome(some: readonly Source[]): Promise<readonly ReadAhead[]> {
    const readAt = Date.now();
    const places = some.map(({ place }) => place).filter((place) => reach.mayShow(place));
    const files = places.length === 0 ? [] : await workers.read({ places, most }, signal);
    const byPlace = new Map(places.map((place, at) => [place, files[at]]));
    return some.map((source) => ({ source, plain: byPlace.get(source.place), readAt }));
  }
}
