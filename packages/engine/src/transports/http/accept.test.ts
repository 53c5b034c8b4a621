import { describe, expect, test } from "vitest";
import { isJson, readAccept } from "./accept.js";

describe("readAccept", () => {
  test.each([
    [undefined, true, true],
    ["application/json, text/event-stream", true, true],
    ["text/event-stream;charset=utf-8 , APPLICATION/JSON;q=0.5", true, true],
    ["*/*", true, true],
    ["application/json", true, false],
    ["application/*", true, false],
    ["text/event-stream", false, true],
    ["text/*", false, true],
    ["image/png", false, false],
    ["", false, false],
    ["application/json;q=0", false, false],
    ["*/*, text/event-stream;q=0", true, false],
    ["text/event-stream;q=0, */*", true, false],
    ["application/json;q=nonsense", false, false],
    ["application/jsonx, text/event-streams", false, false],
  ])("reads %j", (header, json, stream) => {
    expect(readAccept(header)).toEqual({ json, stream });
  });
});

test("isJson knows a JSON body by its type, whatever stands behind it", () => {
  for (const header of ["application/json", "application/json; charset=utf-8", " Application/JSON ;x=y"])
    expect(isJson(header)).toBe(true);
  for (const header of [undefined, "", "text/plain", "application/json5", "text/plain; application/json"])
    expect(isJson(header)).toBe(false);
});
