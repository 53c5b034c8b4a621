import { describe, expect, test } from "vitest";
import { decodeHeader, isIllegal, isPlain, saysTheSame } from "./header-value.js";

describe("decodeHeader", () => {
  test.each([
    ["us-west1", "us-west1"],
    ["", ""],
    ["=?base64?SGVsbG8=?=", "Hello"],
    ["=?base64?SGVsbG8sIOS4lueVjA==?=", "Hello, 世界"],
    ["=?base64??=", ""],
    ["=?base64?77u/?=", "\uFEFF"],
    ["=?base64?=", "=?base64?="],
    ["=?base64?SGVsbG8=", "=?base64?SGVsbG8="],
    ["SGVsbG8=?=", "SGVsbG8=?="],
    ["=?Base64?SGVsbG8=?=", "=?Base64?SGVsbG8=?="],
    [" =?base64?SGVsbG8=?=", " =?base64?SGVsbG8=?="],
  ])("reads %j as %j", (value, text) => {
    expect(decodeHeader(value)).toBe(text);
  });

  test.each([
    ["=?base64?SGVsbG8?="],
    ["=?base64?SGVs!!!bG8=?="],
    ["=?base64?SGVsbG9=?="],
    ["=?base64?_-8=?="],
    ["=?base64?/w==?="],
    ["=?base64?7aCA?="],
    ["=?base64?SGVs\tbG8=?="],
    ["=?base64?=?="],
  ])("refuses %j", (value) => {
    expect(decodeHeader(value)).toBeUndefined();
  });
});

describe("saysTheSame", () => {
  test.each([
    ["eu", "eu"],
    ["", ""],
    ["42", 42],
    ["42.00", 42],
    ["-7", -7],
    ["0", 0],
    ["-0", 0],
    ["007", 7],
    ["1.5", 1.5],
    ["true", true],
    ["false", false],
  ])("%j says %j", (text, value) => {
    expect(saysTheSame(text, value)).toBe(true);
  });

  test.each([
    ["EU", "eu"],
    ["42.0", "42"],
    ["", 0],
    [" 42", 42],
    ["0x2a", 42],
    ["4.2e1", 42],
    ["42.5", 42],
    ["42.", 42],
    ["TRUE", true],
    ["1", true],
    ["{}", {}],
    ["eu", ["eu"]],
    ["null", null],
  ])("%j does not say %j", (text, value) => {
    expect(saysTheSame(text, value)).toBe(false);
  });
});

test("a header carries visible ASCII, blanks and tabs alone", () => {
  expect(["a b\tc", "!~", ""].map(isIllegal)).toEqual([false, false, false]);
  expect(["é", "a\nb", "\u007F", "\u0000", "世"].map(isIllegal)).toEqual([true, true, true, true, true]);
});

test("a header is plain that needs neither a decoder nor a refusal", () => {
  expect(["echo", "", "=?BASE64?YQ==?="].map(isPlain)).toEqual([true, true, true]);
  expect(["=?base64?YQ==?=", "=?base64?", "é"].map(isPlain)).toEqual([false, false, false]);
});
