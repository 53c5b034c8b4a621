import { type Html, type HtmlPart, html } from "@toolwright/kit/html";
import { count, live, type PageContent, type PageRequest } from "@toolwright/kit/pages";
import type { Sql, SqlValue } from "@toolwright/kit/storage";
import { board } from "../tasks/board.js";
import { TASK_FIELDS, toTask } from "../tasks/find-task.js";
import { READY } from "../tasks/list-tasks.js";
import { searchTasks } from "../tasks/search-tasks.js";
import { STATUSES, type Status, type Task } from "../tasks/task.js";
import { isClosed } from "../tasks/task-changes.js";
import type { TodoContext } from "../todo-context.js";
import { STATUS_NAMES, TASKS_PATH, taskCard } from "./task-elements.js";

/** What distinguishes open tasks besides their state. */
export const MARKS = ["ready", "blocked", "claimed"] as const;

/** Which tasks the board shows. */
export interface TaskFilter {
  /** Only this column. */
  readonly status: Status | undefined;
  readonly priority: number | undefined;
  readonly mark: (typeof MARKS)[number] | undefined;
  /** Only tasks whose description contains this text. */
  readonly text: string;
  /** Counted from 1. */
  readonly page: number;
}

/** A column of the board after filtering. */
export interface FilteredColumn {
  readonly status: Status;
  readonly total: number;
  readonly tasks: readonly Task[];
}

type Condition = readonly [text: string, ...values: SqlValue[]];

const BLOCKED = `EXISTS (SELECT 1 FROM blockers b JOIN tasks o ON o.id = b.blocked_by_id
  WHERE b.task_id = t.id AND o.status <> 'completed') AND t.status IN ('pending', 'in_progress')`;

/** Reads the columns of the board, each with at most `limit` tasks. */
export async function filterBoard(
  todo: TodoContext,
  filter: TaskFilter,
  limit: number,
): Promise<readonly FilteredColumn[]> {
  const at = todo.now();
  const store = await todo.store();
  return store.read(async (sql) => {
    const columns: FilteredColumn[] = [];
    for (const status of filter.status === undefined ? STATUSES : [filter.status])
      columns.push(await readColumn(sql, status, { filter, limit, at }));
    return columns;
  });
}

async function readColumn(
  sql: Sql,
  status: Status,
  { filter, limit, at }: { readonly filter: TaskFilter; readonly limit: number; readonly at: string },
): Promise<FilteredColumn> {
  const conditions: Condition[] = [["t.status = ?", status], ...conditionsOf(filter, at)];
  const where = conditions.map(([text]) => `(${text})`).join(" AND ");
  const values = conditions.flatMap(([, ...rest]) => rest);
  const order = isClosed(status) ? "t.completed_at DESC, t.id DESC" : "t.priority, t.id DESC";
  const rows = await sql.all(
    `SELECT ${TASK_FIELDS} FROM tasks t WHERE ${where} ORDER BY ${order} LIMIT ? OFFSET ?`,
    ...values,
    limit,
    (filter.page - 1) * limit,
  );
  const counted = await sql.get(`SELECT count(*) AS total FROM tasks t WHERE ${where}`, ...values);
  return { status, total: Number(counted?.["total"]), tasks: rows.map((row) => toTask(row, at)) };
}

function conditionsOf({ priority, mark, text }: TaskFilter, at: string): Condition[] {
  return [
    ...(priority === undefined ? [] : [["t.priority = ?", priority] satisfies Condition]),
    ...(mark === "ready" ? [[READY, at] satisfies Condition] : []),
    ...(mark === "blocked" ? [[BLOCKED] satisfies Condition] : []),
    ...(mark === "claimed" ? [["t.lease_until > ?", at] satisfies Condition] : []),
    ...(text === "" ? [] : [["lower(t.description) LIKE ? ESCAPE '!'", likePattern(text)] satisfies Condition]),
  ];
}

const likePattern = (text: string): string => `%${text.toLowerCase().replaceAll(/[!%_]/g, "!$&")}%`;

/** How many tasks a column shows beside others, and alone. */
const SHORT_COLUMN = 20;
const LONG_COLUMN = 100;
const MAX_FOUND = 100;

/** Shows tasks by state. */
export async function renderBoard(todo: TodoContext, { query }: PageRequest): Promise<PageContent> {
  const filter = readFilter(query);
  const limit = filter.status === undefined ? SHORT_COLUMN : LONG_COLUMN;
  const now = todo.now();
  const columns = await filterBoard(todo, filter, limit);
  const { ready, blocked } = await board(todo, 0);
  const total = columns.reduce((sum, column) => sum + column.total, 0);
  const isAlone = filter.status !== undefined;
  return {
    ...(filter.status !== undefined && { title: STATUS_NAMES[filter.status] }),
    main: html`<h1 class="unseen">Tasks</h1>
${filterForm(filter)}
${live(
  "board",
  html`<p class="sum">${count(total, "task")}${
    isFiltered(filter)
      ? html` match the filter · <a href="${TASKS_PATH}">show all</a>`
      : html` · <a href="${TASKS_PATH}?mark=ready">${ready.toLocaleString("en")} ready</a> · <a href="${TASKS_PATH}?mark=blocked">${blocked.toLocaleString("en")} blocked</a>`
  }</p>
<div class="board${isAlone && " alone"}">${columns.map((column) => columnPart(column, filter, limit, now))}</div>`,
)}`,
  };
}

