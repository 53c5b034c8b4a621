import { createServer, type LogEntry, ToolError } from "@toolwright/engine";
import { serveHttp } from "@toolwright/engine/http";
import { html } from "@toolwright/kit/html";
import type { Page } from "@toolwright/kit/pages";
import { expect, onTestFinished, test } from "vitest";
import { createDashboard } from "../../src/dashboard/dashboard.js";

const TOKEN = "a-token-of-the-tests";

/** A dashboard with pages of an outside author. */
async function open(pages: () => readonly Page[]) {
  const server = createServer({ name: "site", version: "1.0.0", tools: [] });
  const entries: LogEntry[] = [];
  const dashboard = createDashboard({
    version: "1.0.0",
    pages,
    server: { server, packs: () => [], auditFile: undefined, isStandalone: true },
    log: (entry) => void entries.push(entry),
    writeToken: TOKEN,
  });
  const serving = await serveHttp(server, { port: 0, pages: dashboard });
  onTestFinished(async () => {
    dashboard.close();
    await serving.close();
    await server.close();
  });
  const at = (path: string): string => new URL(path, serving.url).href;
  return {
    entries,
    at,
    get: (path: string, headers: Record<string, string> = {}) => fetch(at(path), { redirect: "manual", headers }),
    post: (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
      fetch(at(path), {
        method: "POST",
        redirect: "manual",
        headers: { origin: new URL(serving.url).origin, ...headers },
        body: new URLSearchParams(form),
      }),
  };
}

const notes: Page = {
  path: "/notes",
  title: "Notes",
  nav: { label: "Notes", order: 5 },
  search: { label: "Search notes" },
  render: ({ query }) => ({ main: html`<h1>Notes about ${query.get("q")}</h1>` }),
};

const note: Page = {
  path: "/notes/:id",
  title: "Note",
  parent: "/notes",
  render({ params: { id = "" }, canChange }) {
    if (id === "none") throw new ToolError(`There is no note "${id}".`, { code: "NOT_FOUND" });
    return { title: `Note ${id}`, main: html`<p>${id}${canChange && html`<form method="post"></form>`}</p>` };
  },
  actions: {
    rename: {
      description: "rename notes",
      run: async ({ params, form }) => `/notes/${params["id"]}-${form.get("name")}`,
    },
  },
};

test("a page of any pack is in the navigation, has the search box and is the start page", async () => {
  const { get } = await open(() => [note, notes]);
  expect((await get("/")).headers.get("location")).toBe("/notes");
  const page = await (await get("/notes?q=%3Cb%3E")).text();
  expect(page).toContain('<a href="/notes" aria-current="page">Notes</a>');
  expect(page).toContain('placeholder="Search notes"');
  expect(page).toContain("<h1>Notes about &lt;b&gt;</h1>");
  expect(page).toContain("<title>Notes · Toolwright</title>");
});

test("parameters are decoded, and errors link to the page above", async () => {
  const { get } = await open(() => [notes, note]);
  const page = await get("/notes/a%20b");
  expect(await page.text()).toContain("<p>a b</p>");
  const missing = await get("/notes/none");
  expect(missing.status).toBe(404);
  const text = await missing.text();
  expect(text).toContain("There is no note &quot;none&quot;.");
  expect(text).toContain('<a href="/notes">Back to Notes</a>');
  expect((await get("/notes/a/b")).status).toBe(404);
});

test("an action runs only for the dashboard's own forms, with the write token", async () => {
  const { get, post } = await open(() => [notes, note]);
  const rename = (headers: Record<string, string>) => post("/notes/a/rename", { name: "b" }, headers);
  expect((await rename({})).status).toBe(403);
  expect(await (await get("/unlock")).text()).toContain("With the write token you can rename notes.");
  const unlocked = await post("/unlock", { token: TOKEN });
  const cookie = (unlocked.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  expect((await rename({ cookie, "sec-fetch-site": "cross-site" })).status).toBe(403);
  const done = await rename({ cookie });
  expect([done.status, done.headers.get("location")]).toEqual([303, "/notes/a-b"]);
  expect(await (await get("/notes/a", { cookie })).text()).toContain("<form");
  expect(await (await get("/notes/a")).text()).not.toContain('<form method="post">');
  expect((await post("/notes/a/constructor", {}, { cookie })).status).toBe(404);
});

test("invalid, reserved and duplicate paths are logged and left out", async () => {
  const pages = [note, ...["/notes/:name", "/server/x", "notes"].map((path) => ({ ...note, path }))];
  const { entries, get } = await open(() => pages);
  expect((await get("/notes/a")).status).toBe(200);
  expect(entries.map(({ message }) => message)).toEqual([
    'the dashboard cannot show a page at "/notes/:name": another page has it',
    'the dashboard cannot show a page at "/server/x": the path is reserved',
    'the dashboard cannot show a page at "notes": the path must look like /notes/:id',
  ]);
});

test("pages that are switched off while the server runs are gone", async () => {
  let pages: readonly Page[] = [notes];
  const { get } = await open(() => pages);
  expect((await get("/notes")).status).toBe(200);
  pages = [];
  expect((await get("/notes")).status).toBe(404);
  expect((await get("/")).headers.get("location")).toBe("/server");
});

test("a change feed without positions updates open pages", async () => {
  let notify: (() => void) | undefined;
  const changes = {
    watch(onChange: () => void) {
      notify = onChange;
      return () => (notify = undefined);
    },
  };
  const { at } = await open(() => [{ ...notes, changes }]);
  const leave = new AbortController();
  const stream = await fetch(at("/events"), { signal: leave.signal });
  const positions: string[] = [];
  const read = async (): Promise<void> => {
    for await (const piece of stream.body?.pipeThrough(new TextDecoderStream()) ?? [])
      positions.push(...[...piece.matchAll(/^data: (\d+)$/gm)].map(([, position = ""]) => position));
  };
  const ended = read().catch(() => undefined);
  await expect.poll(() => positions).toEqual(["0"]);
  notify?.();
  await expect.poll(() => positions).toEqual(["0", "1"]);
  leave.abort();
  await ended;
  await expect.poll(() => notify).toBeUndefined();
});
