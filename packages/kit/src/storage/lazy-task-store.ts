import type { TaskStore } from "@toolwright/engine/tasks";

/**
 * A store that is opened when the first task needs it: most clients never have one, and opening a database takes longer than
 * all the rest of a start. One that cannot be opened is tried again with the next task.
 */
export function createLazyTaskStore(open: () => Promise<TaskStore>): TaskStore {
  const listeners = new Map<(id: string) => void, (() => void) | undefined>();
  let opened: Promise<TaskStore> | undefined;

  const store = (): Promise<TaskStore> => {
    opened ??= open().then(
      (real) => {
        for (const listener of listeners.keys()) listeners.set(listener, real.watch?.(listener));
        return real;
      },
      (error: unknown) => {
        opened = undefined;
        throw error;
      },
    );
    return opened;
  };

  return {
    create: async (record) => (await store()).create(record),
    get: async (id) => (await store()).get(id),
    update: async (id, to) => (await store()).update(id, to),
    list: async (owner, after, most) => (await store()).list(owner, after, most),
    watch(listener) {
      listeners.set(listener, undefined);
      return () => {
        listeners.get(listener)?.();
        listeners.delete(listener);
      };
    },
    // A store that could not be opened has nothing to close, and its caller got the error.
    close: async () => (await opened?.catch(() => undefined))?.close?.(),
  };
}
