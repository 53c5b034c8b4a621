import { expect, test } from "vitest";
import { toLogOptions } from "../../../src/git/log.js";

test.each([
  "2026-02-31",
  "2026-13-45",
  "13-45",
  "2026-00-10",
  "2026-02-29 10:00",
  "2026-06-31T10:00:00Z",
  "31/31/2026",
  "32.1.2026",
  "2026-13",
])("%j is no date", (since) => {
  expect(() => toLogOptions({ since })).toThrow("since must be a date");
  expect(() => toLogOptions({ until: since })).toThrow("until must be a date");
});

test.each([
  "2024-02-29",
  "2024-05-01T10:00:00-05:00",
  "2024-05-01 10:00:00 -0700",
  "2024-5-1",
  "2024-05",
  "5/31/2024",
  "31/5/2024",
  "31.12.2024",
  "2.weeks.ago",
  "2 weeks ago",
  "1.5 days ago",
  "yesterday",
  "10:45",
  "1714550400",
  "Mon, 3 Jul 2006 17:18:43 +0200",
  "12-25",
])("%j is one", (since) => {
  expect(toLogOptions({ since })).toEqual([`--since=${since}`]);
});
