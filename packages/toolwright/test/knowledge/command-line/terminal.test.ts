import { describe, expect, test } from "vitest";
import { Child } from "../../../../engine/test/stdio/child.js";
import { main } from "../../cli/listening.js";
import { findTerminal } from "../../cli/pseudo-terminal.js";
import { openGuides, type Place } from "./run.js";

const terminal = findTerminal();

const COLOUR = new RegExp(`${String.fromCodePoint(0x1b)}\\[\\d+m`, "g");

describe.skipIf(terminal === undefined)("on a terminal, toolwright kb", () => {
  /** Runs the command at a terminal of 60 columns. */
  function open({ cwd, env }: Place, words: string, more: NodeJS.ProcessEnv = {}) {
    const line = `sh -c "stty cols 60; exec env -C '${cwd}' '${process.execPath}' '${main}' kb ${words}"`;
    const [command, args] = (terminal as NonNullable<typeof terminal>)(line);
    const child = new Child(command, args, { ...env, TERM: "xterm", ...more });
    return { child, screen: (): string => [...child.lines, child.unfinished].join("\n").replaceAll("\r", "") };
  }

  test("marks what was asked for, within the width of the screen", async () => {
    const place = openGuides();
    await place.good("ingest", "guides");
    const { child, screen } = open(place, "search rate limit -n 1");
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(screen()).toContain("The \u{1b}[33mrate\u{1b}[39m \u{1b}[33mlimit\u{1b}[39m lets");
    expect(
      screen()
        .replaceAll(COLOUR, "")
        .split("\n")
        .filter((line) => line.length > 60),
    ).toEqual([]);
  });

  test("shows a bar for each stage of an ingest", async () => {
    const place = openGuides();
    const { child, screen } = open(place, "ingest guides");
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(screen().replaceAll(COLOUR, "")).toMatch(/[█░].* (?:Finding|Reading|Embedding|Indexing|Promoting) /);
  });

  test("ends an ingest by Ctrl-C, says how to go on, and goes on", async () => {
    const place = openGuides();
    for (let at = 0; at < 800; at += 1)
      place.write(`many/${at}.md`, `# Document ${at}\n\n${`Sentence ${at} about something. `.repeat(60)}\n`);
    const { child, screen } = open(place, "ingest many");
    await child.until(() => /\d+ of 800/.test(screen()), "progress");
    child.write("\u{3}");
    expect(await child.ended).toEqual({ code: 130, signal: null });
    expect(screen()).toContain("the same command continues the ingest");
    expect(await place.good("ingest", "many", "--quiet")).toBe("");
    expect(await place.json("stats", "many")).toMatchObject({ collections: [{ documents: 800, versions: 1 }] });
  });

  test("what a document says cannot move the cursor", async () => {
    const place = openGuides({ NO_COLOR: "1" });
    place.write("guides/bad.md", "# Red \u{1b}[31m title\n\nwalrus bell \u{7} rings\n");
    await place.good("ingest", "guides");
    for (const words of ["search walrus", "answer walrus bell rings", "get guides/bad.md"]) {
      const { child, screen } = open(place, words);
      await child.ended;
      expect(screen()).toContain("walrus");
      expect([screen().includes("\u{7}"), screen().includes("\u{1b}")]).toEqual([false, false]);
    }
  });

  test("asks before it deletes", async () => {
    const place = openGuides();
    await place.good("ingest", "guides");
    for (const [answer, code, left] of [
      ["no", 1, "guides"],
      ["yes", 0, ""],
    ] as const) {
      const { child, screen } = open(place, "delete guides");
      await child.until(() => screen().includes("(yes or no) "), "the question");
      child.write(`${answer}\r`);
      expect(await child.ended).toEqual({ code, signal: null });
      expect(await place.good("list", "--quiet")).toBe(left);
    }
  });
});
