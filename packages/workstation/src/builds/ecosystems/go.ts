import { devNull } from "node:os";
import { type Ecosystem, type Plan } from "../ecosystem.js";
import { addCounts, type Failure, type Findings, failure, toLines } from "../findings.js";
import { parseColonLines } from "../parsers/line-parsers.js";
import { goPattern } from "../test-names.js";

/** Go, with its own command. */
export const go: Ecosystem = {
  name: "go",
  markIn: (names) => ["go.mod", "go.work"].find((name) => names.has(name)),
  async plan(action, project) {
    const module = /^\s*module\s+"?([^\s"]+)/m.exec((await project.read("go.mod")) ?? "")?.[1] ?? "";
    const commands: Record<typeof action, Pick<Plan, "args" | "parsers">> = {
      build: { args: ["build", "-o", devNull, "./..."], parsers: [parseColonLines] },
      test: {
        args: ["test", "-json", ...testArgs(project.test, module)],
        parsers: [goTestParser(module)],
      },
      restore: { args: ["mod", "download"], parsers: [parseColonLines] },
      lint: { args: ["vet", "./..."], parsers: [parseColonLines] },
    };
    return {
      program: "go",
      ...commands[action],
      env: { GOTOOLCHAIN: "local", ...(!project.isOnline && { GOPROXY: "off" }) },
      install: "Install Go from https://go.dev/dl",
    };
  },
};

function testArgs(test: string | undefined, module: string): readonly string[] {
  if (test === undefined) return ["./..."];
  const { where, pattern } = goPattern(test, module);
  return [`-run=${pattern}`, where];
}

interface Event {
  readonly Action?: string;
  readonly Package?: string;
  readonly ImportPath?: string;
  readonly Test?: string;
  readonly Output?: string;
}

/** Creates a parser for `go test -json`. Files are relative to their package; `module` is the prefix of packages. */
export const goTestParser =
  (module: string) =>
  (text: string): Findings => {
    const events = text.split("\n").flatMap((line) => readEvent(line));
    if (events.length === 0) return parseColonLines(text);
    const plain = events.map((each) => each.Output ?? "").join("");
    const ends = events.filter((each) => each.Test !== undefined && /^(?:pass|fail|skip)$/.test(each.Action ?? ""));
    // A parent test fails only because of its subtests, and is not counted.
    const above = new Set(
      ends.flatMap(({ Package, Test = "" }) =>
        foldersOf(Test).map((name) => nameOf({ Package: Package ?? "", Test: name })),
      ),
    );
    const leaves = ends.filter(({ Package, Test }) => !above.has(`${Package} ${Test}`));
    const count = (action: string): number => leaves.filter((each) => each.Action === action).length;
    const outputs = outputsOf(events);
    const built = events.filter((each) => each.Action === "build-output").map((each) => each.Output ?? "");
    const outside = text.split("\n").filter((line) => !line.startsWith("{"));
    const failures = [
      ...parseColonLines([...built, ...outside].join("\n")).failures,
      ...leaves
        .filter(({ Action }) => Action === "fail")
        .map((end) => toFailure(end, outputs.get(nameOf(end)) ?? [], module)),
    ];
    const counts = { passed: count("pass"), failed: count("fail"), skipped: count("skip") };
    // A package can pass without any test, such as if none has the requested name.
    const isDone = events.some((each) => each.Test === undefined && /^(?:pass|skip)$/.test(each.Action ?? ""));
    return { failures, plain, ...((ends.length > 0 || isDone) && addCounts([counts])) };
  };

/** `A/b/c` → `A`, `A/b` */
function foldersOf(test: string): readonly string[] {
  const parts = test.split("/");
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
}

function readEvent(line: string): Event[] {
  if (!line.startsWith('{"')) return [];
  try {
    return [JSON.parse(line) as Event];
  } catch {
    return [];
  }
}

const nameOf = ({ Package, Test }: Event): string => `${Package} ${Test}`;

/** The output of each test. */
function outputsOf(events: readonly Event[]): ReadonlyMap<string, readonly string[]> {
  const outputs = new Map<string, string[]>();
  for (const event of events) {
    if (event.Output === undefined) continue;
    const name = nameOf(event);
    const output = outputs.get(name);
    if (output === undefined) outputs.set(name, [event.Output]);
    else output.push(event.Output);
  }
  return outputs;
}

function toFailure({ Package = "", Test = "" }: Event, output: readonly string[], module: string): Failure {
  const lines = toLines(output.join("")).filter((line) => !/^\s*(?:=== |--- |$)/.test(line));
  const place = lines
    .map((line) => /^\s*(?<file>[^\s:]+\.go):(?<line>\d+):/.exec(line)?.groups)
    .find((found) => found !== undefined);
  const folder = Package === module ? "" : Package.startsWith(`${module}/`) ? Package.slice(module.length + 1) : "";
  const file = place?.["file"];
  const message = lines.map((line) => line.replace(/^\s*[^\s:]+\.go:\d+: ?/, "").trimEnd()).join("\n");
  const inProject = file === undefined || file.startsWith("/") ? file : [folder, file].filter(Boolean).join("/");
  return failure({ file: inProject, line: place?.["line"], test: `${Package}.${Test}` }, message);
}
