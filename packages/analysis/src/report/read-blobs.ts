import type { Repository } from "@toolwright/kit/git";

/** A file of the past. */
export interface Blob {
  readonly hash: string;
  readonly text: string;
}

/** How much is read in all: what comes after it is left out. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Reads, for each list of names such as `commit:path`, the first that was there; undefined where none was, or it is too large. */
export async function readBlobs(
  repository: Repository,
  wanted: readonly (readonly string[])[],
  mostBytes: number,
): Promise<(Blob | undefined)[]> {
  const names = wanted.flat();
  if (names.length === 0) return wanted.map(() => undefined);
  const found = await findHashes(repository, names, mostBytes);
  const hashes = wanted.map((each) => each.map((name) => found.get(name)).find((one) => one !== undefined));
  const texts = await readTexts(repository, [...new Set(hashes.filter((hash) => hash !== undefined))]);
  return hashes.map((hash) => {
    const text = hash === undefined ? undefined : texts.get(hash);
    return hash === undefined || text === undefined ? undefined : { hash, text };
  });
}

async function findHashes(
  repository: Repository,
  names: readonly string[],
  mostBytes: number,
): Promise<ReadonlyMap<string, string>> {
  const { output } = await repository.run(["cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)"], {
    deed: "find files of the past",
    input: `${names.join("\n")}\n`,
  });
  const hashes = new Map<string, string>();
  for (const [index, line] of output.toString("utf8").split("\n").entries()) {
    const [, hash, size] = /^([0-9a-f]{40,64}) blob (\d+)$/.exec(line) ?? [];
    const name = names[index];
    if (hash !== undefined && name !== undefined && Number(size) <= mostBytes) hashes.set(name, hash);
  }
  return hashes;
}

async function readTexts(repository: Repository, hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  if (hashes.length === 0) return texts;
  let held: Buffer = Buffer.alloc(0);
  let total = 0;
  await repository.stream(
    ["cat-file", "--batch"],
    { deed: "read files of the past", input: `${hashes.join("\n")}\n` },
    (piece) => {
      total += piece.length;
      held = takeObjects(Buffer.concat([held, piece]), texts);
      return total < MOST_BYTES;
    },
  );
  return texts;
}

/** Takes the objects that are there as a whole: a line with hash, kind and size, the bytes, and a line break. Gives what is left. */
function takeObjects(bytes: Buffer, texts: Map<string, string>): Buffer {
  let left = bytes;
  for (;;) {
    const end = left.indexOf(10);
    if (end === -1) return left;
    const [hash = "", , length] = left.toString("latin1", 0, end).split(" ");
    // One that has gone meanwhile has a line and nothing else.
    const next = length === undefined ? end + 1 : end + 1 + Number(length) + 1;
    if (left.length < next) return left;
    if (length !== undefined) texts.set(hash, left.toString("utf8", end + 1, next - 1));
    left = left.subarray(next);
  }
}
