import { expect, test } from "vitest";
import { logArgs } from "../../../src/churn/git-log.js";

const sinceOf = (since: number): readonly string[] =>
  logArgs(
    { query: {}, scope: { root: "/p", prefix: "", contains: () => true }, since, head: "HEAD" },
    "--since-as-filter",
  ).filter((word) => word.includes("since"));

test("git is asked for a period in UTC, to the second", () => {
  expect(sinceOf(1_000_000_001)).toEqual(["--since-as-filter=2001-09-09T01:46:41Z"]);
});

test("git is never asked for a time before 1970, which it cannot read", () => {
  expect(sinceOf(86_400)).toEqual(["--since-as-filter=1970-01-02T00:00:00Z"]);
  expect([...sinceOf(0), ...sinceOf(-86_400)]).toEqual([]);
});
