// A process of its own that uses a task store: node <this, bundled> <command> <file> <name>. It prints "ready" or an error.

import { completedTask, workingTask } from "../../../engine/test/tasks/records.js";
import { openTaskStore } from "../../src/storage/task-store.js";

const [, , command, file = "", name = ""] = process.argv;
const TASKS_OF_ONE = 40;

async function run(): Promise<void> {
  const store = await openTaskStore(file, { now: () => Date.now() });
  const began = { createdAt: Date.now(), updatedAt: Date.now() };
  if (command === "hold") await store.create(workingTask(name, began));
  if (command === "finish") {
    await store.create(workingTask(name, began));
    await store.update(name, (task) => completedTask(task));
  }
  if (command === "work") {
    for (let count = 0; count < TASKS_OF_ONE; count += 1) {
      const id = `${name}-${count}`;
      await store.create(workingTask(id, { ...began, principal: name }));
      await store.update(id, (task) => completedTask(task, id));
      await store.update("shared", (task) => ({ ...task, pollMs: task.pollMs + 1 }));
    }
  }
  process.stdout.write("ready\n");
  // It runs until it is killed, like a server.
  if (command === "hold" || command === "finish") setInterval(() => {}, 1000);
  else await store.close?.();
}

run().catch((error: { code?: string; message: string }) => {
  process.stdout.write(`${error.code}: ${error.message}\n`);
  process.exit(1);
});
