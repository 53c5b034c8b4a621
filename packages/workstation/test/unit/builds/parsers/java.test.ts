import { expect, it } from "vitest";
import { parseGradle, parseMaven } from "../../../../src/builds/ecosystems/java.js";

it("maven reads the compiler once", () => {
  const text = `[INFO] Compiling 1 source file
[WARNING] /p/src/main/java/A.java:[9,3] deprecated API
[ERROR] COMPILATION ERROR :
[ERROR] /p/src/main/java/A.java:[3,15] incompatible types: String cannot be converted to int
[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.11.0:compile
[ERROR] /p/src/main/java/A.java:[3,15] incompatible types: String cannot be converted to int
`;
  expect(parseMaven(text).failures).toEqual([
    { file: "/p/src/main/java/A.java", line: 9, column: 3, message: "deprecated API", severity: "warning" },
    {
      file: "/p/src/main/java/A.java",
      line: 3,
      column: 15,
      message: "incompatible types: String cannot be converted to int",
      severity: "error",
    },
  ]);
});

it("maven reads the tests of Surefire, and finds their files", () => {
  const text = `[INFO] Running com.example.TinyTest
[ERROR] Tests run: 3, Failures: 1, Errors: 1, Skipped: 0, Time elapsed: 0.05 s <<< FAILURE! - in com.example.TinyTest
[ERROR] com.example.TinyTest.breaks  Time elapsed: 0.01 s  <<< FAILURE!
org.opentest4j.AssertionFailedError: expected: <6> but was: <4>
[INFO] Results:
[ERROR] Failures:
[ERROR]   TinyTest.breaks:12 expected: <6> but was: <4>
[ERROR] Errors:
[ERROR]   OtherTest.explodes:20 » NullPointer
[INFO]
[ERROR] Tests run: 4, Failures: 1, Errors: 1, Skipped: 1
`;
  expect(parseMaven(text)).toEqual({
    failures: [
      {
        file: "src/test/java/com/example/TinyTest.java",
        line: 12,
        test: "com.example.TinyTest.breaks",
        message: "expected: <6> but was: <4>",
        severity: "error",
      },
      {
        file: "src/test/java/OtherTest.java",
        line: 20,
        test: "OtherTest.explodes",
        message: "NullPointer",
        severity: "error",
      },
    ],
    counts: { passed: 1, failed: 2, skipped: 1 },
  });
});

it("gradle reads tests and Kotlin", () => {
  const text = `> Task :compileKotlin
e: file:///p/src/main/kotlin/A.kt:3:5 Unresolved reference: x
w: /p/src/main/kotlin/B.kt: (4, 9): Variable 'y' is never used

> Task :test FAILED

TinyTest > breaks() FAILED
    org.opentest4j.AssertionFailedError: expected: <6> but was: <4>
        at app//org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:55)
        at app//com.example.TinyTest.breaks(TinyTest.java:12)

OldTest > explodes FAILED
    java.lang.NullPointerException at OldTest.java:7

5 tests completed, 2 failed, 1 skipped
`;
  expect(parseGradle(text)).toEqual({
    failures: [
      { file: "/p/src/main/kotlin/A.kt", line: 3, column: 5, message: "Unresolved reference: x", severity: "error" },
      {
        file: "/p/src/main/kotlin/B.kt",
        line: 4,
        column: 9,
        message: "Variable 'y' is never used",
        severity: "warning",
      },
      {
        file: "src/test/java/com/example/TinyTest.java",
        line: 12,
        test: "TinyTest > breaks()",
        message: "org.opentest4j.AssertionFailedError: expected: <6> but was: <4>",
        severity: "error",
      },
      {
        file: "OldTest.java",
        line: 7,
        test: "OldTest > explodes",
        message: "java.lang.NullPointerException at OldTest.java:7",
        severity: "error",
      },
    ],
    counts: { passed: 2, failed: 2, skipped: 1 },
  });
});
