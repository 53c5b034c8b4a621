import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { writePage } from "../../src/report/page.js";
import { fileOf, sampleReport } from "./sample.js";

const part = (page: string, tag: "script" | "style"): string =>
  new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(page)?.[1] ?? "";

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

describe("the page of a report", () => {
  test("is the same for the same report at the same time", () => {
    expect(writePage(sampleReport())).toBe(writePage(sampleReport()));
  });

  test("allows its own style and script by their hashes, and nothing else", () => {
    const page = writePage(sampleReport());
    const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
    expect(policy).toBe(
      `default-src 'none'; script-src ${hashOf(part(page, "script"))}; style-src ${hashOf(part(page, "style"))}; img-src data:; base-uri 'none'; form-action 'none'`,
    );
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toMatch(/\s(?:style|on\w+)="/);
    expect(page.replaceAll(/https?:\/\/www\.w3\.org\S*/g, "")).not.toMatch(/https?:/);
  });

  test("has no sign in it that a hostile name brought along unescaped", () => {
    const page = writePage(sampleReport());
    expect(page).not.toContain("<img");
    expect(page).not.toContain("alert(2)</script>");
    expect(page).not.toContain("\u{202e}");
    expect(page).toContain("\\u{202e}gnp.ts");
    expect(page).toContain("<h1>Hotspots of <bdi>demo &amp; sons</bdi></h1>");
    expect(page).not.toContain("<settle>");
    expect(page).not.toContain("<shallow>");
    expect(page).not.toContain("<broken>");
  });

  test("can be read without its script: pictures with titles, tables, briefs with each increment", () => {
    const page = writePage(sampleReport());
    expect(page).toContain(
      "<title>src/engine/exchange.ts: score 63, 400 lines of code, complexity 90, 24 commits</title>",
    );
    expect(page).toContain('<td class="number">40</td><td><code>for</code></td><td class="number">+2</td>');
    expect(page).toContain("<p>Further lines add 11 more.</p>");
    expect(page).toContain("<li>Extract lines 40–52");
    expect(page).toContain("None found: write some first.");
    expect(page).toContain("<h3>What to do</h3><p>No part stands out: 2 of 17 points come from &quot;for&quot;.");
    expect(page).toContain("week from 2026-01-19: 32 commits");
    expect(page).toContain('<th scope="row">Together</th><td class="number">50</td>');
    expect(page).toContain("syntax error in line 3");
  });

  test("has a colour for how complex a function is, and each caller once", () => {
    const report = sampleReport();
    const [brief] = report.hotspots.briefs;
    if (brief === undefined) throw new Error("the sample has no brief");
    const callers = [
      { caller: "start", line: 3 },
      { caller: "stop", line: 4 },
      { caller: "start", line: 9 },
    ];
    const briefs = [15, 16, 30, 31].map((cognitive) => ({ ...brief, cognitive, callers }));
    const page = writePage({ ...report, hotspots: { ...report.hotspots, briefs } });
    expect(page.match(/class="badge \w+">cognitive \d+/g)).toEqual([
      'class="badge quiet">cognitive 15',
      'class="badge warm">cognitive 16',
      'class="badge warm">cognitive 30',
      'class="badge hot">cognitive 31',
    ]);
    expect(page).toContain("<ul><li><bdi>start</bdi>, lines 3, 9</li><li><bdi>stop</bdi>, line 4</li></ul>");
  });

  test("has each date under the middle of its bar, the last one too", () => {
    const page = writePage(sampleReport());
    const [, weeks = ""] = /aria-label="Commits per week">([^]*?)<\/svg>/.exec(page) ?? [];
    const bars = [...weeks.matchAll(/<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/g)];
    const dates = [...weeks.matchAll(/<text class="tick middle" x="([\d.]+)"/g)];
    expect(dates.map(([, x]) => Number(x))).toEqual(bars.map(([, x, width]) => Number(x) + Number(width) / 2));
    expect(bars).toHaveLength(3);
  });

  test("says so where there is no history, and leaves out what needs one", () => {
    const { project, made, hotspots } = sampleReport();
    const page = writePage({ project, made, hotspots: { ...hotspots, basis: "complexity" } });
    expect(page).toContain("There is no history, so the score is the complexity alone.");
    expect(page).not.toContain('id="scatter"');
    expect(page).not.toContain('id="history"');
  });

  test("is a page even where there is nothing to show", () => {
    const { hotspots, made } = sampleReport();
    const page = writePage({ project: "", made, hotspots: { ...hotspots, files: [], briefs: [], skipped: [] } });
    expect(page).toContain("No file could be measured.");
  });

  test("stays below two megabytes for five thousand files with long names", () => {
    const many = Array.from({ length: 5000 }, (_, index) =>
      fileOf(`packages/part-${index % 40}/src/some-folder-${index % 7}/a-file-with-a-long-name-${index}.ts`, {
        code_lines: 10 + (index % 300),
        score: (index % 100) / 2,
      }),
    );
    const page = writePage(sampleReport(many));
    expect(Buffer.byteLength(page)).toBeLessThan(2_000_000);
    expect(page).toContain("And 4,005 more");
  });
});
