import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readPage, root, rowsOf, sectionOf } from "./pages.js";

const page = readPage("docs/compare.md");
const figures = JSON.parse(readFileSync(`${root}bench/compare.json`, "utf8")) as {
  readonly date: string;
  readonly costs: readonly { readonly cell: string; readonly timesFloor: Readonly<Record<string, number>> }[];
};

test("the tables of docs/compare.md show bench/compare.json", () => {
  const { status, stderr } = spawnSync(process.execPath, [`${root}bench/compare-page.mjs`, "--check"], {
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(page.text).toContain(`Measured on ${figures.date};`);
  const rows = rowsOf(sectionOf(page, "CPU of the server for one request"));
  const timesOurs = figures.costs.map(({ timesFloor }) => timesFloor["ours"] ?? 0);
  expect(rows.map(([, , ours = ""]) => Number(ours.slice(1)))).toEqual(
    timesOurs.map((times) => Number(times.toPrecision(3))),
  );
});

test("docs/compare.md counts our tools as docs/reference/tools.md does", () => {
  const [ours = []] = rowsOf(sectionOf(page, "Token cost of the tool list"));
  const [, count, tokens] =
    /offers (\d+), which cost a model\n([\d,]+) tokens/.exec(readPage("docs/reference/tools.md").text) ?? [];
  expect(ours.slice(0, 3)).toEqual(["toolwright serve", count, tokens]);
});
