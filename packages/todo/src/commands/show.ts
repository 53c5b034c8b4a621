import { relative } from "@toolwright/kit/cli";
import { visible, visibleLine } from "@toolwright/kit/terminal";
import { commandText } from "../tasks/done-condition.js";
import { getTask, type TaskView } from "../tasks/get-task.js";
import type { DoneCheck, Task } from "../tasks/task.js";
import type { Bench, Deed } from "./bench.js";
import { inStateColour, stateText, taskLine } from "./draw.js";
import { drawHistory } from "./draw-history.js";
import { onEach } from "./on-each.js";
import { type Shorten, shortIds } from "./short-ids.js";

/** How much of the past is shown with a task. */
const MOST_EVENTS = 10;

/** `toolwright task show`: all that is known of tasks. */
export const show: Deed = async (bench) => {
  const { todo } = bench;
  await onEach(
    bench,
    (id) => getTask(todo, { id, include: ["children", "blockers", "history"] }),
    async (views) => {
      const pages: string[] = [];
      for (const view of views) pages.push(await pageOf(bench, view));
      return pages.join("\n\n");
    },
  );
};

async function pageOf({ todo, screen, now }: Bench, task: TaskView): Promise<string> {
  const parent = task.parent_id === null ? undefined : await getTask(todo, { id: task.parent_id });
  const { children = [], blocked_by: waitsFor = [], blocking = [], history = [] } = task;
  const near = [...(parent ? [parent] : []), ...children, ...waitsFor, ...blocking];
  const shorten = await shortIds(todo, [task.id, ...near.map(({ id }) => id)]);
  const { paint } = screen;
  const rows: (readonly [string, string | undefined])[] = [
    ["state", inStateColour(stateText(task), task, paint) + sinceText(task, now)],
    ["priority", String(task.priority)],
    ["claimed", claimText(task, now)],
    ["parent", parent && taskLine(parent, shorten, screen)],
    ["done when", task.done_when === null ? undefined : checkText(task.done_when)],
    [
      "created",
      `${relative(task.created_at, now)}${task.created_by === null ? "" : ` by ${visibleLine(task.created_by)}`}`,
    ],
    ["version", String(task.version)],
  ];
  return [
    paint.bold(`${shorten(task.id)}  ${visibleLine(task.description)}`),
    paint.faint(task.id),
    "",
    ...rows.flatMap(([name, text]) => (text === undefined ? [] : [`${paint.faint(name.padEnd(10))} ${text}`])),
    ...tasksUnder("waits for", waitsFor, shorten, screen),
    ...tasksUnder("is waited for by", blocking, shorten, screen),
    ...tasksUnder("children", children, shorten, screen),
    ...textUnder("context", task.context, screen),
    ...textUnder("result", task.result ?? "", screen),
    "",
    paint.faint("history"),
    drawHistory(history.slice(0, MOST_EVENTS), shorten, screen, now),
  ].join("\n");
}

function sinceText({ status, started_at: began, completed_at: ended }: Task, now: Date): string {
  if (status === "in_progress") return began === null ? "" : `, started ${relative(began, now)}`;
  return ended === null ? "" : `, ${relative(ended, now)}`;
}

function claimText({ claimed_by: by, lease_until: until }: Task, now: Date): string | undefined {
  if (by === null || until === null) return undefined;
  const isOver = until <= now.toISOString();
  return `by ${visibleLine(by)}, ${isOver ? "but the lease ended" : "until the lease ends"} ${relative(until, now)}`;
}

const commandWords = ({ command, cwd }: Extract<DoneCheck, { kind: "command" }>): string =>
  `${visibleLine(commandText(command))} passes${cwd === undefined ? "" : ` in ${visibleLine(cwd)}`}`;

const checkText = (check: DoneCheck): string =>
  check.kind === "file_exists" ? `${visibleLine(check.path)} exists` : commandWords(check);

const tasksUnder = (name: string, tasks: readonly Task[], shorten: Shorten, screen: Bench["screen"]): string[] =>
  tasks.length === 0
    ? []
    : ["", screen.paint.faint(name), ...tasks.map((each) => `  ${taskLine(each, shorten, screen)}`)];

const textUnder = (name: string, text: string, { paint }: Bench["screen"]): string[] =>
  text === "" ? [] : ["", paint.faint(name), `  ${visible(text).replaceAll("\n", "\n  ")}`];
