import { expect, test } from "vitest";
import { numberText } from "../../src/jsonrpc/messages.js";

test.each([
  ['{"id":123456789012345678901}', ["id"], "123456789012345678901"],
  ['  {\n"id"\t: 7 }', ["id"], "7"],
  ['{"params":{"id":1},"id":2}', ["id"], "2"],
  ['{"id":2,"params":{"id":1}}', ["id"], "2"],
  ['{"params":{"requestId":-3}}', ["params", "requestId"], "-3"],
  ['{"a":[{"id":1},"id",{"params":{"id":1}}],"id":2}', ["id"], "2"],
  ['{"params":{"requestId":1},"params":{"requestId":2}}', ["params", "requestId"], "2"],
  ['{"params":{"requestId":1,"requestId":2},"requestId":3}', ["params", "requestId"], "2"],
  ['{"params":[{"requestId":1}]}', ["params", "requestId"], undefined],
  ['{"params":"requestId"}', ["params", "requestId"], undefined],
  ["[1]", ["id"], undefined],
  ['{"idx":1,"i":2,"xid":3,"\\\\d":4}', ["id"], undefined],
  ['{"\\u0069d":5}', ["id"], "5"],
  ['{"\\u0069\\u0064":5}', ["id"], "5"],
  ['{"a":"\\"id\\":1,","id":4}', ["id"], "4"],
  ['{"a":"id","b":3}', ["id"], undefined],
  ['{"id":1,"id":2}', ["id"], "2"],
  ["{}", ["id"], undefined],
])("in %s the number at %j is %j", (text, path, digits) => {
  expect(numberText(text, path)).toBe(digits);
});

test("long strings and whitespace are skipped", () => {
  const long = "a".repeat(9_000_000);
  const escaped = String.raw`\"\n`.repeat(2_000_000);
  const gap = " ".repeat(9_000_000);
  expect(numberText(`{"a":"${long}","b":"${escaped}",${gap}"id":12345678901234567890${gap}}`, ["id"])).toBe(
    "12345678901234567890",
  );
});

test("many members and brackets are skipped", () => {
  const many = `{"list":[${"[],{},".repeat(500_000)}0],${'"id":1,'.repeat(500_000)}"a":{}`;
  expect(numberText(`${many},"id":12345678901234567890}`, ["id"])).toBe("12345678901234567890");
});
