import { describe, expect, test } from "vitest";
import { createLogger, type LogEntry, type LoggerOptions } from "../../../src/server/logging/log.js";
import { createRedaction } from "../../../src/server/logging/redaction.js";

function written(entry: LogEntry, options: LoggerOptions = {}): string[] {
  const lines: string[] = [];
  createLogger({ level: "debug", write: (line) => void lines.push(line), ...options })(entry);
  return lines;
}

/** An error whose stack is the same on every machine. */
function lost(message: string, cause?: unknown): Error {
  const error = new Error(message, cause === undefined ? undefined : { cause });
  error.stack = `Error: ${message}\n    at run (shop.js:1:2)`;
  return error;
}

describe("a text line", () => {
  test("has the level, the tags and the message", () => {
    expect(written({ level: "error", message: "it failed", requestId: 7 })).toEqual(["[ERROR] [req_id=7] it failed"]);
    expect(written({ level: "warning", message: "slow", requestId: "a-1", tool: "add", durationMs: 12.3 })).toEqual([
      '[WARNING] [req_id="a-1"] [tool=add] [12 ms] slow',
    ]);
    expect(written({ level: "info", message: "ok", principal: "ada", session: "s-1", durationMs: 0.44 })).toEqual([
      "[INFO] [principal=ada] [session=s-1] [0.4 ms] ok",
    ]);
  });

  test("is followed by the error and its causes, indented", () => {
    const error = lost("lost", lost("why", "a word"));
    expect(written({ level: "error", message: "it failed", error })).toEqual([
      [
        "[ERROR] it failed",
        "    Error: lost",
        "        at run (shop.js:1:2)",
        "    Caused by: Error: why",
        "        at run (shop.js:1:2)",
        "    Caused by: 'a word'",
      ].join("\n"),
    ]);
  });

  test("cannot be forged: further lines are indented, control and bidirectional characters are escaped", () => {
    expect(written({ level: "error", message: "a\n[ERROR] b\r\u001b[2J\u202e\u0085", tool: "x\n[ERROR] y" })).toEqual([
      "[ERROR] [tool=x\\n[ERROR] y] a\n    [ERROR] b\\u000d\\u001b[2J\\u202e\\u0085",
    ]);
  });

  test("contains no secrets", () => {
    const redaction = createRedaction({ values: ["hunter22"] });
    const entry: LogEntry = {
      level: "error",
      message: "token=abc hunter22",
      requestId: "hunter22",
      tool: "hunter22",
      error: lost("Authorization: Bearer abc"),
    };
    expect(written(entry, { redaction })).toEqual([
      [
        '[ERROR] [req_id="[redacted]"] [tool=[redacted]] token=[redacted] [redacted]',
        "    Error: Authorization: [redacted]",
        "        at run (shop.js:1:2)",
      ].join("\n"),
    ]);
  });

  test("redacts each tag separately", () => {
    const entry: LogEntry = {
      level: "info",
      message: "ok",
      requestId: "\nsk-abcdefghijklmnop1234",
      tool: 'password="',
      principal: "\nsk-abcdefghijklmnop1234",
      session: "s-1",
    };
    expect(written(entry)).toEqual([
      '[INFO] [req_id="\\n[redacted]"] [tool=password="] [principal=\\n[redacted]] [session=s-1] ok',
    ]);
  });

  test("is written for any thrown value", () => {
    const closed = new Proxy(new Error("x"), {
      get() {
        throw new Error("no");
      },
      getPrototypeOf() {
        throw new Error("no");
      },
    });
    expect(written({ level: "error", message: "it failed", error: closed })).toEqual([
      "[ERROR] it failed\n    an error that cannot be printed",
    ]);
    expect(written({ level: "error", message: "it failed", error: new Error("outer", { cause: closed }) })).toEqual([
      expect.stringMatching(
        /^\[ERROR\] it failed\n {4}Error: outer\n[^]*\n {4}Caused by: an error that cannot be printed$/,
      ),
    ]);
    const circle = lost("round");
    circle.cause = circle;
    expect(written({ level: "error", message: "it failed", error: circle })).toEqual([
      "[ERROR] it failed\n    Error: round\n        at run (shop.js:1:2)",
    ]);
    const odd = Object.assign(new Error("x"), { stack: Symbol("odd") });
    expect(written({ level: "error", message: "it failed", error: odd })).toEqual(["[ERROR] it failed\n    x"]);
    const several = new AggregateError([lost("a"), "b"], "both failed");
    several.stack = "AggregateError: both failed";
    expect(written({ level: "error", message: "it failed", error: several })).toEqual([
      "[ERROR] it failed\n    AggregateError: both failed\n    Caused by: Error: a\n        at run (shop.js:1:2)\n    Caused by: 'b'",
    ]);
    expect(written({ level: "error", message: "it failed", error: null })).toEqual(["[ERROR] it failed\n    null"]);
  });
});

