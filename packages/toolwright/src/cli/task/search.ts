import { searchTasks } from "../../packs/todo/tasks/search-tasks.js";
import { STATUSES } from "../../packs/todo/tasks/task.js";
import { choiceOf, numberOf } from "../option-values.js";
import type { Deed } from "./bench.js";
import { showTasks } from "./show-tasks.js";

/** `toolwright task search`: tasks by their words, those that fit best first. */
export const search: Deed = async (bench) => {
  const { options, words } = bench;
  const query = words.join(" ");
  const status = choiceOf(options, "--status", STATUSES);
  const found = await searchTasks(bench.desk, { query, status, limit: numberOf(options, "--limit", 1, 1000) ?? 20 });
  await showTasks(bench, found, `No task has "${query}"`);
};
