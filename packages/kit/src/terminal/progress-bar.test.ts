import { expect, test } from "vitest";
import { createPaint } from "./paint.js";
import { drawBar, ProgressBar } from "./progress-bar.js";
import { Report } from "./report.js";
import { widthOf } from "./table.js";

const plain = createPaint(false);

/** A bar whose clock, and what is to be done later, the test has in its hands. */
function open(isTerminal: boolean) {
  const written: string[] = [];
  const due = new Set<() => void>();
  let now = 1000;
  const report = new Report({ isTTY: isTerminal, columns: 61, write: (text: string) => written.push(text) });
  const bar = new ProgressBar(report, {
    isTerminal,
    paint: plain,
    clock: () => now,
    later: (deed) => {
      due.add(deed);
      return () => void due.delete(deed);
    },
  });
  const wait = (ms: number): void => {
    now += ms;
    for (const deed of due) deed();
  };
  return { bar, written, due, wait };
}

test("on a terminal what comes too soon waits, and only the newest of it is drawn", () => {
  const { bar, written, due, wait } = open(true);
  for (const progress of [0, 1, 2]) bar.tell({ progress, total: 4, message: `step ${progress}` });
  expect(written).toEqual(["\r░░░░░░░░░░░░░░░░░░░░   0 %  0/4  step 0\u{1b}[K"]);
  wait(80);
  bar.tell({ progress: 3, total: 4 });
  bar.end();
  expect(written.slice(1)).toEqual(["\r██████████░░░░░░░░░░  50 %  2/4  step 2\u{1b}[K", "\r\u{1b}[2K"]);
  expect(due.size).toBe(0);
});

test("in a log lines come at a bounded rate, and the last word is always there", () => {
  const { bar, written, wait } = open(false);
  for (let progress = 1; progress <= 500; progress += 1) bar.tell({ progress, message: "on" });
  wait(1000);
  bar.tell({ progress: 501 });
  bar.end();
  expect(written).toEqual(["Progress 1: on\n", "Progress 500: on\n", "Progress 501\n"]);
});

test("work without a known end has a block that runs to and fro", () => {
  const draw = (steps: number): string => drawBar({ progress: 7.00012, message: "files" }, steps, 42, plain);
  expect(draw(0)).toBe("██████░░░░░░░░ 7  files");
  expect(draw(3)).toBe("░░░██████░░░░░ 7  files");
  expect(draw(8)).toBe("░░░░░░░░██████ 7  files");
  expect(draw(9)).toBe("░░░░░░░██████░ 7  files");
  expect(draw(16)).toBe("██████░░░░░░░░ 7  files");
});

test.each([5, 12, 39, 40, 79, 200])("a line is never wider than %i columns", (room) => {
  const message = "日本語の長い知らせ and more of it ".repeat(9);
  for (const total of [undefined, 40])
    expect(widthOf(drawBar({ progress: 9, message, ...(total && { total }) }, 3, room, plain))).toBeLessThanOrEqual(
      room,
    );
});

test("what a server says cannot move the cursor, nor can it overfill the bar", () => {
  expect(drawBar({ progress: 9, total: 3, message: "\u{1b}[2J\nx" }, 1, 60, plain)).toBe(
    "████████████████████ 100 %  9/3  ␛[2J x",
  );
});
