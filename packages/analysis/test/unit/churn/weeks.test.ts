import { expect, test } from "vitest";
import { Weeks } from "../../../src/churn/churn-counter.js";

const at = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 1000;

test("weeks begin on Monday, and none is missing until now", () => {
  const weeks = new Weeks(at("2031-05-06"));
  weeks.add(at("2031-04-20"), 4);
  weeks.add(at("2031-04-14"), 3);
  weeks.add(at("2031-04-28"), 2);
  expect(weeks.list()).toEqual([
    { from: "2031-04-14", commits: 2, lines: 7 },
    { from: "2031-04-21", commits: 0, lines: 0 },
    { from: "2031-04-28", commits: 1, lines: 2 },
    { from: "2031-05-05", commits: 0, lines: 0 },
  ]);
});

test("what a wrong clock dates later counts for this week", () => {
  const weeks = new Weeks(at("2031-05-06"));
  weeks.add(at("2999-01-01"), 1);
  expect(weeks.list()).toEqual([{ from: "2031-05-05", commits: 1, lines: 1 }]);
});

test("no commit is no week", () => {
  expect(new Weeks(at("2031-05-06")).list()).toEqual([]);
});
