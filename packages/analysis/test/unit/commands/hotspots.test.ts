import { createPaint } from "@toolwright/kit/terminal";
import { expect, test } from "vitest";
import { showHotspots } from "../../../src/commands/hotspots.js";
import { fileOf, sampleReport } from "../../report/sample.js";

const screen = (width: number) => ({ paint: createPaint(false), width, project: "demo" });

const { hotspots: sample } = sampleReport();

test("the lines of a brief fit the screen, and go on under their text", () => {
  const text = showHotspots(screen(80), sample, 1);
  expect(text).toContain(
    [
      '   do       Extract lines 40–52 (the body of the "for"): takes away 12 of 17 and',
      "            leaves 5.",
      "   callers  Exchange.start:12",
    ].join("\n"),
  );
  const brief = text.slice(text.indexOf("Where to begin"), text.indexOf("Skipped, or only"));
  for (const line of brief.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
});

test("the table counts lines of code and says so", () => {
  const text = showHotspots(screen(Number.POSITIVE_INFINITY), { ...sample, files: [fileOf("a.ts")], briefs: [] }, 9);
  expect(text).toContain(
    [
      "file  score  complexity  churn  commits  code lines  main author",
      "a.ts   14.3          20   0.50        5         100  Ada Lovelace",
    ].join("\n"),
  );
});

test("without history nothing is said of change", () => {
  const files = [fileOf("a.ts", { churn: 0, commits: 0, authors: [] })];
  const found = { ...sample, files, briefs: [], basis: "complexity" as const };
  expect(showHotspots(screen(Number.POSITIVE_INFINITY), found, 9)).toContain(
    "a.ts   14.3          20      –        –         100  –",
  );
});

test("a tab or a line break in the name of a file is seen", () => {
  const found = { ...sample, files: [fileOf("a\tb\nc.ts")], briefs: [] };
  expect(showHotspots(screen(Number.POSITIVE_INFINITY), found, 9)).toContain("\na␉b␊c.ts  ");
});
