import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/jsonrpc/messages.js";
import { Content, content, text } from "../../src/protocol/content.js";
import {
  errorResult,
  toStructuredResult,
  toToolResult,
  withCorrectionNotice,
} from "../../src/server/features/tool-result.js";

const done = { isError: false, meta: undefined };

describe("toToolResult", () => {
  test("converts a string to text, also an empty one", () => {
    expect(toToolResult("words")).toEqual({ ...done, content: "words", structured: undefined });
    expect(toToolResult("")).toEqual({ ...done, content: "", structured: undefined });
  });

  test("converts undefined to empty content", () => {
    expect(toToolResult(undefined)).toEqual({ ...done, content: [], structured: undefined });
  });

  test.each([
    [{ n: 1, gone: undefined }, '{"n":1}'],
    [[1, null], "[1,null]"],
    [null, "null"],
    [0, "0"],
    [false, "false"],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [Number.NaN, "null"],
  ])("converts %j to structured content and JSON text", (value, json) => {
    expect(toToolResult(value)).toEqual({ ...done, content: json, structured: json });
  });

  test("keeps content blocks, with structured content only if it is given", () => {
    const blocks = [text("a"), text("b")];
    expect(toToolResult(content(...blocks))).toEqual({ ...done, content: blocks, structured: undefined });
    expect(toToolResult(new Content(blocks, null))).toEqual({
      ...done,
      content: [...blocks, text("null")],
      structured: "null",
    });
    expect(toToolResult(new Content([], { n: 1 }))).toEqual({ ...done, content: [], structured: '{"n":1}' });
  });

  test.each([{ priority: 5 }, { audience: ["robot"] }, { lastModified: "yesterday" }, "important"])(
    "rejects a block with the invalid annotations %j",
    (annotations) => {
      const block = { ...text("a"), annotations: annotations as JsonObject };
      expect(() => toToolResult(content(text("b"), block))).toThrow("Content block 1 is invalid: ");
    },
  );

  test("rejects values that are not serializable", () => {
    expect(() => toToolResult(() => 1)).toThrow(new TypeError("A tool cannot return a function"));
    expect(() => toToolResult(Symbol("s"))).toThrow(new TypeError("A tool cannot return a symbol"));
    expect(() => toToolResult(1n)).toThrow(TypeError);
    const circle: { self?: unknown } = {};
    circle.self = circle;
    expect(() => toToolResult(circle)).toThrow(TypeError);
  });
});

test("keeps blocks with unknown annotations, which may be those of another server", () => {
  const block = { ...text("a"), annotations: { audiences: ["user"] } };
  expect(toToolResult(content(block)).content).toEqual([block]);
});

test("repeats structured content as JSON text", () => {
  expect(toStructuredResult("words")).toEqual({ ...done, content: '"words"', structured: '"words"' });
  expect(() => toStructuredResult(undefined)).toThrow(TypeError);
});

describe("a correction notice", () => {
  test("adds a text block and a list in _meta", () => {
    const notice = "Note: the arguments were corrected: a: read as b.";
    expect(withCorrectionNotice(toToolResult("words"), ["a: read as b"])).toEqual({
      content: [text("words"), text(notice)],
      structured: undefined,
      isError: false,
      meta: { "toolwright/corrections": ["a: read as b"] },
    });
  });

  test("follows the content and lists all corrections", () => {
    expect(withCorrectionNotice(toToolResult(content(text("a"))), ["x", "y"]).content).toEqual([
      text("a"),
      text("Note: the arguments were corrected: x; y."),
    ]);
    const cut = { ...toToolResult("words"), meta: { "example.com/kind": "cut" } };
    expect(withCorrectionNotice(cut, ["x"]).meta).toEqual({
      "example.com/kind": "cut",
      "toolwright/corrections": ["x"],
    });
    expect(withCorrectionNotice(toToolResult(undefined), ["x"]).content).toEqual([
      text("Note: the arguments were corrected: x."),
    ]);
  });
});

test("an error result has a message for the model and details for programs", () => {
  expect(errorResult("No.", {}, false)).toEqual({
    content: "No.",
    structured: undefined,
    isError: true,
    meta: undefined,
  });
  expect(errorResult("No.", { code: "X" }, false)).toMatchObject({ structured: '{"code":"X"}', meta: undefined });
});

test("the details of an error are in _meta if the tool has an output schema", () => {
  expect(errorResult("No.", { code: "X" }, true)).toEqual({
    content: "No.",
    structured: undefined,
    isError: true,
    meta: { "toolwright/failure": { code: "X" } },
  });
});
