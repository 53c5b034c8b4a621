import { expect, test } from "vitest";
import { Progress } from "../../../src/terminal/progress.js";

/** A progress whose clock the test turns. */
function open(isTTY: boolean): { progress: Progress; written: string[]; wait: (ms: number) => void } {
  const written: string[] = [];
  let now = 1000;
  const screen = { isTTY, columns: 80, write: (text: string) => written.push(text) };
  return { progress: new Progress(screen, () => now), written, wait: (ms) => void (now += ms) };
}

const CLEAR = "\r\u{1b}[2K";

test("on a terminal a bar moves, not too often, and is gone at the end", () => {
  const { progress, written, wait } = open(true);
  progress.tell(1, "1 of 4 files", 4);
  wait(10);
  progress.tell(2, "2 of 4 files", 4);
  wait(80);
  progress.tell(3, "3 of 4 files", 4);
  progress.end();
  expect(written).toEqual([
    `${CLEAR}██████░░░░░░░░░░░░░░░░░░  25 %  1 of 4 files`,
    `${CLEAR}██████████████████░░░░░░  75 %  3 of 4 files`,
    CLEAR,
  ]);
});

test("without a total there are only words", () => {
  const { progress, written } = open(true);
  progress.tell(500, "500 commits\u{1b}[2J read");
  expect(written).toEqual([`${CLEAR}500 commits␛[2J read`]);
});

test("in a log it is a line from time to time, and none for what is quickly done", () => {
  const { progress, written, wait } = open(false);
  progress.tell(1, "1 of 4 files", 4);
  wait(5000);
  progress.tell(2, "2 of 4 files", 4);
  wait(100);
  progress.tell(3, "3 of 4 files", 4);
  progress.end();
  expect(written).toEqual(["50 % 2 of 4 files\n"]);
});
