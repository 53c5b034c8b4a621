import { describe, expect, test } from "vitest";
import type { JsonObject } from "../jsonrpc/json.js";
import { Content, content, text } from "../protocol/content.js";
import { failureResult, structuredResult, toolResult, withReceipt } from "./tool-result.js";

const done = { isError: false, meta: undefined };

describe("what a tool returned becomes a result:", () => {
  test("text is text, also the empty one", () => {
    expect(toolResult("words")).toEqual({ ...done, content: "words", structured: undefined });
    expect(toolResult("")).toEqual({ ...done, content: "", structured: undefined });
  });

  test("nothing is no content", () => {
    expect(toolResult(undefined)).toEqual({ ...done, content: [], structured: undefined });
  });

  test.each([
    [{ n: 1, gone: undefined }, '{"n":1}'],
    [[1, null], "[1,null]"],
    [null, "null"],
    [0, "0"],
    [false, "false"],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [Number.NaN, "null"],
  ])("any other value is its JSON, twice: %j", (value, json) => {
    expect(toolResult(value)).toEqual({ ...done, content: json, structured: json });
  });

  test("blocks are those blocks, with structure only where it was given", () => {
    const blocks = [text("a"), text("b")];
    expect(toolResult(content(...blocks))).toEqual({ ...done, content: blocks, structured: undefined });
    expect(toolResult(new Content(blocks, null))).toEqual({
      ...done,
      content: [...blocks, text("null")],
      structured: "null",
    });
    expect(toolResult(new Content([], { n: 1 }))).toEqual({ ...done, content: [], structured: '{"n":1}' });
  });

  test.each([{ priority: 5 }, { audience: ["robot"] }, { lastModified: "yesterday" }, "important"])(
    "a block with annotations that no client takes is refused: %j",
    (annotations) => {
      const block = { ...text("a"), annotations: annotations as JsonObject };
      expect(() => toolResult(content(text("b"), block))).toThrow("Block 1 of the content is none: ");
    },
  );

  test("what JSON cannot write is refused", () => {
    expect(() => toolResult(() => 1)).toThrow(new TypeError("A tool cannot return a function"));
    expect(() => toolResult(Symbol("s"))).toThrow(new TypeError("A tool cannot return a symbol"));
    expect(() => toolResult(1n)).toThrow(TypeError);
    const circle: { self?: unknown } = {};
    circle.self = circle;
    expect(() => toolResult(circle)).toThrow(TypeError);
  });
});

test("a structured result has text as JSON, too", () => {
  expect(structuredResult("words")).toEqual({ ...done, content: '"words"', structured: '"words"' });
  expect(() => structuredResult(undefined)).toThrow(TypeError);
});

describe("a receipt", () => {
  test("is one more line of text, and a list for programs", () => {
    const receipt = "Note: the arguments were read with a correction: a: read as b.";
    expect(withReceipt(toolResult("words"), ["a: read as b"])).toEqual({
      content: [text("words"), text(receipt)],
      structured: undefined,
      isError: false,
      meta: { "toolwright/repairs": ["a: read as b"] },
    });
  });

  test("stands after the blocks and names all that was mended", () => {
    expect(withReceipt(toolResult(content(text("a"))), ["x", "y"]).content).toEqual([
      text("a"),
      text("Note: the arguments were read with corrections: x; y."),
    ]);
    const cut = { ...toolResult("words"), meta: { "example.com/kind": "cut" } };
    expect(withReceipt(cut, ["x"]).meta).toEqual({ "example.com/kind": "cut", "toolwright/repairs": ["x"] });
    expect(withReceipt(toolResult(undefined), ["x"]).content).toEqual([
      text("Note: the arguments were read with a correction: x."),
    ]);
  });
});

test("a failure is words for the model and details for programs", () => {
  expect(failureResult("No.", {}, false)).toEqual({
    content: "No.",
    structured: undefined,
    isError: true,
    meta: undefined,
  });
  expect(failureResult("No.", { code: "X" }, false)).toMatchObject({ structured: '{"code":"X"}', meta: undefined });
});

test("the details of a failure stay out of structured content that an output schema describes", () => {
  expect(failureResult("No.", { code: "X" }, true)).toEqual({
    content: "No.",
    structured: undefined,
    isError: true,
    meta: { "toolwright/failure": { code: "X" } },
  });
});
