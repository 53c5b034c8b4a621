import { type BuildAction, type Ecosystem, type Plan, type Project } from "../ecosystem.js";
import { addCounts, type Failure, type Findings, failure, numberIn, toLines } from "../findings.js";
import { parseColonLines } from "../parsers/line-parsers.js";
import { gradlePattern, mavenPattern } from "../test-names.js";

const GRADLE_FILES = ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];

/** Java and other JVM languages, with Maven or Gradle. */
export const java: Ecosystem = {
  name: "java",
  markIn: (names) => ["pom.xml", ...GRADLE_FILES].find((name) => names.has(name)),
  async plan(action, project) {
    return project.names.has("pom.xml") ? planMaven(action, project) : planGradle(action, project);
  },
};

const MAVEN: Readonly<Record<BuildAction, readonly string[]>> = {
  build: ["test-compile"],
  test: ["test"],
  restore: ["dependency:go-offline"],
  lint: [],
};

async function planMaven(action: BuildAction, project: Project): Promise<Plan | string> {
  if (action === "lint") return "Maven has no linter. Use ci_build: it returns the warnings of the compiler";
  const args = ["--batch-mode", "--no-transfer-progress", ...(project.isOnline ? [] : ["--offline"]), ...MAVEN[action]];
  if (action === "test" && project.test !== undefined) args.push(`-Dtest=${mavenPattern(project.test)}`);
  return {
    program: (await project.hasOwn("./mvnw")) ? "./mvnw" : "mvn",
    args,
    parsers: [parseMaven],
    install: "Install Maven, such as with: apt-get install maven",
  };
}

const GRADLE: Readonly<Record<BuildAction, readonly string[]>> = {
  build: ["assemble", "testClasses"],
  test: ["test"],
  restore: ["dependencies"],
  lint: ["check", "-x", "test"],
};

async function planGradle(action: BuildAction, project: Project): Promise<Plan> {
  const args = ["--console=plain", "--no-daemon", ...(project.isOnline ? [] : ["--offline"]), ...GRADLE[action]];
  if (action === "test" && project.test !== undefined) args.push(`--tests=${gradlePattern(project.test)}`);
  return {
    program: (await project.hasOwn("./gradlew")) ? "./gradlew" : "gradle",
    args,
    parsers: [parseGradle, parseColonLines],
    install: "Install Gradle from https://gradle.org/install, or add its wrapper to the project",
  };
}

const MAVEN_COMPILER =
  /^\[(?<kind>ERROR|WARNING)\] (?<file>(?:[A-Za-z]:)?[^\s:[][^:[]*\.\w+):\[(?<line>\d+)(?:,(?<column>\d+))?\] (?:error: |warning: )?(?<message>.*)$/;
const MAVEN_TEST = /^\[ERROR\] {3}(?<owner>[\w$.]+)\.(?<name>[\w$]+)(?:[([][^:]*)?(?::(?<line>\d+))? (?<message>.+)$/;
const MAVEN_OWNER = /^\[ERROR\] (?:[\w.$]+\.)?[\w$]+ {2}Time elapsed/;

/** Reads compiler errors and Surefire test results in the output of Maven. */
export function parseMaven(text: string): Findings {
  const lines = toLines(text);
  const heads = lines.filter((line) => MAVEN_OWNER.test(line));
  const failures = lines.flatMap((line) => readMavenCompiler(line) ?? readMavenTest(line, heads) ?? []);
  const totals = lines.filter((line) => /^\[(?:INFO|ERROR|WARNING)\] Tests run: \d+, .*\d+\s*$/.test(line));
  return { failures: unique(failures), ...addCounts(totals.map(countsOf)) };
}

function readMavenCompiler(line: string): Failure | undefined {
  const { kind, message = "", ...place } = MAVEN_COMPILER.exec(line)?.groups ?? {};
  return kind === undefined ? undefined : failure(place, message, kind === "WARNING" ? "warning" : "error");
}

function readMavenTest(line: string, heads: readonly string[]): Failure | undefined {
  const { owner, name, line: row, message = "" } = MAVEN_TEST.exec(line)?.groups ?? {};
  if (owner === undefined || name === undefined) return undefined;
  // The summary has the simple class name; the headings of the stack traces have the package, too.
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

/** Maven reports compiler errors at once and again at the end. */
function unique(failures: readonly Failure[]): readonly Failure[] {
  return [...new Map(failures.map((each) => [JSON.stringify(each), each])).values()];
}

/** Reads failed tests and Kotlin compiler errors in the output of Gradle. Errors of javac have another format. */
export function parseGradle(text: string): Findings {
  const lines = toLines(text);
  const failures = lines.flatMap(
    (line, at) => readKotlin(line) ?? readGradleTest(line, lines.slice(at + 1, at + 20)) ?? [],
  );
  const totals = /^(\d+) tests? completed.*$/m.exec(text);
  if (totals === null) return { failures };
  const failed = numberIn(totals[0], /(\d+) failed/);
  const skipped = numberIn(totals[0], /(\d+) skipped/);
  return { failures, ...addCounts([{ passed: Math.max(0, Number(totals[1]) - failed - skipped), failed, skipped }]) };
}

function readKotlin(line: string): Failure | undefined {
  const {
    kind,
    message = "",
    ...place
  } = /^(?<kind>e|w): (?:file:\/\/)?(?<file>.+?\.kts?): ?\(?(?<line>\d+)[:,] ?(?<column>\d+)\)?:? (?<message>.*)$/.exec(
    line,
  )?.groups ?? {};
  return kind === undefined ? undefined : failure(place, message, kind === "w" ? "warning" : "error");
}

function readGradleTest(line: string, next: readonly string[]): Failure | undefined {
  const name = /^(\S.* > .+) FAILED$/.exec(line)?.[1];
  if (name === undefined) return undefined;
  const end = next.findIndex((each) => !/^\s+\S/.test(each));
  const block = (end < 0 ? next : next.slice(0, end)).map((each) => each.trim());
  const frames = block.filter((each) => !LIBRARY.test(each)).map((each) => FRAME.exec(each)?.groups);
  const { owner, file, row } = frames.find((each) => each !== undefined) ?? {};
  const message = block.filter((each) => !/^at |^\.\.\. \d+ more/.test(each)).join("\n");
  return failure({ file: owner === undefined ? file : sourceOf(owner, file ?? ""), line: row, test: name }, message);
}

/** Stack frames of test libraries. */
const LIBRARY =
  /^at (?:\w+\/+)?(?:java|jdk|readKotlin|groovy|org\.(?:junit|opentest4j|assertj|hamcrest|parseGradle|testng))\b/;
const FRAME = /(?:^at (?:[\w.@-]*\/+)*(?<owner>[\w.$]+)\.[\w$<>-]+\(| at )(?<file>[\w$]+\.\w+):(?<row>\d+)\)?$/;

/** A frame has the file name and the package of the class: together they are the conventional path. */
function sourceOf(owner: string, file: string): string {
  const folder = owner.split(".").slice(0, -1).join("/");
  return ["src/test", file.endsWith(".kt") ? "kotlin" : "java", folder, file].filter(Boolean).join("/");
}
