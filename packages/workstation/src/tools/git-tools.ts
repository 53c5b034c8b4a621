import type { Tool } from "@toolwright/engine";
import type { Workstation } from "../workstation.js";
import { gitAdd } from "./git-add.js";
import { gitBlame } from "./git-blame.js";
import { gitBranchCreate } from "./git-branch-create.js";
import { gitCommit } from "./git-commit.js";
import { gitCurrentBranch } from "./git-current-branch.js";
import { gitDiff } from "./git-diff.js";
import { gitListBranches } from "./git-list-branches.js";
import { gitLog } from "./git-log.js";
import { gitShow } from "./git-show.js";
import { gitStatus } from "./git-status.js";

/** The tools that ask git and commit. */
export const gitTools = (workstation: Workstation): readonly Tool[] => [
  gitStatus(workstation),
  gitLog(workstation),
  gitDiff(workstation),
  gitShow(workstation),
  gitBlame(workstation),
  gitListBranches(workstation),
  gitCurrentBranch(workstation),
  gitBranchCreate(workstation),
  gitAdd(workstation),
  gitCommit(workstation),
];
