import type { Tool } from "@toolwright/engine";
import type { TodoContext } from "../todo-context.js";
import { addBlockerTool, createTaskTool, deleteTaskTool, removeBlockerTool, updateTaskTool } from "./edit-tools.js";
import { exportTasksTool, importTasksTool } from "./exchange-tools.js";
import {
  getBlockersTool,
  getTaskTool,
  listTasksTool,
  readyTasksTool,
  searchTasksTool,
  taskHistoryTool,
  taskTreeTool,
} from "./read-tools.js";
import { checkTaskTool, claimTaskTool, releaseTaskTool, undoLastTool } from "./work-tools.js";

/** Every tool of the pack, in the order in which they are listed; where nothing may be changed, those that only read. */
export function tools(todo: TodoContext, hasUndo: boolean): readonly Tool[] {
  const all: readonly Tool[] = [
    createTaskTool(todo),
    listTasksTool(todo),
    getTaskTool(todo),
    updateTaskTool(todo),
    deleteTaskTool(todo),
    addBlockerTool(todo),
    removeBlockerTool(todo),
    getBlockersTool(todo),
    readyTasksTool(todo),
    claimTaskTool(todo),
    releaseTaskTool(todo),
    searchTasksTool(todo),
    taskTreeTool(todo),
    taskHistoryTool(todo),
    undoLastTool(todo, hasUndo),
    exportTasksTool(todo),
    importTasksTool(todo),
    checkTaskTool(todo),
  ];
  return todo.settings.read_only ? all.filter(({ annotations }) => annotations?.readOnlyHint === true) : all;
}
