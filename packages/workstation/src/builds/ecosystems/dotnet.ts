import { type Ecosystem } from "../ecosystem.js";
import { addCounts, type Findings, failure, numberIn, toLines } from "../findings.js";
import { parseParenthesisLines } from "../parsers/line-parsers.js";
import { dotnetFilter } from "../test-names.js";

const MARK = /\.(?:slnx?|csproj|fsproj|vbproj)$/i;

/** .NET, with its own command. */
export const dotnet: Ecosystem = {
  name: "dotnet",
  markIn: (names) => [...names].find((name) => MARK.test(name)),
  async plan(action, project) {
    const file = project.file !== undefined && MARK.test(project.file) ? [project.file] : [];
    const offline = project.isOnline ? [] : ["--no-restore"];
    const commands: Record<typeof action, readonly string[]> = {
      build: ["build", ...file, "--nologo", ...offline],
      test: [
        "test",
        ...file,
        "--nologo",
        ...offline,
        ...(project.test ? ["--filter", dotnetFilter(project.test)] : []),
      ],
      restore: ["restore", ...file],
      lint: ["format", ...file, "--verify-no-changes", "--no-restore"],
    };
    return {
      program: "dotnet",
      args: commands[action],
      env: { DOTNET_CLI_TELEMETRY_OPTOUT: "1", DOTNET_NOLOGO: "1", DOTNET_CLI_UI_LANGUAGE: "en" },
      parsers: [parseParenthesisLines, parseDotnetTest],
      install: "Install the .NET SDK from https://dotnet.microsoft.com/download",
    };
  },
};

/** Reads failed tests and totals of `dotnet test`. Build errors have another format. */
export function parseDotnetTest(text: string): Findings {
  const lines = toLines(text);
  const failures = lines.flatMap((line, at) => {
    const test = /^\s+(?:Failed|X) (\S.*?)(?: \[[^\]]*\])?\s*$/.exec(line)?.[1];
    if (test === undefined || !/^\s+Error Message:/.test(lines[at + 1] ?? "")) return [];
    const rest = lines.slice(at + 2, at + 60);
    const trace = rest.findIndex((each) => /^\s+Stack Trace:/.test(each));
    const message = (trace < 0 ? rest.slice(0, 1) : rest.slice(0, trace)).map((each) => each.trim()).join("\n");
    const place = rest
      .slice(Math.max(0, trace))
      .map((each) => /\) in (?<file>.+):line (?<line>\d+)/.exec(each)?.groups)
      .find((each) => each !== undefined);
    return [failure({ ...place, test }, message)];
  });
  const totals = lines.filter((line) => /^(?:Failed|Passed|Skipped)!\s+-\s+Failed:/.test(line));
  const unmatched = lines.filter((line) => line.startsWith("No test matches the given testcase filter"));
  return {
    failures,
    ...addCounts(
      [...totals, ...unmatched].map((line) => ({
        passed: numberIn(line, /Passed:\s+(\d+)/),
        failed: numberIn(line, /Failed:\s+(\d+)/),
        skipped: numberIn(line, /Skipped:\s+(\d+)/),
      })),
    ),
  };
}
