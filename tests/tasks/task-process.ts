// A process of its own that uses a task store: node <this, bundled> <deed> <file> <name>. It says "ready" and what it saw.
import { openTaskStore } from "../../packages/toolwright/src/storage/task-store.js";
import { begun, ended } from "./records.js";

const [, , deed, file = "", name = ""] = process.argv;
const TASKS_OF_ONE = 40;

async function run(): Promise<void> {
  const store = await openTaskStore(file, { now: () => Date.now() });
  const began = { createdAt: Date.now(), updatedAt: Date.now() };
  if (deed === "hold") await store.create(begun(name, began));
  if (deed === "finish") {
    await store.create(begun(name, began));
    await store.change(name, (task) => ended(task));
  }
  if (deed === "toil") {
    for (let count = 0; count < TASKS_OF_ONE; count += 1) {
      const id = `${name}-${count}`;
      await store.create(begun(id, { ...began, principal: name }));
      await store.change(id, (task) => ended(task, id));
      await store.change("shared", (task) => ({ ...task, pollMs: task.pollMs + 1 }));
    }
  }
  process.stdout.write("ready\n");
  // It lives on until it is killed, as a server does.
  if (deed === "hold" || deed === "finish") setInterval(() => {}, 1000);
  else await store.close?.();
}

run().catch((error: { code?: string; message: string }) => {
  process.stdout.write(`${error.code}: ${error.message}\n`);
  process.exit(1);
});
