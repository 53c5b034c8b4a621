import { addBlocker } from "@toolwright/todo/tasks/blockers.js";
import { claimTask } from "@toolwright/todo/tasks/claims.js";
import { createTask, updateTask } from "@toolwright/todo/tasks/edit-tasks.js";
import { importTasks } from "@toolwright/todo/tasks/exchange.js";
import { describe, expect, test } from "vitest";
import { mainOf, openSite, textOf } from "./kit.js";

const HOSTILE = `<script>alert(1)</script> "x" 'y' & \u{202e}gnp.exe`;

describe("the board", () => {
  test("has a column for each state, with what there is to know of each task", async () => {
    const { todo, get } = await openSite();
    const first = await createTask(todo, { description: "lay the foundation", priority: 1 });
    await createTask(todo, { description: "build the house", blocked_by: [first.id] });
    const done = await createTask(todo, { description: "buy the land" });
    await updateTask(todo, { id: done.id, status: "completed" });
    const claimed = await createTask(todo, { description: "draw the plan", priority: 5 });
    await claimTask(todo, { id: claimed.id, actor: "ada" });
    const main = mainOf(await (await get("/tasks")).text());
    const shown = textOf(main.slice(main.indexOf('<p class="sum"')).replaceAll(/<span class="id">\w+/g, ""));
    expect(shown).toBe(
      "4 tasks · 1 ready · 1 blocked " +
        "Pending 2 lay the foundation Priority P1 Ready build the house Priority P3 Blocked " +
        "In progress 1 draw the plan Priority P5 Claimed by ada Completed 1 buy the land Priority P3 " +
        "Failed 0 No failed tasks",
    );
  });

  test.each([
    ["text=HOUSE", ["build the 100% house"]],
    ["text=100%25", ["build the 100% house"]],
    ["text=_", []],
    ["priority=1", ["lay the foundation"]],
    ["mark=blocked", ["build the 100% house"]],
    ["mark=ready", ["lay the foundation"]],
    ["mark=claimed", []],
    ["status=completed", []],
    ["status=pending&page=2", []],
    ["status=nonsense&priority=9&mark=x&page=-1", ["lay the foundation", "build the 100% house"]],
  ])("shows what the filter %s leaves", async (query, expected) => {
    const { todo, get } = await openSite();
    const first = await createTask(todo, { description: "lay the foundation", priority: 1 });
    await createTask(todo, { description: "build the 100% house", blocked_by: [first.id] });
    const page = await (await get(`/tasks?${query}`)).text();
    expect([...page.matchAll(/<li class="card"[^>]*><a [^>]*>([^<]*)/g)].map(([, name]) => name)).toEqual(expected);
  });

  test("shows twenty of a column, and leads to the others", async () => {
    const { todo, get } = await openSite();
    for (let number = 0; number < 23; number += 1) await createTask(todo, { description: `task ${number}` });
    const page = await (await get("/tasks")).text();
    expect(page.match(/class="card"/g)).toHaveLength(20);
    expect(page).toContain('<p class="more"><a href="/tasks?status=pending">3 more</a></p>');
    expect((await (await get("/tasks?status=pending")).text()).match(/class="card"/g)).toHaveLength(23);
  });
});

test("a task that waits and was started is counted as blocked, and its command stands there as people type it", async () => {
  const { todo, get } = await openSite();
  const first = await createTask(todo, { description: "lay the foundation" });
  const done_when = { kind: "command", command: ["npm", "run", "x y"], cwd: "/srv/house" } as const;
  const { id } = await createTask(todo, { description: "build", blocked_by: [first.id], done_when });
  await updateTask(todo, { id, status: "in_progress" });
  expect(textOf(await (await get("/tasks")).text())).toContain("2 tasks · 1 ready · 1 blocked");
  expect(textOf(await (await get(`/tasks/${id}`)).text())).toContain(
    "the command npm run 'x y' succeeds in /srv/house".replaceAll("'", "&#39;"),
  );
});

test("the page of a task has all that is known of it", async () => {
  const { todo, get } = await openSite();
  const parent = await createTask(todo, { description: "the house" });
  const blocker = await createTask(todo, { description: "the foundation" });
  const task = await createTask(todo, {
    description: "the roof",
    context: "red\ntiles",
    parent_id: parent.id,
    blocked_by: [blocker.id],
    done_when: { kind: "command", command: ["test", "-f", "roof"] },
    actor: "ada",
  });
  const after = await createTask(todo, { description: "the party", blocked_by: [task.id] });
  await createTask(todo, { description: "the gutter", parent_id: task.id });
  await updateTask(todo, { id: task.id, priority: 1, actor: "bob", reason: "rain" });
  const page = await (await get(`/tasks/${task.id.slice(-8)}`)).text();
  const text = textOf(mainOf(page));
  expect(text).toContain("Pending Priority P1 Blocked");
  expect(text).toContain("Context red tiles Done when the command test -f roof succeeds");
  expect(text).toContain("Blocked by 1 the foundation");
  expect(text).toContain("Blocks 1 the party");
  expect(text).toContain("Subtasks Pending the gutter");
  expect(text).toMatch(/History changed by bob just now priority: 3 → 1 rain/);
  for (const { id } of [parent, blocker, after]) expect(page).toContain(`href="/tasks/${id}"`);
});

