import { describe, expect, test } from "vitest";
import { checkExpression } from "../../src/format/check-expression.js";

describe("regular expressions of checks", () => {
  test.each([
    "query\\.all\\(",
    "(?:hmac|compare_digest)\\s*\\(",
    "(?<quote>[\"'])\\w+\\k<quote>",
    "(?:\\w+\\s+)?class\\s+\\w+",
    "[(+*]+x",
    "(?:ab|cd)+",
    "\\((?:\\\\.|[^)])*\\)",
    "a{2,5}b+",
    "(?!null|undefined)\\w",
  ])("%s is taken", (source) => {
    expect(checkExpression(source)).toBeUndefined();
  });

  test.each([
    "(a+)+",
    "(?:\\w+\\.)*x",
    "(?:a*){2,}",
    "((ab)*c)+",
    "(?:a|a)*",
    "(?:state|s)*x",
    "(?:.|x)+",
    "(?<name>x+)*",
    "(?:(?:a+)b)*",
  ])("%s may take exponential time", (source) => {
    expect(checkExpression(source)?.message).toMatch(/^may take exponential time/);
  });

  test.each([
    ["a(", "is not a valid regular expression: Unterminated group."],
    ["*a", "is not a valid regular expression: Nothing to repeat."],
    ["[b", "is not a valid regular expression: Unterminated character class."],
    ["(?i:token)", "sets flags inside a group, which not every version of Node.js supports."],
  ])("%s cannot be used", (source, message) => {
    expect(checkExpression(source)?.message).toBe(message);
  });
});
