import { describe, expect, test } from "vitest";
import { Child } from "../../../../engine/test/stdio/child.js";
import { main } from "../../cli/listening.js";
import { findTerminal } from "../../cli/pseudo-terminal.js";
import { openPlace, type Place, short } from "./run.js";

const terminal = findTerminal();

const COLOUR = new RegExp(`${String.fromCodePoint(0x1b)}\\[\\d+m`, "g");

describe.skipIf(terminal === undefined)("on a terminal, toolwright task", () => {
  /** Runs the command at a terminal of 60 columns. */
  function open({ cwd, env }: Place, words: string, more: NodeJS.ProcessEnv = {}) {
    const line = `sh -c "stty cols 60; exec env -C '${cwd}' '${process.execPath}' '${main}' task ${words}"`;
    const [command, args] = (terminal as NonNullable<typeof terminal>)(line);
    const child = new Child(command, args, { ...env, TERM: "xterm", ...more });
    return { child, screen: (): string => [...child.lines, child.unfinished].join("\n").replaceAll("\r", "") };
  }

  test("shows colours, within the width of the screen", async () => {
    const place = openPlace();
    const id = place.add("A long description that does not fit into sixty columns at all", "-p", "1");
    const { child, screen } = open(place, "list");
    expect(await child.ended).toEqual({ code: 0, signal: null });
    const escape = "\u{1b}";
    expect(screen()).toContain(`${escape}[1m${short(id)}${escape}[22m  ${escape}[31m1${escape}[39m  ○ pending`);
    const lines = screen().replaceAll(COLOUR, "").trimEnd().split("\n");
    expect(lines).toEqual([
      "id    p  state      changed   task",
      `${short(id)}  1  ○ pending  just now  A long description that does …`,
    ]);
  });

  test.each([{ NO_COLOR: "1" }, { TERM: "dumb" }])("shows none where %j says so", async (env) => {
    const place = openPlace();
    place.add("Anything");
    const { child, screen } = open(place, "list", env);
    await child.ended;
    expect(screen()).toContain("Anything");
    expect(screen()).not.toContain("\u{1b}");
  });

  test("asks before it deletes", async () => {
    const place = openPlace();
    const id = place.add("Anything");
    for (const [answer, code, left] of [
      ["no", 1, id],
      ["yes", 0, ""],
    ] as const) {
      const { child, screen } = open(place, `rm ${id}`);
      await child.until(() => screen().includes("(yes or no)"), "the question");
      child.write(`${answer}\r`);
      expect(await child.ended).toEqual({ code, signal: null });
      expect(place.task(["list", "--quiet"]).stdout.trim()).toBe(left);
    }
  });

  test("what a task says cannot move the cursor", async () => {
    const place = openPlace();
    const id = place.add("red \u{1b}[31m text", "--context", "bell \u{7}");
    for (const words of ["list", `show ${id}`, "tree", "history"]) {
      const { child, screen } = open(place, words, { NO_COLOR: "1" });
      await child.ended;
      expect([screen().includes("\u{7}"), screen().includes("\u{1b}")]).toEqual([false, false]);
    }
  });
});
