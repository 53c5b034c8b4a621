import type { Board } from "./tasks/board.js";
import type { TaskView } from "./tasks/get-task.js";
import type { Task } from "./tasks/task.js";
import { cut } from "./tools/results.js";

const TITLES = { pending: "Pending", in_progress: "In progress", completed: "Completed", failed: "Failed" } as const;

/** A board for people and models to read. */
export function boardText({ columns, ready, blocked }: Board): string {
  const parts = columns.map(({ status, total, tasks }) => {
    const more = total > tasks.length ? [`… and ${total - tasks.length} more`] : [];
    return [`## ${TITLES[status]} (${total})`, ...tasks.map(taskLine), ...more].join("\n");
  });
  return [`# Tasks: ${ready} ready, ${blocked} blocked`, ...parts].join("\n\n");
}

/** Tasks for people and models to read, a line each. */
export const tasksText = (title: string, tasks: readonly Task[]): string =>
  [`# ${title}`, ...tasks.map(taskLine)].join("\n");

/** One task for people and models to read. */
export function taskText(task: TaskView): string {
  const lists = [
    ["Part of it", task.children ?? []],
    ["Waits for", task.blocked_by ?? []],
    ["Waits for this", task.blocking ?? []],
  ] as const;
  return [
    `# ${task.description}`,
    taskLine(task),
    ...(task.context === "" ? [] : [`## Context\n${task.context}`]),
    ...(task.result === null ? [] : [`## Result\n${task.result}`]),
    ...lists
      .filter(([, tasks]) => tasks.length > 0)
      .map(([title, tasks]) => `## ${title}\n${tasks.map(taskLine).join("\n")}`),
  ].join("\n\n");
}

function taskLine({ id, priority, status, description, blocked, claimed_by: holder }: Task): string {
  const notes = [`priority ${priority}`, status, ...(blocked ? ["blocked"] : []), ...(holder === null ? [] : [holder])];
  return `- ${id} (${notes.join(", ")}): ${cut(description, 200).replaceAll(/\s+/g, " ")}`;
}
