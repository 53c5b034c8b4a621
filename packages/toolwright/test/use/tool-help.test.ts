import { describe, expect, test } from "vitest";
import { BASICS_ONLY } from "../cli/listening.js";
import { EVERYTHING, OURS, serveEverything, THEIRS, User } from "./shell.js";

describe("toolwright call SERVER TOOL --help", () => {
  test("says what the tool is for and takes, and how to call it", async () => {
    const { http } = await serveEverything();
    expect(await new User().run(["call", http, "slow_compute", "--help"])).toEqual({
      code: 0,
      stdout: [
        "slow_compute",
        "Takes as many seconds as it is told to.",
        "",
        "Usage",
        `  toolwright call ${http} slow_compute seconds=SECONDS [NAME=VALUE...]`,
        "",
        "Arguments (* = required)",
        "  seconds*  number  (0 to 60)",
        '  label     string  (default "it")',
        "",
        "Example",
        `  toolwright call ${http} slow_compute seconds=1`,
        "",
      ].join("\n"),
      stderr: "",
    });
  });

  test("has defaults, what the server says of the effects, and the words after --", async () => {
    const { stdout } = await new User().run(["call", "current_time", "-h", "--", ...OURS], BASICS_ONLY);
    expect(stdout).toContain("\nAccording to the server: read-only.\n");
    expect(stdout).toContain('\n  time_zone  string  An IANA time zone such as Europe/Paris. (default "UTC")\n');
    expect(stdout.endsWith(`\nExample\n  toolwright call current_time -- ${OURS.join(" ")}\n`)).toBe(true);
  });

  test.each([
    ["get-sum", THEIRS],
    ["get-annotated-message", THEIRS],
    ["greet", EVERYTHING],
  ])("ends with a command line that works: %s", async (tool, server) => {
    const user = new User();
    const { stdout } = await user.run(["call", tool, "--help", "--", ...server]);
    const [, line = ""] = /\nExample\n {2}toolwright (.*)\n$/.exec(stdout) ?? [];
    expect(line.startsWith(`call ${tool} `)).toBe(true);
    const child = user.start("sh", ["-c", `exec "$0" "$1" ${line}`, ...OURS.slice(0, 2)]);
    expect(await child.ended).toEqual({ code: 0, signal: null });
  });

  test("of a prompt is the same", async () => {
    const { code, stdout } = await new User().run([
      "prompt",
      "test_prompt_with_arguments",
      "--help",
      "--",
      ...EVERYTHING,
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain("\n  arg1*  string  First test argument\n");
    expect(stdout).toContain("\nExample\n  toolwright prompt test_prompt_with_arguments arg1=hello arg2=hello -- ");
  });

  test.each([
    [["call", "--help"], "Call a tool of any MCP server and print its result"],
    [["call", "http://127.0.0.1:9/mcp", "-h"], "Call a tool of any MCP server and print its result"],
    [["call", "-h", "--", "not-a-program"], "Call a tool of any MCP server and print its result"],
    [["prompt", "-h"], "Get a prompt of any MCP server and print its messages"],
  ])("without a name is the help on the command: %j", async (words, first) => {
    const { code, stdout } = await new User().run(words);
    expect({ code, first: stdout.split("\n")[0] }).toEqual({ code: 0, first });
  });
});
