import { expect, test } from "vitest";
import { StageBar } from "../../../src/commands/stage-bar.js";

/** A screen that keeps what it is told, and a clock that goes on by a second with each look. */
function open(isTTY: boolean, stepMs = 1000) {
  let [text, now] = ["", 0];
  const screen = { isTTY, columns: 80, write: (more: string) => (text += more) };
  const bar = new StageBar(screen, () => (now += stepMs));
  return {
    bar,
    lines: () =>
      text
        .replaceAll("\r\u{1b}[2K", "\n")
        .split("\n")
        .filter((line) => line !== ""),
  };
}

test("on a terminal each stage has a bar, and leaves a line when it is done", () => {
  const { bar, lines } = open(true);
  for (const words of [
    "discover: looking",
    "read: 0 of 4 documents",
    "read: 2 of 4 documents",
    "read: 4 of 4 documents",
  ])
    bar.tell(words);
  bar.tell("index: 9 passages");
  bar.end(true);
  expect(lines()).toEqual([
    "Looking   looking",
    "Reading   ░░░░░░░░░░░░░░░░░░░░░░░░   0 %  0 of 4 documents",
    "Reading   ████████████░░░░░░░░░░░░  50 %  2 of 4 documents",
    "Reading   ████████████████████████ 100 %  4 of 4 documents",
    "Reading   4 documents",
    "Indexing  9 passages",
    "Indexing  9 passages",
  ]);
});

test("in a log there is a line for each stage, and for slow ones a line from time to time", () => {
  const { bar, lines } = open(false, 3000);
  for (const done of [0, 1, 2, 3, 4]) bar.tell(`read: ${done} of 4 documents`);
  bar.end(true);
  expect(lines()).toEqual(["Reading   2 of 4 documents", "Reading   4 of 4 documents", "Reading   4 documents"]);
});

test("what is cut short leaves nothing of its last stage", () => {
  const { bar, lines } = open(true);
  bar.tell("read: 1 of 4 documents");
  bar.end(false);
  expect(lines()).toEqual(["Reading   ██████░░░░░░░░░░░░░░░░░░  25 %  1 of 4 documents"]);
});
