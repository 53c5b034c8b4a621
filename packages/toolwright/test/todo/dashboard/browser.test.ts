import { createTask, updateTask } from "@toolwright/todo/tasks/edit-tasks.js";
import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { findChromium } from "../../../../../tests/support/browser.js";
import { openSite, type Site, TOKEN } from "./kit.js";
import { runTask } from "./run-task.js";

const program = findChromium();

describe.skipIf(program === undefined)("the dashboard in a browser", { timeout: 60_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: program ?? "", args: ["--no-sandbox"] });
  }, 60_000);
  afterAll(() => browser?.close());

  /** Opens a page, and notes all that it says, and all that it asks of others. */
  async function open(
    { url }: Site,
    path = "/",
    options: Parameters<Browser["newPage"]>[0] = {},
  ): Promise<{ page: Page; heard: string[] }> {
    const page = await browser.newPage(options);
    onTestFinished(() => page.close());
    const heard: string[] = [];
    page.on("console", (message) => heard.push(message.text()));
    page.on("pageerror", (error) => heard.push(error.message));
    page.on("dialog", (dialog) => heard.push(dialog.message()));
    page.on("request", (request) => {
      if (!request.url().startsWith(url)) heard.push(request.url());
    });
    await page.goto(new URL(path, url).href);
    if (options.javaScriptEnabled !== false) await page.locator("#live.on").waitFor();
    return { page, heard };
  }

  /** How far things have moved by themselves, as browsers count it. */
  const shiftOf = (page: Page): Promise<number> =>
    page.evaluate(`new Promise((resolve) => {
      let sum = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) sum += entry.value;
      }).observe({ type: "layout-shift", buffered: true });
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
    })`);

  const focusedIn = (page: Page): Promise<string> => page.evaluate('document.activeElement?.textContent.trim() ?? ""');

  test("shows what another process does, live; filters; opens; follows a blocker", async () => {
    const site = await openSite();
    const base = await createTask(site.todo, { description: "lay the foundation" });
    const { page, heard } = await open(site);
    expect(await shiftOf(page)).toBe(0);
    await page.getByRole("link", { name: "lay the foundation" }).focus();
    await runTask(site.database, "add", "build the house", "--after", base.id, "-p", "1");
    const fresh = page.locator(".card", { hasText: "build the house" });
    await fresh.waitFor();
    expect(await fresh.locator(".marks").innerText()).toMatch(/P1\s+Blocked/);
    // Who was at a task is still there.
    expect(await focusedIn(page)).toBe("lay the foundation");
    await page.locator("select[name=mark]").selectOption("Blocked");
    await page.waitForURL("**/tasks?mark=blocked");
    expect(await page.locator(".card a").allTextContents()).toEqual(["build the house"]);
    await page.getByRole("link", { name: "build the house" }).click();
    await page.getByRole("heading", { level: 1, name: "build the house" }).waitFor();
    await page.getByRole("link", { name: "lay the foundation" }).click();
    await page.getByRole("heading", { level: 1, name: "lay the foundation" }).waitFor();
    await page.locator("#live.on").waitFor();
    await runTask(site.database, "done", base.id);
    await page.locator("article .mark.is-completed").waitFor();
    expect(heard).toEqual([]);
  });

  test("answers to keys: search, move, help, and lets people switch that off", async () => {
    const site = await openSite();
    for (const description of ["one", "two", "three"]) await createTask(site.todo, { description });
    const { page } = await open(site);
    const focused = () => focusedIn(page);
    await page.keyboard.press("j");
    expect(await focused()).toBe("three");
    await page.keyboard.press("j");
    expect(await focused()).toBe("two");
    await page.keyboard.press("k");
    expect(await focused()).toBe("three");
    await page.keyboard.press("?");
    expect(await page.getByRole("dialog").isVisible()).toBe(true);
    await page.getByLabel("Use keyboard shortcuts").uncheck();
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    expect(await page.getByRole("dialog").isVisible()).toBe(false);
    await page.evaluate("localStorage.clear()");
    await page.reload();
    await page.keyboard.press("/");
    await page.keyboard.type("two");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Search: two" }).waitFor();
    expect(await page.locator(".card a").allTextContents()).toEqual(["two"]);
  });

  test("keeps what was opened, and what is typed, while the page changes", async () => {
    const site = await openSite();
    const { id } = await createTask(site.todo, { description: "one" });
    const { page } = await open(site, "/tasks/activity");
    await page.getByText("Show as a table").click();
    await updateTask(site.todo, { id, status: "completed" });
    await page.locator(".timeline .is-completed").waitFor();
    expect(await page.locator("details").getAttribute("open")).toBe("");
    await page.getByLabel("Search tasks").fill("half a wo");
    await createTask(site.todo, { description: "another" });
    await page.getByRole("link", { name: "another" }).waitFor();
    expect(await page.getByLabel("Search tasks").inputValue()).toBe("half a wo");
  });

  test("works without JavaScript, down to a change", async () => {
    const site = await openSite({ writeToken: TOKEN });
    const { id } = await createTask(site.todo, { description: "one" });
    const { page, heard } = await open(site, "/unlock", { javaScriptEnabled: false });
    await page.getByLabel("Write token").fill(TOKEN);
    await page.getByRole("button", { name: "Unlock" }).click();
    await page.getByLabel("Description contains").fill("on");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByRole("link", { name: "one" }).click();
    await page.getByRole("button", { name: "Mark as done" }).click();
    await page.locator("article .mark.is-completed").waitFor();
    expect(page.url()).toBe(new URL(`/tasks/${id}`, site.url).href);
    expect(heard).toEqual([]);
  });

  test.each(["light", "dark"] as const)("is there for everybody, in %s, wide and narrow", async (colorScheme) => {
    const site = await openSite({ writeToken: TOKEN });
    const long = "x".repeat(400);
    const one = await createTask(site.todo, { description: `<b>one</b> ${long}`, priority: 1, context: long });
    const two = await createTask(site.todo, { description: "two", priority: 2, blocked_by: [one.id] });
    await createTask(site.todo, { description: "three", blocked_by: [one.id, two.id], parent_id: two.id });
    await site.client.callTool("get_task", { id: two.id });
    const paths = [
      "/tasks",
      `/tasks/${two.id}`,
      "/tasks/graph",
      "/tasks/activity",
      "/tasks/search?q=two",
      "/server",
      "/unlock",
      "/tasks/no",
    ];
    const { page, heard } = await open(site, "/", { colorScheme, bypassCSP: true });
    for (const path of paths) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(new URL(path, site.url).href);
      expect([path, await shiftOf(page)]).toEqual([path, 0]);
      await page.evaluate(axe.source);
      const violations = await page.evaluate("axe.run().then(({ violations }) => violations.map(({ id }) => id))");
      expect([path, violations]).toEqual([path, []]);
      await page.setViewportSize({ width: 400, height: 800 });
      const over = await page.evaluate("Math.max(0, document.documentElement.scrollWidth - innerWidth)");
      expect([path, over]).toEqual([path, 0]);
    }
    expect(heard.filter((line) => !line.includes("404"))).toEqual([]);
  });
});
