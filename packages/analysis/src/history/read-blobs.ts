import type { Repository } from "@toolwright/kit/git";

/** Reads the contents of blobs by their hashes; undefined for one that is missing or too large. */
export async function readBlobs(
  repository: Repository,
  hashes: readonly string[],
  maxBytes: number,
): Promise<readonly (Buffer | undefined)[]> {
  if (hashes.length === 0) return [];
  const contents: (Buffer | undefined)[] = [];
  let pieces: Buffer[] = [];
  let held = 0;
  // The content that is being read: how many bytes have passed, and whether they are kept.
  let open: { readonly size: number; readonly isKept: boolean; passed: number } | undefined;
  const input = `${hashes.join("\n")}\n`;
  await repository.stream(
    ["cat-file", "--batch", "--buffer"],
    { operation: "read earlier versions", input },
    (piece) => {
      let rest = piece;
      while (rest.length > 0) {
        if (open === undefined) {
          const end = rest.indexOf(10);
          if (end === -1) {
            pieces.push(rest);
            break;
          }
          const head = Buffer.concat([...pieces, rest.subarray(0, end)]).toString("latin1");
          pieces = [];
          rest = rest.subarray(end + 1);
          const [, size] = / blob (\d+)$/.exec(head) ?? [];
          if (size === undefined) contents.push(undefined);
          else open = { size: Number(size), isKept: Number(size) <= maxBytes, passed: 0 };
        } else {
          // A line break follows each content.
          const part = rest.subarray(0, open.size + 1 - open.passed);
          rest = rest.subarray(part.length);
          open.passed += part.length;
          if (open.isKept) {
            pieces.push(part);
            held += part.length;
          }
          if (open.passed <= open.size) continue;
          contents.push(open.isKept ? Buffer.concat(pieces, held).subarray(0, open.size) : undefined);
          pieces = [];
          held = 0;
          open = undefined;
        }
      }
      return true;
    },
  );
  return contents;
}

/** Finds the hashes of blobs by names such as `commit:path`; those that are missing or too large are left out. */
export async function findBlobs(
  repository: Repository,
  names: readonly string[],
  maxBytes: number,
): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>();
  if (names.length === 0) return hashes;
  const { output } = await repository.run(["cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)"], {
    operation: "find earlier versions",
    input: `${names.join("\n")}\n`,
  });
  for (const [index, line] of output.toString("utf8").split("\n").entries()) {
    const [, hash, size] = /^([0-9a-f]{40,64}) blob (\d+)$/.exec(line) ?? [];
    const name = names[index];
    if (hash !== undefined && name !== undefined && Number(size) <= maxBytes) hashes.set(name, hash);
  }
  return hashes;
}
