import { choiceOf, numberOf } from "@toolwright/kit/cli";
import { searchTasks } from "../tasks/search-tasks.js";
import { STATUSES } from "../tasks/task.js";
import type { Deed } from "./bench.js";
import { MOST_SHOWN, showTasks } from "./show-tasks.js";

/** `toolwright task search`: tasks by their words, those that fit best first. */
export const search: Deed = async (bench) => {
  const { options, words } = bench;
  const query = words.join(" ");
  const status = choiceOf(options, "--status", STATUSES);
  const limit = numberOf(options, "--limit", 1, MOST_SHOWN) ?? 20;
  const { tasks } = await searchTasks(bench.todo, { query, status, limit: limit + 1 });
  const page = { tasks: tasks.slice(0, limit), ...(tasks.length > limit && { next: { offset: limit } }) };
  await showTasks(bench, page, `No task has "${query}"`);
};
