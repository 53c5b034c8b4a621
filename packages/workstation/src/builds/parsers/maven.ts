import { addCounts, type Failure, type Findings, failure, numberIn, toLines } from "../findings.js";

const COMPILER =
  /^\[(?<kind>ERROR|WARNING)\] (?<file>(?:[A-Za-z]:)?[^\s:[][^:[]*\.\w+):\[(?<line>\d+)(?:,(?<column>\d+))?\] (?:error: |warning: )?(?<message>.*)$/;
const TEST = /^\[ERROR\] {3}(?<owner>[\w$.]+)\.(?<name>[\w$]+)(?:[([][^:]*)?(?::(?<line>\d+))? (?<message>.+)$/;
const OWNER = /^\[ERROR\] (?:[\w.$]+\.)?[\w$]+ {2}Time elapsed/;

/** Reads what Maven writes of the compiler and of Surefire's tests. */
export function maven(text: string): Findings {
  const lines = toLines(text);
  const heads = lines.filter((line) => OWNER.test(line));
  const failures = lines.flatMap((line) => compiler(line) ?? test(line, heads) ?? []);
  const totals = lines.filter((line) => /^\[(?:INFO|ERROR|WARNING)\] Tests run: \d+, .*\d+\s*$/.test(line));
  return { failures: unique(failures), ...addCounts(totals.map(countsOf)) };
}

function compiler(line: string): Failure | undefined {
  const { kind, message = "", ...place } = COMPILER.exec(line)?.groups ?? {};
  return kind === undefined ? undefined : failure(place, message, kind === "WARNING" ? "warning" : "error");
}

function test(line: string, heads: readonly string[]): Failure | undefined {
  const { owner, name, line: row, message = "" } = TEST.exec(line)?.groups ?? {};
  if (owner === undefined || name === undefined) return undefined;
  // The summary has the bare name of the class; the heads of the traces have its package too.
  const simple = owner.split(".").at(-1) ?? owner;
  const head = heads.find((each) => each.includes(`${simple}.${name} `));
  const full = head === undefined ? owner : (/^\[ERROR\] ([\w.$]+)\.[\w$]+ /.exec(head)?.[1] ?? owner);
  const file = `src/test/java/${full.split("$")[0]?.replaceAll(".", "/")}.java`;
  return failure({ file, line: row, test: `${full}.${name}` }, message.replace(/^» /, ""));
}

const countsOf = (line: string) => {
  const failed = numberIn(line, /Failures: (\d+)/) + numberIn(line, /Errors: (\d+)/);
  const skipped = numberIn(line, /Skipped: (\d+)/);
  return { passed: Math.max(0, numberIn(line, /Tests run: (\d+)/) - failed - skipped), failed, skipped };
};

/** Maven says errors of the compiler as they come, and once more at the end. */
function unique(failures: readonly Failure[]): readonly Failure[] {
  return [...new Map(failures.map((each) => [JSON.stringify(each), each])).values()];
}
