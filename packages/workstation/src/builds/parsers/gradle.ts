import { addCounts, type Failure, type Findings, failure, numberIn, toLines } from "../findings.js";

/** Reads what Gradle writes of failed tests and of the Kotlin compiler; javac writes lines of its own form. */
export function gradle(text: string): Findings {
  const lines = toLines(text);
  const failures = lines.flatMap((line, at) => kotlin(line) ?? test(line, lines.slice(at + 1, at + 20)) ?? []);
  const totals = /^(\d+) tests? completed.*$/m.exec(text);
  if (totals === null) return { failures };
  const failed = numberIn(totals[0], /(\d+) failed/);
  const skipped = numberIn(totals[0], /(\d+) skipped/);
  return { failures, ...addCounts([{ passed: Math.max(0, Number(totals[1]) - failed - skipped), failed, skipped }]) };
}

function kotlin(line: string): Failure | undefined {
  const {
    kind,
    message = "",
    ...place
  } = /^(?<kind>e|w): (?:file:\/\/)?(?<file>.+?\.kts?): ?\(?(?<line>\d+)[:,] ?(?<column>\d+)\)?:? (?<message>.*)$/.exec(
    line,
  )?.groups ?? {};
  return kind === undefined ? undefined : failure(place, message, kind === "w" ? "warning" : "error");
}

function test(line: string, next: readonly string[]): Failure | undefined {
  const name = /^(\S.* > .+) FAILED$/.exec(line)?.[1];
  if (name === undefined) return undefined;
  const end = next.findIndex((each) => !/^\s+\S/.test(each));
  const block = (end < 0 ? next : next.slice(0, end)).map((each) => each.trim());
  const frames = block.filter((each) => !LIBRARY.test(each)).map((each) => FRAME.exec(each)?.groups);
  const { owner, file, row } = frames.find((each) => each !== undefined) ?? {};
  const message = block.filter((each) => !/^at |^\.\.\. \d+ more/.test(each)).join("\n");
  return failure({ file: owner === undefined ? file : sourceOf(owner, file ?? ""), line: row, test: name }, message);
}

/** Frames of what tests are written with. */
const LIBRARY = /^at (?:\w+\/+)?(?:java|jdk|kotlin|groovy|org\.(?:junit|opentest4j|assertj|hamcrest|gradle|testng))\b/;
const FRAME = /(?:^at (?:[\w.@-]*\/+)*(?<owner>[\w.$]+)\.[\w$<>-]+\(| at )(?<file>[\w$]+\.\w+):(?<row>\d+)\)?$/;

/** A frame has the name of the file and the package of the class: together they are the path that everybody uses. */
function sourceOf(owner: string, file: string): string {
  const folder = owner.split(".").slice(0, -1).join("/");
  return ["src/test", file.endsWith(".kt") ? "kotlin" : "java", folder, file].filter(Boolean).join("/");
}
