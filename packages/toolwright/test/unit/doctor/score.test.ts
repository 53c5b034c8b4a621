import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { HTTP_CHECKS, PROGRAM_CHECKS } from "../../../src/doctor/checks/all.js";
import { scoreOf, WEIGHTS } from "../../../src/doctor/score.js";

describe("the score", () => {
  test("is what was got of what was possible", () => {
    const verdicts = [
      { id: "wire.form", verdict: "good" },
      { id: "wire.ids", verdict: "warning" },
      { id: "limits.cancel", verdict: "not applicable" },
    ];
    expect(scoreOf(verdicts)).toEqual({ points: 75, letter: "C" });
    expect(scoreOf([{ id: "limits.cancel", verdict: "not applicable" }])).toBeUndefined();
  });

  test("is no A where there is a fault", () => {
    const many = Array.from({ length: 50 }, () => ({ id: "wire.form", verdict: "good" }));
    expect(scoreOf([...many, { id: "start.stderr", verdict: "fault" }])).toEqual({ points: 89, letter: "B" });
  });

  test("has a weight for every check, and the guide has the same", () => {
    const ids = new Set([...PROGRAM_CHECKS, ...HTTP_CHECKS].map(({ id }) => id));
    expect(Object.keys(WEIGHTS).toSorted()).toEqual([...ids].toSorted());
    const guide = readFileSync(new URL("../../../../../docs/guides/doctor.md", import.meta.url), "utf8");
    const rows = [...guide.matchAll(/^\| `([^`]+)` \| (\d+) \|$/gm)].map(([, id, weight]) => [id, Number(weight)]);
    expect(Object.fromEntries(rows)).toEqual(WEIGHTS);
  });
});
