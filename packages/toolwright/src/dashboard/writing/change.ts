import { ToolError } from "@toolwright/engine";
import { updateTask } from "@toolwright/todo/tasks/edit-tasks.js";
import type { TodoContext as Desk } from "@toolwright/todo/todo-context.js";

/** What a form asks for. */
export type Deed = "done" | "priority";

/** Does what a form asks for: marks a task as done, or gives it another priority. Throws `ToolError` where that cannot be. */
export async function changeTask(
  desk: Desk,
  id: string,
  deed: Deed,
  form: URLSearchParams,
  principal: string | undefined,
): Promise<void> {
  const version = Number(form.get("version"));
  if (!Number.isInteger(version) || version < 1)
    throw new ToolError("Cannot change the task: the form does not say which version of it was seen.", {
      code: "INVALID_ARGUMENT",
    });
  // Who pressed the button has seen this one.
  const wish = { id, actor: principal ?? "dashboard", expected_version: version };
  if (deed === "done") {
    await updateTask(desk, { ...wish, status: "completed" });
    return;
  }
  const priority = Number(form.get("priority"));
  if (![1, 2, 3, 4, 5].includes(priority))
    throw new ToolError("Cannot set the priority: it goes from 1 to 5.", { code: "INVALID_ARGUMENT" });
  await updateTask(desk, { ...wish, priority });
}
