// Where tasks are kept: the store in memory, and what the author of another store needs.

export {
  type EvictableTask,
  evictTasks,
  interruptedTask,
  isFinalTask,
  MemoryTaskStore,
  type TaskLimits,
  type TaskOptions,
  type TaskOwner,
  type TaskPosition,
  type TaskRecord,
  type TaskStore,
  type TaskUpdate,
  taskExpiry,
  taskOwnerKey,
} from "./server/features/tasks/task-store.js";
