import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

function outputOf(...words: string[]): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], {
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  });
  return { code: status, stdout, stderr };
}

const COMMANDS = (
  "serve config key dashboard install uninstall doctor list tools call read prompt replay " +
  "dev new template task kb analyze threats completion man"
).split(" ");

describe("the help", () => {
  const { stdout: help } = outputOf("--help");

  test("has every command once, in groups, and the exit codes", () => {
    const listed = [...help.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name]) => name);
    expect(new Set(listed)).toEqual(new Set(COMMANDS));
    const headings = [...help.matchAll(/^([A-Z][\w ]+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual([
      "Usage",
      "Serve tools to assistants",
      "Connect clients and diagnose problems",
      "Use any MCP server from the shell",
      "Write servers and start projects",
      "Work with what the server knows",
      "This program",
      "Options",
      "Exit codes",
      "Environment",
      "Examples",
    ]);
  });

  test("fits a terminal of 100 columns", () => {
    for (const line of help.split("\n")) expect(line.length, line).toBeLessThanOrEqual(100);
  });

  test.each(COMMANDS)("%s has one of its own, with examples, in two spellings", (command) => {
    const own = outputOf(command, "--help");
    expect(own).toMatchObject({ code: 0, stderr: "" });
    expect(own.stdout).toMatch(/^Usage$/m);
    expect(own.stdout).toContain(`  toolwright ${command}`);
    expect(outputOf("help", command)).toEqual(own);
  });

  test("on a command that there is not names the nearest", () => {
    expect(outputOf("help", "instal")).toEqual({
      code: 2,
      stdout: "",
      stderr: 'toolwright: Unknown command "instal"; did you mean install? Run "toolwright --help" for usage.\n',
    });
  });
});

describe("the manual page", () => {
  const { code, stdout: page } = outputOf("man");

  test("has the help of every command, in ASCII that the formatter reads", () => {
    expect(code).toBe(0);
    expect(page).toMatch(/^\.TH TOOLWRIGHT 1 /);
    const sections = [...page.matchAll(/^\.SS toolwright (\w+)$/gm)].map(([, name]) => name);
    expect(new Set(sections)).toEqual(new Set(COMMANDS));
    expect(page).toContain("\n.SS toolwright completion\n");
    expect(page).toMatch(/^[\n -~]*$/);
  });

  test("is formatted without a warning", ({ skip }) => {
    if (spawnSync("groff", ["--version"]).status !== 0) skip("skipped: groff is not installed");
    const { stdout, stderr } = spawnSync("groff", ["-man", "-Tutf8", "-ww"], { input: page, encoding: "utf8" });
    expect(stderr).toBe("");
    expect(stdout).toContain("EXIT STATUS".replaceAll(/\S/g, "$&\b$&"));
  });
});
