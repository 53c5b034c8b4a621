import { expect, test } from "vitest";
import { arrayElementTexts } from "../../src/jsonrpc/messages.js";

test.each([
  ["[]", []],
  [" [ ] ", []],
  ["[1]", ["1"]],
  [' [ {"a":[1,2]} ,\n"b,]" , -3.5e1,null ]\n', ['{"a":[1,2]}', '"b,]"', "-3.5e1", "null"]],
  ['[[[]],{},"\\\\",""]', ["[[]]", "{}", '"\\\\"', '""']],
])("%j has the elements %j", (text, elements) => {
  expect(arrayElementTexts(text)).toEqual(elements);
  expect(arrayElementTexts(text).map((element) => JSON.parse(element) as unknown)).toEqual(JSON.parse(text));
});
