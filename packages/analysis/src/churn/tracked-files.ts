import { NUL, type Repository, Splitter } from "@toolwright/kit/git";
import { MOST_NAMES, tooManyNames } from "./names-limit.js";

/** How git writes that an entry is a submodule. */
const SUBMODULE = "160000 ";

/** The names of all files of a commit, as bytes in latin1. Submodules are repositories of their own, and left out. */
export async function readTracked(repository: Repository, commit: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  const splitter = new Splitter(NUL, 64 * 1024, (record) => {
    if (record.toString("latin1", 0, SUBMODULE.length) !== SUBMODULE)
      names.add(record.toString("latin1", record.indexOf("\t") + 1));
    if (names.size > MOST_NAMES) throw tooManyNames();
  });
  await repository.stream(
    ["ls-tree", "-r", "-z", "--full-tree", commit],
    { deed: "list the files of the repository" },
    (piece) => splitter.add(piece),
  );
  return names;
}

/** The list by which `git blame` passes over commits that only format. */
const IGNORE_FILE = ".git-blame-ignore-revs";
const MOST_BYTES = 1024 * 1024;

/** The hashes that the repository itself says to pass over. */
export async function readIgnored(
  repository: Repository,
  commit: string,
  tracked: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  if (!tracked.has(IGNORE_FILE)) return new Set();
  const pieces: Buffer[] = [];
  let bytes = 0;
  await repository.stream(
    ["cat-file", "blob", `${commit}:${IGNORE_FILE}`],
    { deed: `read ${IGNORE_FILE}` },
    (piece) => {
      pieces.push(piece);
      bytes += piece.length;
      return bytes < MOST_BYTES;
    },
  );
  const lines = Buffer.concat(pieces).toString("latin1").split("\n");
  return new Set(lines.map((line) => line.replace(/#.*/, "").trim().toLowerCase()));
}
