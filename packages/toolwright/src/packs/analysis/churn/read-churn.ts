import type { Call } from "@toolwright/engine";
import { findCommit } from "../../../git/revisions.js";
import { openRepository, type Repository } from "../../../git/run-git.js";
import { NUL, Splitter } from "../../../git/splitter.js";
import type { Analysis } from "../analysis.js";
import type { Churn, ChurnWish } from "./churn.js";
import { explained, gitEnded, isSilent } from "./faults.js";
import { type Folder, folderOf } from "./folder.js";
import { COMMIT_FORMAT, HistoryReader } from "./history.js";
import { Tally } from "./tally.js";
import { toChurn } from "./to-churn.js";
import { readIgnored, readTracked } from "./tracked-files.js";

/** What a caller lends to the reading of a history. */
type ChurnCall = Pick<Call, "signal" | "can" | "roots" | "progress">;

const DAY = 86_400;

/** After how many commits progress is told. */
const TELL_EACH = 500;

/** Reads the history of a folder in one pass over `git log`. The period ends at `moment`. */
export async function readChurn(
  analysis: Analysis,
  call: ChurnCall,
  wish: ChurnWish,
  moment: Date = new Date(),
): Promise<Churn> {
  const reach = await analysis.reach(call);
  const repository = await openRepository(reach, wish.path, call).catch((error: unknown) => {
    throw explained(error, wish.path);
  });
  const folder = await folderOf(repository, wish.path);
  const now = Math.floor(moment.getTime() / 1000);
  const since = now - wish.period_days * DAY;
  const head = await findCommit(repository, "HEAD");
  const tracked = head === undefined ? new Set<string>() : await readTracked(repository, head);
  const tally = new Tally({
    tracked,
    isInside: folder.isInside,
    now,
    sieve: {
      isOpen: wish.all_commits === true,
      excluded: (wish.exclude_authors ?? []).map((each) => each.trim().toLowerCase()).filter((each) => each !== ""),
      ignored: head === undefined ? new Set() : await readIgnored(repository, head, tracked),
      tracked: tracked.size,
    },
  });
  if (head !== undefined) await readHistory(repository, head, { wish, since, folder, tally, call });
  return toChurn(tally, { analysis, repository, folder, tracked, since, now });
}

interface Reading {
  readonly wish: ChurnWish;
  readonly since: number;
  readonly folder: Folder;
  readonly tally: Tally;
  readonly call: ChurnCall;
}

async function readHistory(repository: Repository, head: string, { wish, since, folder, tally, call }: Reading) {
  const reader = new HistoryReader((commit) => {
    tally.add(commit);
    if (tally.seen % TELL_EACH === 0) call.progress(tally.seen, `${tally.seen} commits read`);
  });
  const splitter = new Splitter(NUL, 64 * 1024, (record) => reader.read(record));
  const isFollowing = wish.follow_renames !== false;
  const below = Buffer.from(folder.prefix, "latin1").toString("utf8");
  try {
    await repository.stream(
      [
        "-c",
        "log.showRoot=true",
        "-c",
        "log.follow=false",
        "log",
        "-z",
        `--format=${COMMIT_FORMAT}`,
        "--raw",
        "--no-abbrev",
        "--numstat",
        "--no-show-signature",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "--diff-algorithm=default",
        "--ignore-submodules=all",
        wish.all_commits === true ? "--diff-merges=first-parent" : "--diff-merges=off",
        ...(isFollowing ? ["--find-renames", "-l1000"] : ["--no-renames", "--full-history"]),
        `--since=${new Date(since * 1000).toISOString().slice(0, 19)}Z`,
        head,
        "--",
        // Where a file came from is seen only in the whole of a commit.
        ...(isFollowing || below === "" ? [] : [below]),
      ],
      { deed: "read the history" },
      (piece) => splitter.add(piece),
    );
  } catch (error) {
    throw isSilent(error) ? gitEnded(tally.seen) : error;
  }
  reader.end();
}
