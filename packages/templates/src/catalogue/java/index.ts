import type { TemplateSource } from "../../template.js";
import { contributing } from "../shared/contributing.js";
import { editorconfig } from "../shared/editorconfig.js";
import { gitignore } from "../shared/gitignore.js";
import { makefiles, ofServer, type Target, without } from "../shared/makefile.js";
import { templatesOf } from "../shared/of.js";
import { port, projectName } from "../shared/parameters.js";
import { precommit } from "../shared/precommit.js";
import { readmeOfProgram, readmesOfOthers } from "../shared/readme.js";
import { workflow } from "../shared/workflow.js";
import { manifests } from "./manifest.js";
import { sources } from "./sources.js";
import { java, javaVersion } from "./toolchain.js";

const template = templatesOf("java");

const TARGETS: readonly Target[] = [
  { name: "build", about: "Build the jar", run: ["$(MVN) package -DskipTests"] },
  {
    name: "run",
    about: "Build and run the program with ARGS",
    needs: "build",
    run: ["java -jar target/{{ project_name | kebab }}.jar $(ARGS)"],
  },
  { name: "test", about: "Run the tests", when: "has_tests", run: ["$(MVN) test"] },
  { name: "format", about: "Lay the code out", run: ["$(MVN) spotless:apply"] },
  { name: "format-check", about: "Check the layout of the code", run: ["$(MVN) spotless:check"] },
  { name: "lint", about: "Compile with every warning as an error", run: ["$(MVN) test-compile"] },
  {
    name: "check",
    about: "Do all that the pipeline does",
    needs: "format-check lint{% if has_tests %} test{% endif %}",
  },
  { name: "clean", about: "Remove what was built", run: ["$(MVN) clean"] },
];

const SETTINGS = "MVN ?= mvn --batch-mode --no-transfer-progress";

const DOCKERFILE = `# syntax=docker/dockerfile:1
FROM maven:3.9-eclipse-temurin-{{ java_version }} AS build
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/root/.m2 \\
    mvn --batch-mode --no-transfer-progress package -DskipTests

FROM eclipse-temurin:{{ java_version }}-jre
RUN useradd --system --uid 10001 --no-create-home app
COPY --from=build /src/target/{{ project_name | kebab }}.jar /app/app.jar
USER app
`;

const START = 'ENTRYPOINT ["java", "-XX:MaxRAMPercentage=75", "-jar", "/app/app.jar"]\n';

/** Every template for Java. */
export const javaTemplates: readonly TemplateSource[] = [
  ...makefiles(java, {
    cli: { settings: `${SETTINGS}\nARGS ?=`, targets: TARGETS },
    lib: { settings: SETTINGS, targets: without(TARGETS, "run") },
    service: { settings: SETTINGS, targets: ofServer(TARGETS, "java -jar target/{{ project_name | kebab }}.jar") },
  }),
  readmeOfProgram(java),
  ...readmesOfOthers(java),
  gitignore(java, [
    ["What Maven and the compiler leave behind", "/target/", "*.class", "hs_err_pid*", "dependency-reduced-pom.xml"],
    ["Files of IDEs", "*.iml", ".classpath", ".project", ".settings/"],
  ]),
  ...manifests,
  ...sources,
  template("dockerfile", "cli", {
    description: "Image of a Java program that is built by Maven in one stage and runs without root in another.",
    filename: "Dockerfile",
    parameters: [projectName, javaVersion],
    body: DOCKERFILE + START,
  }),
  template("dockerfile", "service", {
    description: "Image of a Java server that is built by Maven in one stage and runs without root in another.",
    filename: "Dockerfile",
    parameters: [projectName, javaVersion, port],
    body: `${DOCKERFILE}ENV HOST=0.0.0.0 PORT={{ port }}\nEXPOSE {{ port }}\n${START}`,
  }),
  workflow(java, {
    parameters: [javaVersion],
    setup:
      '- uses: actions/setup-java@v5\n  with:\n    distribution: temurin\n    java-version: "<{ java_version }>"\n    cache: maven',
    check: [
      ["Layout", "mvn --batch-mode --no-transfer-progress spotless:check"],
      ["Lint", "mvn --batch-mode --no-transfer-progress test-compile"],
    ],
    test: [["Build and test", "mvn --batch-mode --no-transfer-progress verify"]],
  }),
  precommit(java, [
    { id: "spotless", name: "spotless", entry: "mvn --batch-mode --quiet spotless:check", files: "\\.java$" },
    { id: "compile", name: "compile", entry: "mvn --batch-mode --quiet test-compile", files: "(\\.java|pom\\.xml)$" },
  ]),
  editorconfig(java),
  contributing(java),
];
