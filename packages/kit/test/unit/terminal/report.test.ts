import { expect, test } from "vitest";
import { Report } from "../../../src/terminal/report.js";

function open(more: { isTTY?: boolean; columns?: number } = {}): { report: Report; written: string[] } {
  const written: string[] = [];
  return { written, report: new Report({ ...more, write: (text: string) => written.push(text) }) };
}

const CLEAR = "\r\u{1b}[2K";

test("in a pipe, each state that is new is a line", () => {
  const { report, written } = open();
  report.state("one\ntwo");
  report.state("one\ntwo");
  report.line("a line\nand another");
  report.clear();
  expect(written).toEqual(["one two\n", "a line\nand another\n"]);
});

test("on a terminal, a state takes the place of the one before, and is cut to the width", () => {
  const { report, written } = open({ isTTY: true, columns: 8 });
  report.state("short");
  report.state("too long for it");
  report.clear();
  report.clear();
  expect(written).toEqual([`${CLEAR}short`, `${CLEAR}too lo…`, CLEAR]);
});

test("writes nothing while a question is open", async () => {
  const { report, written } = open({ isTTY: true });
  report.state("one");
  await report.hold(async () => {
    report.line("meanwhile");
    await Promise.resolve();
    expect(written.splice(0)).toEqual([`${CLEAR}one`, CLEAR]);
  });
  expect(written).toEqual(["meanwhile\n"]);
});

test("what a server says cannot move the cursor", () => {
  const { report, written } = open();
  report.line("\u{1b}[2Ja\tb\r\nc\u{9b}d\u{202e}e");
  expect(written).toEqual(["␛[2Ja\tb\nc\u{fffd}d\u{fffd}e\n"]);
});

test("a drawing is drawn over the one before, for the room there is, and again below a line", () => {
  const { report, written } = open({ isTTY: true, columns: 11 });
  report.draw((room) => "a".repeat(room));
  report.draw(() => "b");
  report.line("x");
  report.clear();
  expect(written).toEqual(["\raaaaaaaaaa\u{1b}[K", "\rb\u{1b}[K", CLEAR, "x\n", `${CLEAR}b`, CLEAR]);
});

test("a quiet one says only what has to be known", () => {
  const written: string[] = [];
  const report = new Report({ isTTY: true, write: (text: string) => written.push(text) }, true);
  report.state("one");
  report.draw(() => "two");
  report.aside("three");
  report.line("four");
  report.clear();
  expect(written).toEqual(["four\n"]);
});
