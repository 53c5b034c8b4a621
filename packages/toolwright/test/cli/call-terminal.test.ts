import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildProgram } from "../../../../tests/support/program.js";
import { Child } from "../../../engine/test/stdio/child.js";
import { folder, main } from "./listening.js";
import { findTerminal } from "./pseudo-terminal.js";

const place = mkdtempSync(path.join(tmpdir(), "toolwright-"));
const workbench = path.join(place, "workbench.mjs");
beforeAll(() => buildProgram(new URL("./workbench-program.ts", import.meta.url), workbench));
afterAll(() => rmSync(place, { recursive: true }));

const terminal = findTerminal();

/** `toolwright call` with somebody at the terminal, who types each answer once its question stands there. */
class Person {
  readonly child: Child;
  #seen = 0;

  constructor(words: string, after = "") {
    const line = `'${process.execPath}' '${main}' call ${words} -- '${process.execPath}' '${workbench}' ${after}`;
    const [command, args] = (terminal as NonNullable<typeof terminal>)(line);
    this.child = new Child(command, args, { NO_COLOR: "1", FORCE_COLOR: undefined });
  }

  /** Everything that has stood on the terminal, without the signs that move its cursor. */
  get screen(): string {
    // oxlint-disable-next-line no-control-regex
    return [...this.child.lines, this.child.unfinished].join("\n").replaceAll(/\r|\u{1b}\[\d*[A-Z]/gu, "");
  }

  async type(question: string, answer: string): Promise<void> {
    const at = (): number => this.screen.indexOf(question, this.#seen);
    await this.child.until(() => at() !== -1, question);
    this.#seen = at() + question.length;
    this.child.write(answer);
  }
}

describe.skipIf(terminal === undefined)("on a terminal, toolwright call", () => {
  test.each(["2026-07-28", "2025-11-25"])("asks what the server asks, field by field, in %s", async (revision) => {
    const file = path.join(folder(), "stdout");
    const person = new Person(`order --revision ${revision}`, `> '${file}'`);
    await person.type("size*: ", "medium\r");
    await person.type("size*: ", "2\r");
    await person.type("count (a whole number) [2]: ", "0\r");
    await person.type("count (a whole number) [2]: ", "\r");
    await person.type("gift* (yes or no): ", "\r");
    await person.type("gift* (yes or no): ", "y\r");
    await person.type("note: ", "\r");
    expect(await person.child.ended).toEqual({ code: 0, signal: null });
    expect(readFileSync(file, "utf8")).toBe('{"size":"large","count":2,"gift":true}\n');
    expect(person.screen.split("\n")).toEqual([
      "What may it be?",
      "(* = required; Enter accepts the default in brackets; Ctrl-D declines)",
      "How large",
      "  1  small",
      "  2  large",
      "size*: medium",
      '"medium" cannot be chosen.',
      "size*: 2",
      "count (a whole number) [2]: 0",
      "It must be at least 1.",
      "count (a whole number) [2]: ",
      "gift* (yes or no): ",
      "gift is required.",
      "gift* (yes or no): y",
      "note: ",
      "",
    ]);
  });

  test("declines a form with Ctrl-D", async () => {
    const person = new Person("order");
    await person.type("size*: ", "\u{4}");
    expect(await person.child.ended).toEqual({ code: 0, signal: null });
    expect(person.screen).toMatch(/\nNothing then\.\n$/);
  });

  test("shows a page and asks whether it was opened", async () => {
    const person = new Person("pay");
    await person.type("\n  https://pay.example/1\nHas it been opened?\n(yes or no) ", "yes\r");
    expect(await person.child.ended).toEqual({ code: 0, signal: null });
    expect(person.screen).toMatch(/\nThank you\.\n$/);
  });

  test("writes progress over what was there, and shows control signs of the result", async () => {
    const steps = new Person("steps");
    await steps.child.ended;
    const bar = "█████████████░░░░░░░░░░░░░  50 %  one";
    const [first, last] = steps.child.lines;
    expect(first).toBe(`\r${bar}\u{1b}[K\r\u{1b}[2K[INFO] half of it\r`);
    // Whether the second report is drawn before the end is a matter of time.
    expect(last?.startsWith(`\r\u{1b}[2K${bar}`)).toBe(true);
    expect(last?.endsWith("\r\u{1b}[2Kthere\r")).toBe(true);
    const bag = new Person("bag");
    await bag.child.ended;
    expect(bag.child.lines[0]).toBe("a text␛[31m\r");
  });

  test("ends with code 130 by Ctrl-C, also in the middle of a question", async () => {
    const asked = new Person("order");
    await asked.type("size*: ", "\u{3}");
    expect(await asked.child.ended).toEqual({ code: 130, signal: null });
    expect(asked.screen).toMatch(/\ntoolwright: Cancelled\n$/);
    const waiting = new Person("wait");
    await waiting.type(" waiting", "\u{3}");
    expect(await waiting.child.ended).toEqual({ code: 130, signal: null });
    expect(waiting.screen).toMatch(/toolwright: Cancelled\n$/);
  });
});
