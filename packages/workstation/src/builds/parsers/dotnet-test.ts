import { addCounts, type Findings, failure, numberIn, toLines } from "../findings.js";

/** Reads the failed tests and the totals of `dotnet test`; errors of the build have a form of their own. */
export function dotnetTest(text: string): Findings {
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
