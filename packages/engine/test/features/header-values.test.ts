import { describe, expect, test } from "vitest";
import {
  decodeHeaderValue,
  hasInvalidCharacters,
  headerMatchesValue,
  isPlainHeader,
} from "../../src/server/features/request-headers.js";

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
  ])("decodes %j to %j", (value, text) => {
    expect(decodeHeaderValue(value)).toBe(text);
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
  ])("rejects %j", (value) => {
    expect(decodeHeaderValue(value)).toBeUndefined();
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
  ])("%j equals %j", (text, value) => {
    expect(headerMatchesValue(text, value)).toBe(true);
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
  ])("%j does not equal %j", (text, value) => {
    expect(headerMatchesValue(text, value)).toBe(false);
  });
});

test("a header value may contain only printable ASCII, spaces and tabs", () => {
  expect(["a b\tc", "!~", ""].map(hasInvalidCharacters)).toEqual([false, false, false]);
  expect(["é", "a\nb", "\u007F", "\u0000", "世"].map(hasInvalidCharacters)).toEqual([true, true, true, true, true]);
});

test("a plain header value needs no decoding", () => {
  expect(["echo", "", "=?BASE64?YQ==?="].map(isPlainHeader)).toEqual([true, true, true]);
  expect(["=?base64?YQ==?=", "=?base64?", "é"].map(isPlainHeader)).toEqual([false, false, false]);
});
