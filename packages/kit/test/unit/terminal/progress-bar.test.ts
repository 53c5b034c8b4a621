import { expect, test } from "vitest";
import { drawBar, ProgressBar, type ProgressBarOptions } from "../../../src/terminal/progress-bar.js";
import { Report } from "../../../src/terminal/report.js";
import { createPaint } from "../../../src/terminal/screen.js";
import { widthOf } from "../../../src/terminal/text.js";

const plain = createPaint(false);

/** A bar whose clock and timers are controlled by the test. */
function open(options: Pick<ProgressBarOptions, "isTerminal" | "logAfterMs">) {
  const written: string[] = [];
  const due = new Set<() => void>();
  let now = 1000;
  const report = new Report({
    isTTY: options.isTerminal,
    columns: 61,
    write: (text: string) => written.push(text),
  });
  const bar = new ProgressBar(report, {
    ...options,
    paint: plain,
    clock: () => now,
    schedule: (run) => {
      due.add(run);
      return () => void due.delete(run);
    },
  });
  const wait = (ms: number): void => {
    now += ms;
    for (const run of due) run();
  };
  return { bar, written, due, wait };
}

test("a terminal shows only the newest of quick updates, and nothing after the end", () => {
  const { bar, written, due, wait } = open({ isTerminal: true });
  for (const done of [0, 1, 2]) bar.update({ stage: "Reading", done, total: 4, unit: "files" });
  expect(written).toEqual(["\r░░░░░░░░░░░░░░░░░░░░   0 %  Reading: 0 of 4 files\u{1b}[K"]);
  wait(80);
  bar.update({ stage: "Reading", done: 3, total: 4 });
  bar.end();
  expect(written.slice(1)).toEqual(["\r██████████░░░░░░░░░░  50 %  Reading: 2 of 4 files\u{1b}[K", "\r\u{1b}[2K"]);
  expect(due.size).toBe(0);
});

test("a log gets a line every five seconds, and the last update", () => {
  const { bar, written, wait } = open({ isTerminal: false, logAfterMs: 0 });
  for (let done = 1; done <= 500; done += 1) bar.update({ stage: "Reading", done, unit: "files" });
  wait(5000);
  bar.update({ stage: "Reading", done: 1501, total: 2000 });
  bar.end();
  expect(written).toEqual(["Reading: 1 files\n", "Reading: 500 files\n", "75 %  Reading: 1,501 of 2,000\n"]);
});

test("a log gets no line for work that ends soon", () => {
  const { bar, written, wait } = open({ isTerminal: false });
  bar.update({ stage: "Reading", done: 1, total: 2 });
  bar.update({ stage: "Reading", done: 2, total: 2 });
  bar.end();
  wait(9000);
  expect(written).toEqual([]);
});

test("work without a known total has a block that moves to and fro", () => {
  const draw = (updates: number): string =>
    drawBar({ stage: "", done: 7.00012 }, "7 files", { updates, width: 42, paint: plain });
  expect(draw(0)).toBe("██████░░░░░░░░ 7 files");
  expect(draw(3)).toBe("░░░██████░░░░░ 7 files");
  expect(draw(8)).toBe("░░░░░░░░██████ 7 files");
  expect(draw(9)).toBe("░░░░░░░██████░ 7 files");
  expect(draw(16)).toBe("██████░░░░░░░░ 7 files");
});

test.each([5, 12, 39, 40, 79, 200])("a line is at most %i columns wide", (width) => {
  const label = "日本語の長い知らせ and more of it ".repeat(9);
  for (const total of [undefined, 40]) {
    const line = drawBar({ stage: "", done: 9, ...(total && { total }) }, label, { updates: 3, width, paint: plain });
    expect(widthOf(line)).toBeLessThanOrEqual(width);
  }
});

test("control characters of a server are made visible, and more than the total fills the bar", () => {
  expect(drawBar({ stage: "", done: 9, total: 3 }, "\u{1b}[2J\nx", { updates: 1, width: 60, paint: plain })).toBe(
    "████████████████████ 100 %  ␛[2J x",
  );
});
