import type { Deed, Ecosystem, Plan, Project } from "../ecosystem.js";
import { colonLines } from "../parsers/colon-lines.js";
import { gradle } from "../parsers/gradle.js";
import { maven } from "../parsers/maven.js";
import { gradlePattern, mavenPattern } from "../test-names.js";

const GRADLE_FILES = ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];

/** Java and its relatives, with Maven or Gradle. */
export const java: Ecosystem = {
  name: "java",
  markIn: (names) => ["pom.xml", ...GRADLE_FILES].find((name) => names.has(name)),
  async plan(deed, project) {
    return project.names.has("pom.xml") ? planMaven(deed, project) : planGradle(deed, project);
  },
};

const MAVEN: Readonly<Record<Deed, readonly string[]>> = {
  build: ["test-compile"],
  test: ["test"],
  restore: ["dependency:go-offline"],
  lint: [],
};

async function planMaven(deed: Deed, project: Project): Promise<Plan | string> {
  if (deed === "lint") return "Maven has no linter of its own. Use ci_build: it gives the warnings of the compiler";
  const args = ["--batch-mode", "--no-transfer-progress", ...(project.isOnline ? [] : ["--offline"]), ...MAVEN[deed]];
  if (deed === "test" && project.test !== undefined) args.push(`-Dtest=${mavenPattern(project.test)}`);
  return {
    program: (await project.hasOwn("./mvnw")) ? "./mvnw" : "mvn",
    args,
    parsers: [maven],
    install: "Install Maven, such as with: apt-get install maven",
  };
}

const GRADLE: Readonly<Record<Deed, readonly string[]>> = {
  build: ["assemble", "testClasses"],
  test: ["test"],
  restore: ["dependencies"],
  lint: ["check", "-x", "test"],
};

async function planGradle(deed: Deed, project: Project): Promise<Plan> {
  const args = ["--console=plain", "--no-daemon", ...(project.isOnline ? [] : ["--offline"]), ...GRADLE[deed]];
  if (deed === "test" && project.test !== undefined) args.push(`--tests=${gradlePattern(project.test)}`);
  return {
    program: (await project.hasOwn("./gradlew")) ? "./gradlew" : "gradle",
    args,
    parsers: [gradle, colonLines],
    install: "Install Gradle from https://gradle.org/install, or add its wrapper to the project",
  };
}
