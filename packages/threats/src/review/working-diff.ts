import { type Call, ToolError } from "@toolwright/engine";
import { AccessPolicy, type FileAccess, startFolders } from "@toolwright/kit/files";
import { openRepository, type Repository } from "@toolwright/kit/git";

/** What has changed, and what can be read of the files that it is about. */
export interface WorkingDiff {
  readonly diff: string;
  readonly reach: FileAccess;
}

const MAX_BYTES = 20 * 1024 * 1024;
/** The tree without files, which every repository has. */
const NOTHING: Readonly<Record<string, string>> = {
  sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
};
/** Nothing that a repository or a user has configured changes what comes, and no program is asked to compare files. */
const FORM: readonly string[] = [
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--no-relative",
  "--find-renames",
  "--src-prefix=a/",
  "--dst-prefix=b/",
  "--unified=3",
];

/** The difference between the working tree and the last commit, or where it left another branch. Throws a `ToolError`. */
export async function readWorkingDiff(
  around: FileAccess,
  call: Pick<Call, "signal" | "supports" | "roots">,
  base: string | undefined,
): Promise<WorkingDiff> {
  const repository = await openRepository(around, ".", call);
  const against = base === undefined ? [await headOf(repository)] : ["--merge-base", "--end-of-options", base];
  const fragments: Buffer[] = [];
  let bytes = 0;
  await repository.stream(["diff", ...FORM, ...against, "--"], { deed: "compare" }, (fragment) => {
    bytes += fragment.length;
    if (bytes > MAX_BYTES)
      throw new ToolError(`The difference has more than ${MAX_BYTES / 1024 / 1024} MiB. Review fewer files at once.`, {
        code: "TOO_LARGE",
      });
    fragments.push(fragment);
    return true;
  });
  const roots = { roots: [repository.top], client_roots: false, hidden: [], deadline_ms: 10_000 };
  const grant = await AccessPolicy.open(roots, await startFolders());
  return { diff: Buffer.concat(fragments).toString("utf8"), reach: await grant.accessFor(call) };
}

/** Before the first commit everything is new. */
async function headOf(repository: Repository): Promise<string> {
  const { exitCode } = await repository.run(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], {
    deed: "find the last commit",
    exits: [0, 1, 128],
  });
  return exitCode === 0 ? "HEAD" : (NOTHING[repository.objectFormat] ?? "HEAD");
}
