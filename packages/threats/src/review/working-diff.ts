import { type Call, ToolError } from "@toolwright/engine";
import type { FileAccess } from "@toolwright/kit/files";
import { openRepository, type Repository } from "@toolwright/kit/git";

const MAX_BYTES = 20 * 1024 * 1024;

/** The empty tree, which every repository has. */
const EMPTY_TREE: Readonly<Record<string, string>> = {
  sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
};

/** Makes the output independent of configuration, and runs no external program. */
const DIFF_OPTIONS: readonly string[] = [
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--no-relative",
  "--find-renames",
  "--src-prefix=a/",
  "--dst-prefix=b/",
  "--unified=3",
];

/** Reads the diff between the working tree and the last commit, or the merge base with `base`. Throws a `ToolError`. */
export async function readWorkingDiff(
  access: FileAccess,
  call: Pick<Call, "signal" | "supports" | "roots">,
  base: string | undefined,
): Promise<{ readonly diff: string; readonly diffFolder: string }> {
  const repository = await openRepository(access, ".", call);
  const against = base === undefined ? [await lastCommit(repository)] : ["--merge-base", "--end-of-options", base];
  const chunks: Buffer[] = [];
  let bytes = 0;
  await repository.stream(["diff", ...DIFF_OPTIONS, ...against, "--"], { operation: "compare" }, (chunk) => {
    bytes += chunk.length;
    if (bytes > MAX_BYTES)
      throw new ToolError(`The diff is larger than ${MAX_BYTES / 1024 / 1024} MiB. Review fewer files at once.`, {
        code: "TOO_LARGE",
      });
    chunks.push(chunk);
    return true;
  });
  return { diff: Buffer.concat(chunks).toString("utf8"), diffFolder: repository.top };
}

/** Before the first commit, all files are new. */
async function lastCommit(repository: Repository): Promise<string> {
  const { exitCode } = await repository.run(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], {
    operation: "find the last commit",
    exits: [0, 1, 128],
  });
  return exitCode === 0 ? "HEAD" : (EMPTY_TREE[repository.objectFormat] ?? "HEAD");
}
