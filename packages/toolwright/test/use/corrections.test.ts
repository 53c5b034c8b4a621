import { describe, expect, test } from "vitest";
import { BASICS_ONLY } from "../cli/listening.js";
import { EVERYTHING, OURS, THEIRS, User } from "./shell.js";

const call = (words: readonly string[], server: readonly string[]) =>
  new User().run(["call", ...words, "--", ...server], BASICS_ONLY);

describe("what is mistyped", () => {
  test("is corrected with a note where the tool is marked read-only", async () => {
    const { code, stdout, stderr } = await call(["currentTime", "timezone=Asia/Tokyo"], OURS);
    expect(code).toBe(0);
    expect(stdout).toContain('"time_zone":"Asia/Tokyo"');
    expect(stderr).toBe(
      [
        'There is no tool "currentTime"; calling "current_time", which is read-only',
        '"current_time" has no argument "timezone"; using time_zone',
        "",
      ].join("\n"),
    );
  });

  test.each([
    [["gret", "name=x"], 'There is no tool "gret"; did you mean greet?'],
    [["greet", "nam=x"], '"greet" has no argument "nam"; did you mean name? It has name* (* = required)'],
    [["greet", "name=x", "nam=y"], '"greet" has no argument "nam"; it has name* (* = required)'],
  ])("%j is refused where the tool may change something", async (words, fault) => {
    expect(await call(words, EVERYTHING)).toEqual({ code: 2, stdout: "", stderr: `toolwright: ${fault}\n` });
  });

  test("is corrected for servers of others, too", async () => {
    const { code, stdout, stderr } = await call(["get_sum", "a=1", "B=2"], THEIRS);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "The sum of 1 and 2 is 3.\n" });
    expect(stderr).toContain('There is no tool "get_sum"; calling "get-sum", which is read-only\n');
  });
});

describe("what is missing", () => {
  test("is named all at once, with what it may be", async () => {
    const { code, stdout, stderr } = await call(["get-sum"], THEIRS);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/toolwright: "get-sum" needs a \(number\), b \(number\)\. Add --help after its name/);
  });

  test("is for the server to judge where the arguments come as JSON", async () => {
    const { code, stdout } = await call(["greet", "--input", "{}"], EVERYTHING);
    expect(code).toBe(1);
    expect(stdout).toContain("name");
  });
});

describe("progress", () => {
  test("is written as lines if stderr is no terminal, always with the last message", async () => {
    const { stdout, stderr } = await call(["test_tool_with_progress"], EVERYTHING);
    expect(stdout).toBe("All steps are done.\n");
    expect(stderr.split("\n")[0]).toBe("0 %  Completed step 0 of 100");
    expect(stderr).toMatch(/\n100 %  Completed step 100 of 100\n$/);
  });

  test("is not shown with --quiet, and neither are log lines", async () => {
    for (const tool of ["test_tool_with_progress", "test_tool_with_logging"])
      expect(await call(["--quiet", tool], EVERYTHING)).toMatchObject({ code: 0, stderr: "" });
  });
});
