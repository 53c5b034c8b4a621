import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { findChromium } from "../../../../tests/support/browser.js";
import { writePage } from "../../src/report/page.js";
import { LOW_CONTRASTS } from "./contrast.js";
import { HOSTILE, sampleReport } from "./sample.js";

const program = findChromium();

describe.skipIf(program === undefined)("the page of a report in a browser", () => {
  let browser: Browser;
  let url: string;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "toolwright-page-"));
    const file = path.join(folder, "report.html");
    writeFileSync(file, writePage(sampleReport()));
    url = pathToFileURL(file).href;
    browser = await chromium.launch({ executablePath: program ?? "", args: ["--no-sandbox"] });
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Opens the page, and notes all that it says and asks for. */
  async function open(options: Parameters<Browser["newPage"]>[0] = {}): Promise<{ page: Page; heard: string[] }> {
    const page = await browser.newPage(options);
    onTestFinished(() => page.close());
    const heard: string[] = [];
    page.on("console", (message) => heard.push(message.text()));
    page.on("pageerror", (error) => heard.push(error.message));
    page.on("dialog", (dialog) => heard.push(dialog.message()));
    page.on("request", (request) => {
      if (request.url() !== url && request.url() !== "data:,") heard.push(request.url());
    });
    await page.goto(url);
    return { page, heard };
  }

  const firstFiles = (page: Page): Promise<string[]> =>
    page.locator("table.sorts tbody tr:visible th").allTextContents();

  test("opens from a file, asks for nothing else and runs nothing of a file's name", async () => {
    const { page, heard } = await open();
    expect(await page.title()).toBe("Hotspots of demo & sons");
    expect(await page.locator("section h2").allTextContents()).toEqual([
      "Map",
      "Where to begin",
      "Complexity and change",
      "Over time",
      "Files",
      "How to read it",
    ]);
    expect(await page.locator("img").count()).toBe(0);
    expect(heard).toEqual([]);
  });

  test("sorts by keyboard, and says by what", async () => {
    const { page } = await open();
    const score = page.getByRole("button", { name: "Lines" });
    await score.focus();
    await page.keyboard.press("Enter");
    expect((await firstFiles(page))[0]).toBe("src/engine/exchange.ts");
    await page.keyboard.press("Enter");
    expect((await firstFiles(page))[0]).toBe("main.ts");
    expect(await page.locator("th[aria-sort]").allTextContents()).toEqual(["Code lines"]);
    expect(await page.locator("th[aria-sort]").getAttribute("aria-sort")).toBe("ascending");
    await page.getByRole("button", { name: "File", exact: true }).press("Space");
    expect((await firstFiles(page))[0]).toBe("main.ts");
  });

  test("filters by keyboard, everywhere at once", async () => {
    const { page } = await open();
    await page.keyboard.press("/");
    await page.keyboard.type("NEAREST");
    expect(await firstFiles(page)).toEqual(["src/words/nearest.ts"]);
    expect(await page.locator("details.brief:visible b").allTextContents()).toEqual(["nearest"]);
    expect(await page.locator("svg.map.wide .tile:not(.faint)").count()).toBe(1);
    expect(await page.getByRole("status").textContent()).toBe("1 file");
    await page.keyboard.press("Escape");
    expect(await firstFiles(page)).toHaveLength(5);
    await page.keyboard.type("nothing has this");
    expect(await page.getByText("No path in this table matches.").isVisible()).toBe(true);
  });

  test("names each tile, and leads from tile to tile by arrow keys", async () => {
    const { page } = await open();
    const tiles = page.locator("svg.map.wide .tile");
    expect(await tiles.count()).toBe(5);
    expect(await tiles.locator("title").count()).toBe(5);
    expect(await page.locator('svg.map.wide .tile[tabindex="0"]').count()).toBe(1);
    await page.locator('svg.map.wide .tile[tabindex="0"]').focus();
    const before = await page.locator("#detail").textContent();
    for (const key of ["ArrowRight", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
    const after = await page.locator("#detail").textContent();
    expect(before).toMatch(/^src\/engine\/exchange\.ts: score 63/);
    expect(after).not.toBe(before);
    expect(await page.evaluate<string>('document.activeElement.querySelector("title").textContent')).toBe(after);
    expect(await page.locator(`svg.map.wide .tile`, { hasText: "gnp.ts" }).count()).toBe(1);
    expect(HOSTILE).toContain("gnp.ts");
  });

  test.each(["light", "dark"] as const)("can be read in %s, and the button changes that", async (colorScheme) => {
    const { page } = await open({ colorScheme });
    const other = colorScheme === "light" ? "Dark" : "Light";
    expect(await page.evaluate<string[]>(LOW_CONTRASTS)).toEqual([]);
    await page.getByRole("button", { name: other }).press("Enter");
    expect(await page.locator("html").getAttribute("data-theme")).toBe(other.toLowerCase());
    expect(await page.evaluate<string[]>(LOW_CONTRASTS)).toEqual([]);
  });

  test("would show colours that cannot be read", async () => {
    const { page } = await open({ colorScheme: "light" });
    await page.evaluate("document.querySelector('svg.map.wide .tile .name').style.setProperty('fill', '#86202c')");
    await page.evaluate("document.querySelector('td small').style.setProperty('color', '#aaaaaa')");
    expect(await page.evaluate<string[]>(LOW_CONTRASTS)).toEqual(["1.0 text exchange.ts", "2.3 small 80 %"]);
  });

  test("fits a narrow screen, with pictures of its own", async () => {
    const { page } = await open({ viewport: { width: 400, height: 800 } });
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(400);
    expect(await page.locator("svg.wide:visible").count()).toBe(0);
    expect(await page.locator("svg.map.narrow").isVisible()).toBe(true);
  });

  test("can be read without its script", async () => {
    const { page } = await open({ javaScriptEnabled: false });
    expect(await page.locator("#filter").isVisible()).toBe(false);
    expect(await page.locator("svg.map.wide").isVisible()).toBe(true);
    expect(await page.locator("table.sorts tbody tr").count()).toBe(5);
  });
});
