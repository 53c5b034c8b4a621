import type { Tool } from "@toolwright/engine";
import type { TodoContext } from "../todo-context.js";
import { addBlockerTool, createTaskTool, deleteTaskTool, removeBlockerTool, updateTaskTool } from "./edit-tools.js";
import {
  getBlockersTool,
  getTaskTool,
  listTasksTool,
  readyTasksTool,
  searchTasksTool,
  taskHistoryTool,
  taskTreeTool,
} from "./read-tools.js";
import {
  checkTaskTool,
  claimTaskTool,
  exportTasksTool,
  importTasksTool,
  releaseTaskTool,
  undoLastTool,
} from "./work-tools.js";

/** Creates the tools of the pack, in the order in which they are listed. Those that others replace come last. */
export const tools = (
  todo: TodoContext,
  { ownsUndo }: { /** Whether `undo_last` is another name of `undo_last_task`. */ readonly ownsUndo: boolean },
): readonly Tool[] => [
  createTaskTool(todo),
  listTasksTool(todo),
  getTaskTool(todo),
  updateTaskTool(todo),
  deleteTaskTool(todo),
  addBlockerTool(todo),
  removeBlockerTool(todo),
  claimTaskTool(todo),
  taskTreeTool(todo),
  taskHistoryTool(todo),
  undoLastTool(todo, ownsUndo),
  checkTaskTool(todo),
  exportTasksTool(todo),
  importTasksTool(todo),
  getBlockersTool(todo),
  readyTasksTool(todo),
  searchTasksTool(todo),
  releaseTaskTool(todo),
];
