import { expect, test } from "vitest";
import { openPlace } from "./run.js";

const MOMENT = "2020-01-02T03:04:05.000Z";

/** A place with so many tasks, made at once. */
function placeWith(count: number) {
  const place = openPlace();
  const lines = Array.from({ length: count }, (_, number) =>
    JSON.stringify({
      id: `task_${String(number).padStart(20, "0")}`,
      description: `bulk ${number}`,
      created_at: MOMENT,
      updated_at: MOMENT,
    }),
  );
  expect(place.task(["import", "-"], lines.join("\n"))).toMatchObject({ status: 0 });
  return place;
}

test("reports how many tasks a list omits, also with ids only, and nothing if it is complete", () => {
  const { task, good } = placeWith(70);
  const more = "and more; use --limit to show them";
  expect(good("search", "bulk").split("\n").slice(20)).toEqual([expect.stringContaining("bulk"), more]);
  expect(JSON.parse(good("search", "bulk", "--json"))).toMatchObject({ next_cursor: "20" });
  expect(task(["search", "bulk", "-q"])).toMatchObject({ status: 0, stderr: `${more}\n` });
  expect(task(["list", "-q"])).toMatchObject({ status: 0, stderr: "and 20 more; use --limit to show them\n" });
  expect(good("history").split("\n").at(-1)).toBe("and older ones; use --limit to show them");
  for (const words of [
    ["search", "bulk", "-q", "-n", "70"],
    ["list", "-q", "-n", "70"],
    ["next", "-q"],
  ])
    expect(task(words)).toMatchObject({ status: 0, stderr: "" });
  expect(good("search", "bulk", "-n", "70")).not.toContain("--limit");
  expect(good("history", "-n", "70")).not.toContain("--limit");
  expect(JSON.parse(good("search", "bulk", "-n", "70", "--json"))).not.toHaveProperty("next_cursor");
});

test("as many can be listed as there are", () => {
  const { good } = placeWith(1500);
  expect(good("list", "-q", "-n", "100000").split("\n")).toHaveLength(1500);
  expect(good("list", "-n", "2000").split("\n")).toHaveLength(1501);
  expect(good("search", "bulk", "-q", "-n", "2000").split("\n")).toHaveLength(1500);
});
