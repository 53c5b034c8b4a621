import type { Tool } from "@toolwright/engine";
import type { Workstation } from "../workstation.js";
import { changesSince } from "./changes-since.js";
import { checkpoint } from "./checkpoint.js";
import { fsCreateDirectory } from "./fs-create-directory.js";
import { fsDeleteFile } from "./fs-delete-file.js";
import { fsEditFile } from "./fs-edit-file.js";
import { fsMove } from "./fs-move.js";
import { fsWriteFile } from "./fs-write-file.js";
import { redo } from "./redo.js";
import { undoLast } from "./undo-last.js";
import { workspaceBegin } from "./workspace-begin.js";
import { workspaceCommit } from "./workspace-commit.js";
import { workspaceRollback } from "./workspace-rollback.js";

/** The tools that change files, and take changes back. */
export const changeTools = (workstation: Workstation): readonly Tool[] => [
  fsWriteFile(workstation),
  fsEditFile(workstation),
  fsMove(workstation),
  fsDeleteFile(workstation),
  fsCreateDirectory(workstation),
  undoLast(workstation),
  redo(workstation),
  changesSince(workstation),
  checkpoint(workstation),
  workspaceBegin(workstation),
  workspaceCommit(workstation),
  workspaceRollback(workstation),
];
