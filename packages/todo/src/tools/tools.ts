import type { Tool } from "@toolwright/engine";
import type { Desk } from "../desk.js";
import { addBlockerTool } from "./add-blocker.js";
import { checkTaskTool } from "./check-task.js";
import { claimTaskTool } from "./claim-task.js";
import { createTaskTool } from "./create-task.js";
import { deleteTaskTool } from "./delete-task.js";
import { exportTasksTool } from "./export-tasks.js";
import { getBlockersTool } from "./get-blockers.js";
import { getTaskTool } from "./get-task.js";
import { importTasksTool } from "./import-tasks.js";
import { listTasksTool } from "./list-tasks.js";
import { readyTasksTool } from "./ready-tasks.js";
import { releaseTaskTool } from "./release-task.js";
import { removeBlockerTool } from "./remove-blocker.js";
import { searchTasksTool } from "./search-tasks.js";
import { taskHistoryTool } from "./task-history.js";
import { taskTreeTool } from "./task-tree.js";
import { undoLastTool } from "./undo-last.js";
import { updateTaskTool } from "./update-task.js";

/** Every tool of the pack, in the order in which they are listed; where nothing may be changed, those that only read. */
export function tools(desk: Desk, hasUndo: boolean): readonly Tool[] {
  const all: readonly Tool[] = [
    createTaskTool(desk),
    listTasksTool(desk),
    getTaskTool(desk),
    updateTaskTool(desk),
    deleteTaskTool(desk),
    addBlockerTool(desk),
    removeBlockerTool(desk),
    getBlockersTool(desk),
    readyTasksTool(desk),
    claimTaskTool(desk),
    releaseTaskTool(desk),
    searchTasksTool(desk),
    taskTreeTool(desk),
    taskHistoryTool(desk),
    undoLastTool(desk, hasUndo),
    exportTasksTool(desk),
    importTasksTool(desk),
    checkTaskTool(desk),
  ];
  return desk.settings.read_only ? all.filter(({ annotations }) => annotations?.readOnlyHint === true) : all;
}
