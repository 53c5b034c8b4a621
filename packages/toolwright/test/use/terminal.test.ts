import { describe, expect, test } from "vitest";
import type { Child } from "../../../engine/test/stdio/child.js";
import { main } from "../cli/listening.js";
import { findTerminal } from "../cli/pseudo-terminal.js";
import { EVERYTHING, User } from "./shell.js";

const terminal = findTerminal();
const [command = "", ...args] = EVERYTHING;
const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(" ");

/** Runs `toolwright` at a terminal of a width, and types each answer once its question stands there. */
class Person {
  readonly child: Child;
  #seen = 0;

  constructor(user: User, words: string, env: NodeJS.ProcessEnv = {}, columns = 80) {
    const line = `sh -c 'stty cols ${columns}; exec "$0" "$@"' ${quoted([process.execPath, main])} ${words}`;
    const [program, rest] = (terminal as NonNullable<typeof terminal>)(line);
    this.child = user.start(program, rest, { TERM: "xterm", NO_COLOR: "1", ...env });
  }

  /** Everything that was written to the terminal. */
  get written(): string {
    return [...this.child.lines, this.child.unfinished].join("\n").replaceAll("\r\n", "\n");
  }

  /** The same without the signs that move the cursor. */
  get screen(): string {
    // oxlint-disable-next-line no-control-regex
    return this.written.replaceAll(/\r|\u{1b}\[\d*[A-Z]/gu, "");
  }

  async type(question: string, answer: string): Promise<void> {
    const at = (): number => this.screen.indexOf(question, this.#seen);
    await this.child.until(() => at() !== -1, question);
    this.#seen = at() + question.length;
    this.child.write(answer);
  }

  /** Waits for the end, and gives the exit code. */
  async end(): Promise<number | null> {
    return (await this.child.ended).code;
  }
}

/** A user with a server called demo: in a file of their own, or of the project. */
function userWith(place: "home" | "project"): User {
  const user = new User();
  user.keep(place, ".cursor/mcp.json", { mcpServers: { demo: { command, args } } });
  return user;
}

describe.skipIf(terminal === undefined)("on a terminal", () => {
  test("what a tool needs is asked for, until it will do", async () => {
    const person = new Person(userWith("home"), "call demo slow_compute");
    await person.type("seconds* (a number): ", "soon\r");
    await person.type("It must be a number.\nseconds* (a number): ", "0\r");
    expect(await person.end()).toBe(0);
    expect(person.screen).toContain('\n"slow_compute" needs more arguments.\n');
  });

  test("whoever gives no answer calls nothing", async () => {
    const person = new Person(userWith("home"), "call demo greet");
    await person.type("name*: ", "\u{4}");
    expect(await person.end()).toBe(2);
    expect(person.screen).toMatch(/\ntoolwright: "greet" was not called: it needs name \(string\)\n$/);
  });

  test("a server of the project is started only for those who trust it", async () => {
    const user = userWith("project");
    const question = "Do you trust this project?\n(yes or no) ";
    const careful = new Person(user, "call demo greet name=Ada");
    await careful.type(question, "no\r");
    expect(await careful.end()).toBe(1);
    expect(careful.screen).toMatch(/\ntoolwright: Stopped: "demo" is not trusted\n$/);
    const trusting = new Person(user, "call demo greet name=Ada");
    await trusting.type(question, "yes\r");
    expect(await trusting.end()).toBe(0);
    expect(trusting.screen).toMatch(/\nHello, Ada!\n$/);
    const leaving = new Person(user, "call demo greet name=Ada");
    await leaving.type(question, "\u{3}");
    expect(await leaving.end()).toBe(130);
  });

  test("a bar shows how far a call is, and is gone at the end", async () => {
    const person = new Person(userWith("home"), "call --quiet demo test_tool_with_progress", {}, 61);
    expect(await person.end()).toBe(0);
    expect(person.written).toBe("All steps are done.\n");
    const shown = new Person(userWith("home"), "call demo test_tool_with_progress", {}, 61);
    expect(await shown.end()).toBe(0);
    expect(shown.written).toContain("\r░░░░░░░░░░░░░░░░░░░░   0 %  Completed step 0 of 100\u{1b}[K");
    expect(shown.written.endsWith("\r\u{1b}[2KAll steps are done.\n")).toBe(true);
  });

  test("a narrow one has words in place of a bar, and a dumb one has lines", async () => {
    const narrow = new Person(userWith("home"), "call demo test_tool_with_progress", {}, 30);
    expect(await narrow.end()).toBe(0);
    expect(narrow.written).toContain("\r  0 %  Completed step 0 of 1…\u{1b}[K");
    const dumb = new Person(userWith("home"), "call demo test_tool_with_progress", { TERM: "dumb" });
    expect(await dumb.end()).toBe(0);
    expect(dumb.written).not.toContain("░");
  });

  test("tables fit, and have colours unless NO_COLOR is set", async () => {
    const plain = new Person(userWith("home"), "list --quiet demo tools", {}, 72);
    expect(await plain.end()).toBe(0);
    expect(plain.written).not.toContain("\u{1b}");
    for (const line of plain.written.split("\n")) expect(line.length).toBeLessThanOrEqual(72);
    const coloured = new Person(userWith("home"), "list --quiet demo tools", { NO_COLOR: undefined }, 72);
    expect(await coloured.end()).toBe(0);
    expect(coloured.written.split("\n")[0]).toBe("\u{1b}[1mTools (38)\u{1b}[22m");
  });

  test("bytes are not written to it", async () => {
    const person = new Person(userWith("home"), "read --quiet demo test://static-binary");
    expect(await person.end()).toBe(2);
    expect(person.written).toBe(
      "toolwright: test://static-binary is binary (image/png, 70 bytes), which a terminal cannot show. Add --output FILE\n",
    );
  });

  test("a narrow one has what arguments are for below them", async () => {
    const person = new Person(userWith("home"), "prompt --quiet demo test_prompt_with_arguments --help", {}, 40);
    expect(await person.end()).toBe(0);
    expect(person.written).toContain("\n  arg1*  string\n      First test argument\n");
  });
});

test("FORCE_COLOR paints where there is no terminal", async () => {
  const { stdout } = await userWith("home").run(["list", "demo", "prompts"], { FORCE_COLOR: "1" });
  expect(stdout.split("\n")[0]).toBe("\u{1b}[1mPrompts (5)\u{1b}[22m");
});
