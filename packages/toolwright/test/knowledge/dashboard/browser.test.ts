import { evaluate } from "@toolwright/knowledge/evaluation/evaluate.js";
import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { findChromium } from "../../../../../tests/support/browser.js";
import { DOCUMENTS, openSite, type Site } from "./kit.js";

const program = findChromium();

describe.skipIf(program === undefined)("knowledge in a browser", { timeout: 60_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: program ?? "", args: ["--no-sandbox"] });
  }, 60_000);
  afterAll(() => browser?.close());

  /** Opens a page, and notes all that it says, and all that it asks of others. */
  async function open(
    { url }: Site,
    path: string,
    options: Parameters<Browser["newPage"]>[0] = {},
  ): Promise<{ page: Page; heard: string[] }> {
    const page = await browser.newPage(options);
    onTestFinished(() => page.close());
    const heard: string[] = [];
    page.on("console", (message) => heard.push(message.text()));
    page.on("pageerror", (error) => heard.push(error.message));
    page.on("request", (request) => {
      if (!request.url().startsWith(url)) heard.push(request.url());
    });
    await page.goto(new URL(path, url).href);
    if (options.javaScriptEnabled !== false) await page.locator("#live.on").waitFor();
    return { page, heard };
  }

  test("shows what is taken in, live; finds it; opens the passage", async () => {
    const site = await openSite();
    const { page, heard } = await open(site, "/knowledge");
    await page.getByText("There are no collections yet").waitFor();
    await site.fill("guides", DOCUMENTS);
    await page.locator(".card", { hasText: "3 documents" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("how long does a session last");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Search: how long does a session last" }).waitFor();
    await page.getByText("How the score is computed").first().click();
    expect(await page.locator(".hit details[open] table").count()).toBe(3);
    await page.getByLabel("Search by").selectOption("words only");
    await page.waitForURL("**/knowledge/search?q=how+long+does+a+session+last&mode=words");
    await page.getByRole("link", { name: "Sessions" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Sessions" }).waitFor();
    expect(await page.locator(".lines .cited").first().innerText()).toBe("# Sessions");
    expect(heard).toEqual([]);
  });

  test("shows how far an ingest is, and when it has ended", async () => {
    const site = await openSite();
    await site.fill("guides", DOCUMENTS);
    const ledger = await site.context.store();
    const at = site.context.now();
    const note = (sql: { run(text: string, ...values: string[]): Promise<number> }, kind: string) =>
      sql.run("INSERT INTO changes (at, collection, kind) VALUES (?, 'guides', ?)", at, kind);
    await ledger.write(async (sql) => {
      await sql.run(
        `INSERT INTO runs (id, collection, version, status, stage, done, total, holder, beat_at, started_at)
         SELECT 'run_live', id, 2, 'running', 'read', 10, 40, '{"place":"another","host":"elsewhere","pid":1}', ?, ? FROM collections`,
        at,
        at,
      );
      await note(sql, "ingest_started");
    });
    const { page, heard } = await open(site, "/knowledge/collections/guides");
    await page.getByText("10 of 40").waitFor();
    // Nobody is told of that; the page looks by itself.
    await ledger.write((sql) => sql.run("UPDATE runs SET done = 30 WHERE id = 'run_live'"));
    await page.getByText("30 of 40").waitFor();
    await ledger.write(async (sql) => {
      await sql.run("UPDATE runs SET status = 'cancelled', ended_at = ? WHERE id = 'run_live'", at);
      await note(sql, "ingest_ended");
    });
    await page.getByText("version 2: cancelled").waitFor();
    expect(await page.locator("progress").count()).toBe(0);
    expect(heard).toEqual([]);
  });

  test("works without JavaScript", async () => {
    const site = await openSite();
    await site.fill("guides", DOCUMENTS);
    const { page, heard } = await open(site, "/knowledge", { javaScriptEnabled: false });
    await page.locator(".card a").click();
    await page.getByLabel("Search documents").fill("tide");
    await page.getByRole("button", { name: "Search" }).click();
    await page.locator(".hit a").first().click();
    expect(await page.locator(".cited").allInnerTexts()).toEqual([
      "The harbour opens at dawn. Ships wait for the tide.",
    ]);
    expect(heard).toEqual([]);
  });

  test("is there for everybody, light and dark, wide and narrow", async () => {
    const site = await openSite();
    await site.fill("guides", {
      ...DOCUMENTS,
      [`${"deep/".repeat(30)}x.md`]: `# ${"Long".repeat(60)}\n\nrate ${"x".repeat(300)}`,
    });
    const questions = [{ question: "how often can a client call", relevant: ["guides/limits.md"] }];
    await evaluate(site.context, { collection: "guides", questions, save: true });
    const found = await (await site.get("/knowledge/search?q=rate")).text();
    const document = /href="(\/knowledge\/documents\/[^"#]+)/.exec(found)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const paths = [
      "/knowledge",
      "/knowledge/collections/guides",
      "/knowledge/search?q=rate",
      document,
      "/knowledge/collections/no",
    ];
    const { page, heard } = await open(site, "/knowledge", { colorScheme: "light", bypassCSP: true });
    for (const path of paths) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(new URL(path, site.url).href);
      expect([path, await shiftOf(page)]).toEqual([path, 0]);
      await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
      await page.evaluate(axe.source);
      expect([path, await violationsOn(page)]).toEqual([path, []]);
      await page.emulateMedia({ colorScheme: "dark" });
      // Nothing but the colours depends on it.
      expect([path, await violationsOn(page, "color-contrast")]).toEqual([path, []]);
      await page.emulateMedia({ colorScheme: "light" });
      await page.setViewportSize({ width: 400, height: 800 });
      const over = await page.evaluate("Math.max(0, document.documentElement.scrollWidth - innerWidth)");
      expect([path, over]).toEqual([path, 0]);
    }
    expect(heard.filter((line) => !line.includes("404"))).toEqual([]);
  });
});

/** The names of the rules that a page breaks; of all, or of one. */
const violationsOn = (page: Page, rule?: string): Promise<unknown> =>
  page.evaluate(
    `axe.run(${rule === undefined ? "" : `{ runOnly: ["${rule}"] }`}).then(({ violations }) => violations.map(({ id }) => id))`,
  );

/** How far things have moved by themselves, as browsers count it. */
const shiftOf = (page: Page): Promise<number> =>
  page.evaluate(`new Promise((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) sum += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
  })`);