test("nothing of a stranger's text becomes part of a page", async () => {
  const { todo, get } = await openSite();
  const word = "x".repeat(3000);
  const task = await createTask(todo, { description: `${HOSTILE} ${word}`, context: HOSTILE, actor: HOSTILE });
  const other = await createTask(todo, { description: HOSTILE, blocked_by: [task.id] });
  await updateTask(todo, { id: task.id, result: HOSTILE, reason: HOSTILE });
  const paths = [
    "/tasks",
    `/tasks/${task.id}`,
    `/tasks/${other.id}`,
    "/tasks/graph",
    "/tasks/activity",
    "/tasks/search?q=alert",
    "/server",
  ];
  for (const path of [
    ...paths,
    `/tasks/search?q=${encodeURIComponent(HOSTILE)}`,
    `/tasks?text=${encodeURIComponent(HOSTILE)}`,
  ]) {
    const answer = await get(path);
    const page = await answer.text();
    expect([path, answer.status]).toEqual([path, 200]);
    expect(page).not.toContain("<script>");
    expect(page).not.toContain("\u{202e}");
    // The only quotes that end a value are our own.
    expect(page).not.toContain('"x"');
  }
  expect(await (await get("/tasks")).text()).toContain(
    "&lt;script&gt;alert(1)&lt;/script&gt; &quot;x&quot; &#39;y&#39; &amp; \\u{202e}gnp.exe",
  );
});

test("the graph shows open tasks that wait, as a picture and as a list", async () => {
  const { todo, get } = await openSite();
  expect(textOf(mainOf(await (await get("/tasks/graph")).text()))).toContain("No open task is blocked by another");
  const [one, two, three] = [
    await createTask(todo, { description: "one" }),
    await createTask(todo, { description: "two" }),
    await createTask(todo, { description: "three" }),
  ] as const;
  await addBlocker(todo, { task_id: two.id, blocked_by_id: one.id });
  await addBlocker(todo, { task_id: three.id, blocked_by_id: two.id });
  const all = await (await get("/tasks/graph")).text();
  expect(all.match(/class="node /g)).toHaveLength(3);
  expect(textOf(mainOf(all))).toContain("Pending two is blocked by Pending one");
  await updateTask(todo, { id: one.id, status: "completed" });
  expect((await (await get("/tasks/graph")).text()).match(/class="node /g)).toHaveLength(2);
  expect((await (await get("/tasks/graph?closed=yes")).text()).match(/class="node /g)).toHaveLength(3);
  expect((await get("/tasks/graph?around=nobody")).status).toBe(404);
});

test("a graph that is too large says what is left out", async () => {
  const { todo, get } = await openSite();
  const first = await createTask(todo, { description: "first" });
  for (let number = 0; number < 160; number += 1)
    await createTask(todo, { description: `task ${number}`, blocked_by: [first.id] });
  const page = await (await get("/tasks/graph")).text();
  expect(page.match(/class="node /g)).toHaveLength(150);
  expect(textOf(page)).toContain("150 open tasks; 11 more not shown");
});

test("the task that a graph is drawn around is in it, however large its group", async () => {
  const { todo, get } = await openSite();
  const first = await createTask(todo, { description: "first" });
  for (let number = 0; number < 160; number += 1)
    await createTask(todo, { description: `task ${number}`, blocked_by: [first.id] });
  const last = await createTask(todo, { description: "the last one", blocked_by: [first.id], priority: 5 });
  const apart = await createTask(todo, { description: "apart", priority: 1 });
  await createTask(todo, { description: "also apart", blocked_by: [apart.id], priority: 1 });
  const page = await (await get(`/tasks/graph?around=${last.id}`)).text();
  expect(page).toContain(`data-key="node-${last.id}"`);
  expect(page.match(/class="node /g)).toHaveLength(150);
  expect(page).not.toContain(`data-key="node-${apart.id}"`);
  expect(textOf(page)).toContain("12 more not shown");
});

test("activity is a chart, a table and what has happened", async () => {
  const { todo, get } = await openSite();
  const task = await createTask(todo, { description: "paint", actor: "ada" });
  await updateTask(todo, { id: task.id, status: "completed", actor: "bob" });
  const text = textOf(mainOf(await (await get("/tasks/activity?days=14")).text()));
  expect(text).toContain("1 task created, 1 completed in 14 days");
  expect(text).toContain("2031-05-06 1 1 2");
  expect(text).toMatch(/Events paint completed by bob just now paint created by ada just now$/);
});

test("what was imported counts on the day on which it came, and again only where it has changed", async () => {
  const { todo, get } = await openSite();
  const at = "2031-04-01T00:00:00.000Z";
  const done = {
    id: "task_a",
    description: "a",
    status: "completed",
    created_at: at,
    completed_at: at,
    updated_at: at,
  };
  const open = { id: "task_b", description: "b", created_at: at, updated_at: at };
  await importTasks(todo, { text: `${JSON.stringify(done)}\n${JSON.stringify(open)}` });
  const shown = async () => textOf(mainOf(await (await get("/tasks/activity?days=14")).text()));
  expect(await shown()).toContain("2 tasks created, 1 completed in 14 days");
  const later = { updated_at: "2031-04-02T00:00:00.000Z" };
  const ended = { ...open, ...later, status: "completed", completed_at: later.updated_at };
  await importTasks(todo, { text: `${JSON.stringify({ ...done, ...later, result: "r" })}\n${JSON.stringify(ended)}` });
  expect(await shown()).toContain("2 tasks created, 2 completed in 14 days");
});

test("the page of the server has packs, with the tools that are off apart, and calls", async () => {
  const { client, get } = await openSite();
  await client.callTool("create_task", { description: "x" });
  await client.callTool("get_task", { id: "nobody" });
  const text = textOf(mainOf(await (await get("/server")).text()));
  expect(text).toContain("Packs todo 1 tool, 1 off create_task Off: switched_off Calls");
  expect(text).toMatch(/Name Calls Failed Rejected Cancelled Mean create_task 1 0 0 0 [\d.]+ ms get_task 1 1 0 0/);
  expect(text).toMatch(/tools\/call get_task just now [\d.]+ ms failed tools\/call create_task just now [\d.]+ ms ok/);
});
