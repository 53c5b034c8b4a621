import { board } from "@toolwright/todo/tasks/board.js";
import { STATUSES, type Status } from "@toolwright/todo/tasks/task.js";
import { type Html, html } from "../html.js";
import { live } from "../layout.js";
import { card, count, STATUS_WORDS } from "../parts.js";
import type { Shown, View } from "../view.js";
import { type Filter, type FilteredColumn, filterBoard, MARKS } from "./board-query.js";

/** Cards of a column among others, and of one that is shown alone. */
const SOME = 20;
const MANY = 100;

/** Shows the tasks by their state. */
export async function showBoard({ desk, query, now }: View): Promise<Shown> {
  const filter = readFilter(query);
  const limit = filter.status === undefined ? SOME : MANY;
  const columns = await filterBoard(desk, filter, limit);
  const { ready, blocked } = await board(desk, 0);
  const total = columns.reduce((sum, column) => sum + column.total, 0);
  return {
    title: filter.status === undefined ? "Board" : STATUS_WORDS[filter.status],
    here: "/",
    main: html`<h1 class="unseen">Board</h1>
${filterForm(filter)}
${live(
  "board",
  html`<p class="sum">${count(total, "task")}${isFiltered(filter) && html` of this filter · <a href="/">show all</a>`}${
    !isFiltered(filter) &&
    html` · <a href="/?mark=ready">${ready.toLocaleString("en")} ready</a> · <a href="/?mark=blocked">${blocked.toLocaleString("en")} blocked</a>`
  }</p>
<div class="board${filter.status !== undefined && " alone"}">${columns.map((column) => columnPart(column, filter, limit, now))}</div>`,
)}`,
  };
}

function columnPart({ status, total, tasks }: FilteredColumn, filter: Filter, limit: number, now: string): Html {
  return html`<section class="column is-${status}" aria-labelledby="column-${status}">
<h2 id="column-${status}"><a href="${placeOf({ ...filter, status, page: 1 })}">${STATUS_WORDS[status]}</a> <span class="count">${total.toLocaleString("en")}</span></h2>
${tasks.length === 0 ? html`<p class="none">${isFiltered({ ...filter, status: undefined }) ? "Nothing of this filter" : EMPTY[status]}</p>` : html`<ul class="cards">${tasks.map((task) => card(task, now))}</ul>`}
${more(status, total, filter, limit)}</section>`;
}

const EMPTY: Readonly<Record<Status, string>> = {
  pending: "Nothing waits",
  in_progress: "Nobody works on anything",
  completed: "Nothing is done yet",
  failed: "Nothing has failed",
};

function more(status: Status, total: number, filter: Filter, limit: number): Html | undefined {
  const left = total - filter.page * limit;
  const page = (number: number): string => placeOf({ ...filter, status, page: number });
  if (filter.status === undefined)
    return left > 0 ? html`<p class="more"><a href="${page(1)}">${count(left, "more", "more")}</a></p>` : undefined;
  const pages = Math.max(1, Math.ceil(total / limit));
  if (pages === 1) return undefined;
  return html`<p class="more">${filter.page > 1 && html`<a href="${page(filter.page - 1)}" rel="prev">Previous</a> `}Page ${filter.page} of ${pages}${
    filter.page < pages && html` <a href="${page(filter.page + 1)}" rel="next">Next</a>`
  }</p>`;
}

function filterForm({ status, priority, mark, text }: Filter): Html {
  const options = (given: string | undefined, all: readonly (readonly [value: string, name: string])[]): Html[] =>
    all.map(
      ([value, name]) => html`<option value="${value}"${value === (given ?? "") && html` selected`}>${name}</option>`,
    );
  return html`<form class="filter" action="/" aria-label="Filter" id="filter">
<label class="wide"><span>Description has</span><input name="text" type="search" value="${text}" autocomplete="off" maxlength="200"></label>
<label><span>State</span><select name="status">${options(status, [["", "All"], ...STATUSES.map((one) => [one, STATUS_WORDS[one]] as const)])}</select></label>
<label><span>Priority</span><select name="priority">${options(priority?.toString(), [["", "All"], ...[1, 2, 3, 4, 5].map((one) => [`${one}`, `P${one}`] as const)])}</select></label>
<label><span>Mark</span><select name="mark">${options(mark, [
    ["", "All"],
    ["ready", "Ready"],
    ["blocked", "Blocked"],
    ["claimed", "Claimed"],
  ])}</select></label>
<button>Filter</button></form>`;
}

function readFilter(query: URLSearchParams): Filter {
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

const isFiltered = ({ status, priority, mark, text }: Filter): boolean =>
  status !== undefined || priority !== undefined || mark !== undefined || text !== "";

/** The place of a board with this filter. */
function placeOf({ status, priority, mark, text, page }: Filter): string {
  const query = new URLSearchParams({
    ...(text !== "" && { text }),
    ...(status !== undefined && { status }),
    ...(priority !== undefined && { priority: `${priority}` }),
    ...(mark !== undefined && { mark }),
    ...(page > 1 && { page: `${page}` }),
  }).toString();
  return query === "" ? "/" : `/?${query}`;
}
