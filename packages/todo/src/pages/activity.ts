import { type Html, html } from "@toolwright/kit/html";
import { barChart, count, live, type PageContent, type PageRequest, table } from "@toolwright/kit/pages";
import { activity, type Day } from "../tasks/board.js";
import { taskHistory } from "../tasks/history.js";
import type { TodoContext } from "../todo-context.js";
import { TASKS_PATH } from "./task-elements.js";
import { readTaskNames, timeline } from "./timeline.js";

const PERIODS = [14, 30, 90] as const;
const MAX_EVENTS = 40;

/** Shows how many tasks were created and completed each day, and the latest events. */
export async function renderActivity(todo: TodoContext, { query }: PageRequest): Promise<PageContent> {
  const period = PERIODS.find((days) => `${days}` === query.get("days")) ?? 30;
  const before = query.get("before") ?? "";
  const days = await activity(todo, period);
  const { events, next_cursor: older } = await taskHistory(todo, {
    limit: MAX_EVENTS,
    ...(/^\d{1,15}$/.test(before) && { cursor: before }),
  });
  const names = await readTaskNames(
    todo,
    events.map((event) => event.task_id),
  );
  const pathOf = (span: number): string => `${TASKS_PATH}/activity?days=${span}`;
  return {
    main: live(
      "activity",
      html`<h1>Activity</h1>
<p class="choices">${PERIODS.map((one) => html`<a href="${pathOf(one)}"${one === period && html` aria-current="true"`}>${one} days</a> `)}</p>
${chart(days)}
<section><h2>Events</h2>${events.length === 0 ? html`<p class="none">No events yet</p>` : timeline(events, todo.now(), names)}${
        older !== undefined && html`<p class="more"><a href="${pathOf(period)}&amp;before=${older}">Older</a></p>`
      }</section>`,
    ),
  };
}

function chart(days: readonly Day[]): Html {
  const sum = (name: "created" | "completed"): number => days.reduce((total, day) => total + day[name], 0);
  return html`<figure class="chart">
<figcaption>${count(sum("created"), "task")} created, ${sum("completed").toLocaleString("en")} completed in ${days.length} days
<span class="legend"><span class="key a">created</span> <span class="key b">completed</span></span></figcaption>
${barChart(
  days.map(({ day, created, completed }) => ({ name: day, values: [created, completed] })),
  ["created", "completed"],
)}
<details data-key="days"><summary>Show as a table</summary>${table(
    "Activity by day",
    ["Day", "Created", "Completed", "Events"],
    days.toReversed().map(({ day, created, completed, events }) => [day, created, completed, events]),
  )}</details></figure>`;
}
