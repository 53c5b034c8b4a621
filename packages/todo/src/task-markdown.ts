import type { Board } from "./tasks/board.js";
import type { TaskView } from "./tasks/get-task.js";
import type { Task } from "./tasks/task.js";
import { truncate } from "./tools/results.js";

const TITLES = { pending: "Pending", in_progress: "In progress", completed: "Completed", failed: "Failed" } as const;

/** A board as Markdown. */
export function boardToMarkdown({ columns, ready, blocked }: Board): string {
  const sections = columns.map(({ status, total, tasks }) => {
    const rest = total > tasks.length ? [`… and ${total - tasks.length} more`] : [];
    return [`## ${TITLES[status]} (${total})`, ...tasks.map(toLine), ...rest].join("\n");
  });
  return [`# Tasks: ${ready} ready, ${blocked} blocked`, ...sections].join("\n\n");
}

/** A list of tasks as Markdown. */
export const tasksToMarkdown = (title: string, tasks: readonly Task[]): string =>
  [`# ${title}`, ...tasks.map(toLine)].join("\n");

/** One task as Markdown. */
export function taskToMarkdown(task: TaskView): string {
  const lists = [
    ["Subtasks", task.children ?? []],
    ["Blocked by", task.blocked_by ?? []],
    ["Blocks", task.blocking ?? []],
  ] as const;
  return [
    `# ${task.description}`,
    toLine(task),
    ...(task.context === "" ? [] : [`## Context\n${task.context}`]),
    ...(task.result === null ? [] : [`## Result\n${task.result}`]),
    ...lists
      .filter(([, tasks]) => tasks.length > 0)
      .map(([title, tasks]) => `## ${title}\n${tasks.map(toLine).join("\n")}`),
  ].join("\n\n");
}

function toLine({ id, priority, status, description, blocked, claimed_by: claimer }: Task): string {
  const notes = [
    `priority ${priority}`,
    status,
    ...(blocked ? ["blocked"] : []),
    ...(claimer === null ? [] : [`claimed by ${claimer}`]),
  ];
  return `- ${id} (${notes.join(", ")}): ${truncate(description, 200).replaceAll(/\s+/g, " ")}`;
}
