import { activity, type Day } from "@toolwright/todo/tasks/board.js";
import { taskHistory } from "@toolwright/todo/tasks/history.js";
import { barChart } from "../charts.js";
import { type Html, html } from "../html.js";
import { live } from "../layout.js";
import { count } from "../parts.js";
import type { Shown, View } from "../view.js";
import { namesOf, timeline } from "./events.js";

const SPANS = [14, 30, 90] as const;
const MOST_EVENTS = 40;

/** Shows how much was created and completed, and what has happened last. */
export async function showActivity({ desk, query, now }: View): Promise<Shown> {
  const span = SPANS.find((days) => `${days}` === query.get("days")) ?? 30;
  const before = Number(query.get("before"));
  const days = await activity(desk, span);
  const { events, next_before: older } = await taskHistory(desk, {
    limit: MOST_EVENTS,
    ...(Number.isInteger(before) && before > 0 && { before }),
  });
  const names = await namesOf(
    desk,
    events.map((event) => event.task_id),
  );
  return {
    title: "Activity",
    here: "/activity",
    main: live(
      "activity",
      html`<h1>Activity</h1>
<p class="choices">${SPANS.map((one) => html`<a href="/activity?days=${one}"${one === span && html` aria-current="true"`}>${one} days</a> `)}</p>
${chart(days)}
<section><h2>What has happened</h2>${events.length === 0 ? html`<p class="none">Nothing yet</p>` : timeline(events, now, names)}${
        older !== undefined && html`<p class="more"><a href="/activity?days=${span}&amp;before=${older}">Older</a></p>`
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
<details data-key="days"><summary>The same as a table</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Activity by day"><table><thead><tr><th scope="col">Day</th><th scope="col">Created</th><th scope="col">Completed</th><th scope="col">Events</th></tr></thead>
<tbody>${days
    .toReversed()
    .map(
      ({ day, created, completed, events }) =>
        html`<tr><th scope="row">${day}</th><td>${created}</td><td>${completed}</td><td>${events}</td></tr>`,
    )}</tbody></table></div></details></figure>`;
}
