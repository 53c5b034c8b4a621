import { describe, expect, test } from "vitest";
import { createLog, type LogEntry, type LogOptions } from "./log.js";
import { createRedaction } from "./redact.js";

function written(entry: LogEntry, options: LogOptions = {}): string[] {
  const lines: string[] = [];
  createLog({ level: "debug", write: (line) => void lines.push(line), ...options })(entry);
  return lines;
}

/** An error whose stack is the same on every machine. */
function lost(message: string, cause?: unknown): Error {
  const error = new Error(message, cause === undefined ? undefined : { cause });
  error.stack = `Error: ${message}\n    at run (shop.js:1:2)`;
  return error;
}

describe("a line for people", () => {
  test("has the level, what it is about, and the message", () => {
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

  test("cannot be forged: further lines are indented, control characters and turns of direction are spelt out", () => {
    expect(written({ level: "error", message: "a\n[ERROR] b\r\u001b[2J\u202e\u0085", tool: "x\n[ERROR] y" })).toEqual([
      "[ERROR] [tool=x\\n[ERROR] y] a\n    [ERROR] b\\u000d\\u001b[2J\\u202e\\u0085",
    ]);
  });

  test("says nothing of secrets", () => {
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

  test("says nothing of credentials in what it is about, and each of them stands for itself", () => {
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

  test("is written whatever was thrown", () => {
    const closed = new Proxy(new Error("x"), {
      get() {
        throw new Error("no");
      },
      getPrototypeOf() {
        throw new Error("no");
      },
    });
    expect(written({ level: "error", message: "it failed", error: closed })).toEqual([
      "[ERROR] it failed\n    an error that cannot be shown",
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

describe("a line for programs", () => {
  const parsed = (entry: LogEntry, options: LogOptions = {}) => {
    const [line = ""] = written(entry, { format: "json", ...options });
    expect(line).not.toContain("\n");
    const { time, ...rest } = JSON.parse(line) as Record<string, unknown>;
    expect(new Date(time as string).toISOString()).toBe(time);
    return rest;
  };

  test("is one JSON object with all that is known", () => {
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

  test("says nothing of credentials in the id of a request", () => {
    const entry: LogEntry = { level: "info", message: "ok", requestId: "\nsk-abcdefghijklmnop1234" };
    expect(parsed(entry)).toEqual({ level: "info", message: "ok", requestId: "\n[redacted]" });
  });

  test("keeps ids that JSON would round", () => {
    const [line] = written({ level: "error", message: "x", requestId: 9007199254740993n }, { format: "json" });
    expect(line).toContain('"requestId":9007199254740993,');
  });

  test("says nothing of secrets", () => {
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
    const log = createLog({ write: (line) => void lines.push(line) });
    log({ level: "info", message: "a" });
    log({ level: "notice", message: "b" });
    expect([log.level, log.isOn("info"), log.isOn("notice")]).toEqual(["notice", false, true]);
    log.level = "debug";
    log({ level: "debug", message: "c" });
    log.level = "emergency";
    log({ level: "alert", message: "d" });
    expect([log.level, log.isOn("alert"), log.isOn("emergency")]).toEqual(["emergency", false, true]);
    expect(lines).toEqual(["[NOTICE] b", "[DEBUG] c"]);
  });

  test("must be one that there is, and so must every option", () => {
    const log = createLog();
    expect(() => {
      log.level = "loud" as never;
    }).toThrow(/^"loud" is no log level; there are debug, info/);
    expect(log.level).toBe("notice");
    expect(() => createLog({ level: "loud" as never })).toThrow('"loud" is no log level');
    expect(() => createLog({ format: "xml" as never })).toThrow(
      new TypeError("Cannot create the log: format must be text or json, not xml"),
    );
    expect(() => createLog({ formt: "json" } as never)).toThrow(
      new TypeError("Cannot create the log: formt is unknown; did you mean format?"),
    );
  });
});
