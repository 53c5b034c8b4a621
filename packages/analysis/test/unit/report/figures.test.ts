import { describe, expect, test } from "vitest";
import { counted } from "../../../src/format.js";
import { momentsOf, namesOf, together } from "../../../src/report/draw-trend.js";
import { at, createHeat, evenTicks, fit, rootTicks } from "../../../src/report/figures.js";

describe("figures", () => {
  test("numbers agree with their nouns", () => {
    expect([counted(1, "file"), counted(0, "file"), counted(12_345, "line")]).toEqual([
      "1 file",
      "0 files",
      "12,345 lines",
    ]);
  });

  test("coordinates have a tenth of a pixel", () => {
    expect([at(1 / 3), at(2), at(-0.04)]).toEqual(["0.3", "2", "0"]);
  });

  test("a text is cut in its middle to its room, wide letters count twice, and what says nothing is left out", () => {
    expect(fit("exchange.ts", 100, 6)).toBe("exchange.ts");
    expect(fit("exchange.ts", 48, 6)).toBe("exch….ts");
    expect(fit("日本語のファイル", 60, 6)).toBe("日本…イル");
    expect(fit("exchange.ts", 36, 6)).toBe("");
    expect(fit("fetch-exchange-of-one.ts", 90, 6)).not.toBe(fit("fetch-exchange-of-two.ts", 90, 6));
  });

  test("ticks are round, and far enough apart to be read", () => {
    expect(rootTicks(240, 400)).toEqual([0, 2, 10, 20, 50, 100, 200]);
    expect(rootTicks(1, 400)).toEqual([0, 1]);
    expect(evenTicks(87)).toEqual([0, 50, 100]);
    expect(evenTicks(0)).toEqual([0, 1]);
    expect(evenTicks(1234)).toEqual([0, 500, 1000, 1500]);
  });

  test("colours are spread over the scores, but a calm project stays calm", () => {
    const heat = createHeat([0, 12, 50]);
    expect([0, 0.9, 1, 12, 39, 40, 50].map(heat.of)).toEqual([0, 0, 1, 4, 7, 8, 8]);
    expect(createHeat([1]).of(1)).toBe(2);
  });
});

describe("moments", () => {
  test("divide a span, with both its ends", () => {
    const moments = momentsOf(new Date("2026-01-01T00:00:00Z"), new Date("2026-01-31T00:00:00Z"), 4);
    expect(namesOf(moments)).toEqual(["2026-01-01", "2026-01-11", "2026-01-21", "2026-01-31"]);
  });

  test("have the minute where they lie on one day", () => {
    const moments = momentsOf(new Date("2026-01-01T00:00:00Z"), new Date("2026-01-01T01:00:00Z"), 3);
    expect(namesOf(moments)).toEqual(["2026-01-01 00:00", "2026-01-01 00:30", "2026-01-01 01:00"]);
  });

  test("are one where there is no span", () => {
    expect(momentsOf(new Date(5), new Date(5), 12)).toEqual([new Date(5)]);
  });

  test("add up what was there", () => {
    const files = [
      { path: "a", values: [undefined, 2] },
      { path: "b", values: [3, 4] },
    ];
    expect(together({ dates: ["x", "y"], files })).toEqual([3, 6]);
  });
});
