import { line, versionOf } from "../shared/parameters.js";
import type { Toolchain } from "../shared/toolchain.js";

/** The Java that the project is for. */
export const javaVersion = { ...versionOf("java_version", "Java that is needed at least", "21"), pattern: "^\\d+$" };

/** Who publishes it, as Maven and packages name it. */
export const groupId = {
  ...line("group_id", "Group of the artifact and beginning of its packages.", "com.example"),
  pattern: "^[a-z][a-z0-9_]*(?:\\.[a-z][a-z0-9_]*)*$",
};

const LAST = '{{ project_name | snake | replace: "_", "" }}';

/** The package of the code. */
export const PACKAGE = `{{ group_id }}.${LAST}`;

/** The package as folders. */
export const FOLDER = `{{ group_id | replace: ".", "/" }}/${LAST}`;

/** Java with Maven and JUnit. */
export const java: Toolchain = {
  name: "java",
  title: "Java",
  needs: ["A JDK: <https://adoptium.net>", "Maven 3.9 or newer: <https://maven.apache.org>", "make"],
  commands: {
    prepare: "mvn dependency:go-offline",
    format: "mvn spotless:apply",
    formatCheck: "mvn spotless:check",
    lint: "mvn test-compile",
    build: "mvn package -DskipTests",
    test: "mvn test",
    run: "java -jar target/{{ project_name | kebab }}.jar world",
    serve: "java -jar target/{{ project_name | kebab }}.jar",
  },
  library: {
    install: "mvn install",
    language: "java",
    example: 'System.out.println(Greeting.of("world"));',
  },
  indents: [
    { pattern: "*.java", style: "space", size: 2, width: 100 },
    { pattern: "*.xml", style: "space", size: 2 },
  ],
};