describe("a JSON line", () => {
  const parsed = (entry: LogEntry, options: LoggerOptions = {}) => {
    const [line = ""] = written(entry, { format: "json", ...options });
    expect(line).not.toContain("\n");
    const { time, ...rest } = JSON.parse(line) as Record<string, unknown>;
    expect(new Date(time as string).toISOString()).toBe(time);
    return rest;
  };

  test("is one JSON object with all members", () => {
    expect(parsed({ level: "notice", message: "a\nb" })).toEqual({ level: "notice", message: "a\nb" });
    const entry: LogEntry = {
      level: "info",
      message: "ok",
      requestId: 7,
      tool: "add",
      principal: "ada",
      session: "s",
      durationMs: 3,
    };
    expect(parsed(entry)).toEqual(entry);
  });

  test("has the error with its name, message, stack and cause", () => {
    expect(parsed({ level: "error", message: "it failed", error: lost("lost", "why") })).toEqual({
      level: "error",
      message: "it failed",
      error: {
        name: "Error",
        message: "lost",
        stack: "Error: lost\n    at run (shop.js:1:2)",
        cause: { message: "'why'" },
      },
    });
  });

  test("is JSON even without a message", () => {
    expect(parsed({ level: "error", message: undefined as never })).toEqual({ level: "error", message: "" });
  });

  test("contains no credentials from request ids", () => {
    const entry: LogEntry = { level: "info", message: "ok", requestId: "\nsk-abcdefghijklmnop1234" };
    expect(parsed(entry)).toEqual({ level: "info", message: "ok", requestId: "\n[redacted]" });
  });

  test("keeps all digits of large ids", () => {
    const [line] = written({ level: "error", message: "x", requestId: 9007199254740993n }, { format: "json" });
    expect(line).toContain('"requestId":9007199254740993,');
  });

  test("contains no secrets", () => {
    const redaction = createRedaction({ values: ["hunter22"] });
    const entry: LogEntry = {
      level: "error",
      message: "token=abc",
      requestId: "hunter22",
      tool: "hunter22",
      error: lost("hunter22"),
    };
    expect(parsed(entry, { redaction })).toEqual({
      level: "error",
      message: "token=[redacted]",
      requestId: "[redacted]",
      tool: "[redacted]",
      error: {
        name: "Error",
        message: "[redacted]",
        stack: "Error: [redacted]\n    at run (shop.js:1:2)",
      },
    });
  });
});

describe("the level", () => {
  test("is notice by default, and can be changed while the server runs", () => {
    const lines: string[] = [];
    const log = createLogger({ write: (line) => void lines.push(line) });
    log({ level: "info", message: "a" });
    log({ level: "notice", message: "b" });
    expect(log.level).toBe("notice");
    log.level = "debug";
    log({ level: "debug", message: "c" });
    log.level = "emergency";
    log({ level: "alert", message: "d" });
    expect(lines).toEqual(["[NOTICE] b", "[DEBUG] c"]);
  });

  test("must be known, and so must every option", () => {
    expect(() => createLogger({ level: "loud" as never })).toThrow(
      new TypeError(
        "Cannot create the log: level must be one of debug, info, notice, warning, error, critical, alert, emergency, not loud",
      ),
    );
    expect(() => createLogger({ format: "xml" as never })).toThrow(
      new TypeError("Cannot create the log: format must be one of text, json, not xml"),
    );
    expect(() => createLogger({ formt: "json" } as never)).toThrow(
      new TypeError("Cannot create the log: unknown option formt; did you mean format?"),
    );
  });
});
