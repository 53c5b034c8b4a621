import { searchTasks } from "@toolwright/todo/tasks/search-tasks.js";
import { STATUSES } from "@toolwright/todo/tasks/task.js";
import { html } from "../html.js";
import { live } from "../layout.js";
import { card, count } from "../parts.js";
import type { Shown, View } from "../view.js";

const MOST = 100;

/** Shows the tasks in which words stand. */
export async function showSearch({ desk, query, now }: View): Promise<Shown> {
  const words = (query.get("q") ?? "").trim().slice(0, 500);
  const status = STATUSES.find((one) => one === query.get("status"));
  const title = words === "" ? "Search" : `Search: ${words}`;
  if (!/[\p{L}\p{N}_]/u.test(words))
    return { title, searched: words, main: html`<h1>Search</h1><p class="none">Type one or several words above.</p>` };
  const { tasks } = await searchTasks(desk, { query: words, status, limit: MOST });
  return {
    title,
    searched: words,
    main: html`<h1>Search: <bdi>${words}</bdi></h1>
${live(
  "found",
  html`<p class="sum">${tasks.length === MOST ? `the best ${MOST} tasks` : count(tasks.length, "task")} with all of these words in description, context or result</p>
<ul class="cards grid">${tasks.map((task) => card(task, now, true))}</ul>`,
)}`,
  };
}
