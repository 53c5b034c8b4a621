import { relative } from "@toolwright/kit/cli";
import { type Column, drawTable, type Paint, type Screen, visibleLine } from "@toolwright/kit/terminal";
import type { Task } from "../tasks/task.js";
import type { Shorten } from "./short-ids.js";

type State = Task["status"] | "blocked";

const SIGNS: Readonly<Record<State, string>> = {
  pending: "○",
  blocked: "◌",
  in_progress: "◐",
  completed: "✓",
  failed: "✗",
};

const COLOURS: Readonly<Record<State, keyof Paint | undefined>> = {
  pending: undefined,
  blocked: "yellow",
  in_progress: "cyan",
  completed: "green",
  failed: "red",
};

const stateOf = ({ status, blocked }: Pick<Task, "status" | "blocked">): State =>
  status === "pending" && blocked ? "blocked" : status;

/** How a task is doing, as a sign and a word. */
export const stateText = (task: Pick<Task, "status" | "blocked">): string =>
  `${SIGNS[stateOf(task)]} ${stateOf(task).replace("_", " ")}`;

/** Gives a text the colour of how a task is doing. */
export function inStateColour(text: string, task: Pick<Task, "status" | "blocked">, paint: Paint): string {
  const colour = COLOURS[stateOf(task)];
  return colour === undefined ? text : paint[colour](text);
}

/** A task in one line: its state, its id and what it is. */
export function taskLine(task: Task, shorten: Shorten, { paint }: Pick<Screen, "paint">): string {
  const state = inStateColour(stateText(task), task, paint);
  return `${state}  ${paint.bold(shorten(task.id))}  ${visibleLine(task.description)}`;
}

/** Tasks as a table. */
export function drawTasks(tasks: readonly Task[], shorten: Shorten, { paint, width }: Screen, now: Date): string {
  const at = now.toISOString();
  const holder = ({ claimed_by: by, lease_until: until }: Task): string =>
    by !== null && until !== null && until > at ? by : "";
  const columns: Column<Task>[] = [
    { name: "id", text: ({ id }) => shorten(id), paint: (shown) => paint.bold(shown) },
    { name: "p", text: ({ priority }) => String(priority), paint: (shown, task) => urgency(shown, task, paint) },
    { name: "state", text: stateText, paint: (shown, task) => inStateColour(shown, task, paint) },
    ...(tasks.some((task) => holder(task) !== "") ? [{ name: "who", text: holder }] : []),
    { name: "changed", text: (task) => relative(task.updated_at, now), paint: (shown) => paint.faint(shown) },
    { name: "task", text: ({ description }) => description, gives: "words" },
  ];
  return drawTable(columns, tasks, { width, head: paint.faint });
}

function urgency(shown: string, { priority }: Task, paint: Paint): string {
  if (priority === 1) return paint.red(shown);
  return priority === 2 ? paint.yellow(shown) : shown;
}
