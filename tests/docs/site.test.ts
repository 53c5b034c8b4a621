import { rmSync } from "node:fs";
import path from "node:path";
import axe from "axe-core";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { findChromium } from "../support/browser.js";
import { readPages, root } from "./pages.js";
import { type BuiltSite, buildSite, findWord, idsOf, serveSite } from "./site-kit.js";

interface SidebarItem {
  readonly link?: string;
  readonly items?: readonly SidebarItem[];
}

let site: BuiltSite;
let pages: readonly string[];
beforeAll(async () => {
  site = await buildSite();
  pages = site.files.filter((file) => file.endsWith(".html"));
}, 300_000);
afterAll(() => rmSync(site.folder, { recursive: true }));

const linksOf = ({ link, items = [] }: SidebarItem): readonly string[] => [
  ...(link === undefined ? [] : [link]),
  ...items.flatMap(linksOf),
];

describe("the site of the documentation", () => {
  test("is built without a complaint", () => {
    expect({ code: site.code, complaints: site.words.match(/^.*(?:error|warn|not loaded|dead link).*$/gim) }).toEqual({
      code: 0,
      complaints: null,
    });
  });

  test("has every page of docs, and the sidebar leads to each", async () => {
    const config = `${root}docs/.vitepress/config.mjs`;
    const { default: settings } = (await import(/* @vite-ignore */ config)) as {
      default: { themeConfig: { sidebar: readonly SidebarItem[] } };
    };
    const led = settings.themeConfig.sidebar.flatMap(linksOf).map((link) => `${link.slice(1)}.html`);
    const written = readPages().flatMap(({ file }) => /^docs\/(.*[^\]])\.md$/.exec(file)?.[1] ?? []);
    const expected = written.filter((name) => name !== "index").map((name) => `${name}.html`);
    const ofProject = ["architecture", "changelog", "contributing", "security"].map((name) => `project/${name}.html`);
    expect(led.toSorted()).toEqual([...expected, ...ofProject].toSorted());
    expect(pages.filter((file) => file !== "404.html" && file !== "index.html")).toEqual(led.toSorted());
  });

  test("has no link that leads nowhere", () => {
    const ids = new Map(pages.map((file) => [file, idsOf(site.read(file))]));
    const dead = pages.flatMap((file) =>
      [...site.read(file).matchAll(/<a [^>]*?href="([^"]*)"/g)].flatMap(([, href = ""]) => {
        if (/^[a-z]+:/.test(href)) return [];
        const { pathname, hash } = new URL(href, `http://site/${file}`);
        const target = pathname === "/" ? "index.html" : decodeURIComponent(pathname.slice(1));
        const isThere = hash === "" ? ids.has(target) : ids.get(target)?.has(decodeURIComponent(hash.slice(1)));
        return isThere ? [] : [`${file}: ${href}`];
      }),
    );
    expect(dead).toEqual([]);
  });

  test("takes nothing from another machine", () => {
    const strange = pages.flatMap((file) =>
      [...site.read(file).matchAll(/<(?:script|link|img|iframe|source)\b[^>]*?(?:src|href)="([^"]*)"/g)]
        .map(([, place = ""]) => place)
        .filter((place) => /^(?:[a-z]+:)?\/\//.test(place)),
    );
    const styles = site.files.filter((file) => file.endsWith(".css")).map((file) => site.read(file));
    expect(styles.length).toBeGreaterThan(0);
    expect(strange).toEqual([]);
    expect(styles.flatMap((text) => text.match(/(?:url\(|@import )["']?(?:https?:)?\/\/[^)]*/g) ?? [])).toEqual([]);
  });

  test("can be searched: the index knows where a word stands", async () => {
    expect(await findWord(site, "callsinflight")).toContain("/reference/limits.html#limits-of-the-server");
    expect(await findWord(site, "nosuchwordanywhere")).toEqual([]);
  });
});

const program = findChromium();

describe.skipIf(program === undefined)("the site in a browser", { timeout: 120_000 }, () => {
  let browser: Browser;
  let url: string;
  let served: Awaited<ReturnType<typeof serveSite>>;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: program ?? "", args: ["--no-sandbox"] });
    served = await serveSite(site);
    url = served.url;
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await served?.close();
  });

  async function open(place: string, options: Parameters<Browser["newPage"]>[0] = {}) {
    const page = await browser.newPage(options);
    onTestFinished(() => page.close());
    const heard: string[] = [];
    page.on("pageerror", (error) => heard.push(error.message));
    page.on("request", (request) => {
      if (!request.url().startsWith(url)) heard.push(request.url());
    });
    await page.goto(`${url}/${place}`, { waitUntil: "networkidle" });
    return { page, heard };
  }

  test("finds a word, opens its page, and contacts no other host", async () => {
    const { page, heard } = await open("");
    await page.locator(".DocSearch-Button").click();
    await page.locator(".search-input").fill("callsInFlight");
    const first = page.locator(".results .result").first();
    await first.waitFor();
    await page.locator(".results .result", { hasText: "Limits of the server" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Limits" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/reference/limits.html");
    expect(heard).toEqual([]);
  });

  test.each(["light", "dark"] as const)("is there for everybody, %s", async (colorScheme) => {
    const faults: string[] = [];
    for (const place of ["", "tutorial.html", "reference/limits.html"]) {
      const { page, heard } = await open(place, { colorScheme, viewport: { width: 1280, height: 800 } });
      await page.addScriptTag({ content: axe.source });
      // The tests have no types of the browser.
      const { violations } = (await page.evaluate("axe.run()")) as axe.AxeResults;
      const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      faults.push(
        ...serious.map(
          ({ id, nodes }) =>
            `${place}: ${id}: ${nodes
              .slice(0, 3)
              .map((node) => node.html)
              .join(" ")}`,
        ),
      );
      faults.push(...heard);
    }
    expect(faults).toEqual([]);
  });

  test("fits a narrow screen: nothing but tables and code is wider", async () => {
    for (const place of ["", "guides/http.html", "reference/limits.html", "compare.html"]) {
      const { page } = await open(place, { viewport: { width: 375, height: 800 } });
      expect(await page.evaluate("document.documentElement.scrollWidth"), path.basename(place)).toBe(375);
    }
  });
});
