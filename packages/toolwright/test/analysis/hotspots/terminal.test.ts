import type { Desk } from "@toolwright/analysis/commands/deed.js";
import { hotspots } from "@toolwright/analysis/commands/hotspots.js";
import { showHotspots } from "@toolwright/analysis/commands/show-hotspots.js";
import { createPaint } from "@toolwright/kit/terminal";
import { expect, test } from "vitest";
import { fileOf, sampleReport } from "../../../../analysis/test/report/sample.js";

const desk = (width: number): Desk =>
  ({ paint: createPaint(false), width, project: "demo", options: {}, format: "summary" }) as unknown as Desk;

const { hotspots: sample } = sampleReport();

test("the lines of a brief fit the screen, and go on under their text", () => {
  const said = showHotspots(desk(80), sample, 1);
  expect(said).toContain(
    [
      '   do       Extract lines 40–52 (the body of the "for"): takes away 12 of 17 and',
      "            leaves 5.",
      "   callers  Exchange.start:12",
    ].join("\n"),
  );
  const brief = said.slice(said.indexOf("Where to begin"), said.indexOf("Not measured"));
  for (const line of brief.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
});

test("the table counts lines of code and says so", () => {
  const said = showHotspots(desk(Number.POSITIVE_INFINITY), { ...sample, files: [fileOf("a.ts")], briefs: [] }, 9);
  expect(said).toContain(
    [
      "file  score  complexity  churn  commits  code lines  main author",
      "a.ts   14.3          20   0.50        5         100  Ada Lovelace",
    ].join("\n"),
  );
});

test("without history nothing is said of change", () => {
  const files = [fileOf("a.ts", { churn: 0, commits: 0, authors: [] })];
  const found = { ...sample, files, briefs: [], basis: "complexity" as const };
  expect(showHotspots(desk(Number.POSITIVE_INFINITY), found, 9)).toContain(
    "a.ts   14.3          20      –        –         100  –",
  );
});

test("a tab or a line break in the name of a file is seen", () => {
  const found = { ...sample, files: [fileOf("a\tb\nc.ts")], briefs: [] };
  expect(showHotspots(desk(Number.POSITIVE_INFINITY), found, 9)).toContain("\na␉b␊c.ts  ");
});

test.each([
  ["-", undefined, "--html needs the name of a file, such as hotspots.html: a page is not printed"],
  ["x.html", "./x.html", '--html and --output both name "x.html"; give two files'],
])("--html %s with --output %s is refused", async (page, output, message) => {
  const options = { "--html": [page], ...(output !== undefined && { "--output": [output] }) };
  await expect(hotspots.run({ ...desk(80), options })).rejects.toThrow(message);
});