/** Shows the tasks that contain all words of a query. */
export async function renderSearch(todo: TodoContext, { query }: PageRequest): Promise<PageContent> {
  const words = (query.get("q") ?? "").trim().slice(0, 500);
  const status = STATUSES.find((one) => one === query.get("status"));
  if (!/[\p{L}\p{N}_]/u.test(words))
    return { searchText: words, main: html`<h1>Search</h1><p class="none">Type words into the search box above.</p>` };
  const { tasks } = await searchTasks(todo, { query: words, status, limit: MAX_FOUND });
  const now = todo.now();
  return {
    title: `Search: ${words}`,
    searchText: words,
    main: html`<h1>Search: <bdi>${words}</bdi></h1>
${live(
  "found",
  html`<p class="sum">${tasks.length === MAX_FOUND ? `The best ${MAX_FOUND} tasks` : count(tasks.length, "task")} with all of these words in description, context or result</p>
<ul class="cards grid">${tasks.map((task) => taskCard(task, now, true))}</ul>`,
)}`,
  };
}

function columnPart({ status, total, tasks }: FilteredColumn, filter: TaskFilter, limit: number, now: string): Html {
  return html`<section class="column is-${status}" aria-labelledby="column-${status}">
<h2 id="column-${status}"><a href="${boardPath({ ...filter, status, page: 1 })}">${STATUS_NAMES[status]}</a> <span class="count">${total.toLocaleString("en")}</span></h2>
${tasks.length === 0 ? html`<p class="none">${isFiltered({ ...filter, status: undefined }) ? "No task matches the filter" : NO_TASKS[status]}</p>` : html`<ul class="cards">${tasks.map((task) => taskCard(task, now))}</ul>`}
${moreLinks(status, total, filter, limit)}</section>`;
}

const NO_TASKS: Readonly<Record<Status, string>> = {
  pending: "No pending tasks",
  in_progress: "No task is in progress",
  completed: "No completed tasks",
  failed: "No failed tasks",
};

function moreLinks(status: Status, total: number, filter: TaskFilter, limit: number): HtmlPart {
  const pathOfPage = (page: number): string => boardPath({ ...filter, status, page });
  if (filter.status === undefined) {
    const remaining = total - limit;
    return (
      remaining > 0 && html`<p class="more"><a href="${pathOfPage(1)}">${count(remaining, "more", "more")}</a></p>`
    );
  }
  const pages = Math.max(1, Math.ceil(total / limit));
  if (pages === 1) return undefined;
  return html`<p class="more">${filter.page > 1 && html`<a href="${pathOfPage(filter.page - 1)}" rel="prev">Previous</a> `}Page ${filter.page} of ${pages}${
    filter.page < pages && html` <a href="${pathOfPage(filter.page + 1)}" rel="next">Next</a>`
  }</p>`;
}

function filterForm({ status, priority, mark, text }: TaskFilter): Html {
  const options = (
    selected: string | undefined,
    all: readonly (readonly [value: string, name: string])[],
  ): HtmlPart => [
    html`<option value="">All</option>`,
    all.map(([value, name]) => html`<option value="${value}"${value === selected && html` selected`}>${name}</option>`),
  ];
  return html`<form class="filter" action="${TASKS_PATH}" aria-label="Filter" id="filter">
<label class="wide"><span>Description contains</span><input name="text" type="search" value="${text}" autocomplete="off" maxlength="200"></label>
<label><span>State</span><select name="status">${options(
    status,
    STATUSES.map((one) => [one, STATUS_NAMES[one]]),
  )}</select></label>
<label><span>Priority</span><select name="priority">${options(
    priority?.toString(),
    [1, 2, 3, 4, 5].map((one) => [`${one}`, `P${one}`]),
  )}</select></label>
<label><span>Show</span><select name="mark">${options(mark, [
    ["ready", "Ready"],
    ["blocked", "Blocked"],
    ["claimed", "Claimed"],
  ])}</select></label>
<button>Filter</button></form>`;
}

function readFilter(query: URLSearchParams): TaskFilter {
  const priority = Number(query.get("priority"));
  const page = Number(query.get("page"));
  return {
    status: STATUSES.find((status) => status === query.get("status")),
    priority: [1, 2, 3, 4, 5].includes(priority) ? priority : undefined,
    mark: MARKS.find((mark) => mark === query.get("mark")),
    text: (query.get("text") ?? "").trim().slice(0, 200),
    page: Number.isInteger(page) && page > 0 && page < 100_000 ? page : 1,
  };
}

const isFiltered = ({ status, priority, mark, text }: TaskFilter): boolean =>
  status !== undefined || priority !== undefined || mark !== undefined || text !== "";

/** The path of the board with this filter. */
function boardPath({ status, priority, mark, text, page }: TaskFilter): string {
  const query = new URLSearchParams({
    ...(text !== "" && { text }),
    ...(status !== undefined && { status }),
    ...(priority !== undefined && { priority: `${priority}` }),
    ...(mark !== undefined && { mark }),
    ...(page > 1 && { page: `${page}` }),
  }).toString();
  return query === "" ? TASKS_PATH : `${TASKS_PATH}?${query}`;
}
