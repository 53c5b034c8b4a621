import { describe, expect, test } from "vitest";
import { isJsonContentType, parseAccept } from "../../../src/transports/http/http-message.js";

describe("parseAccept", () => {
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
  ])("parses %j", (header, json, stream) => {
    expect(parseAccept(header)).toEqual({ json, stream });
  });
});

test("isJsonContentType ignores the parameters of a media type", () => {
  for (const header of ["application/json", "application/json; charset=utf-8", " Application/JSON ;x=y"])
    expect(isJsonContentType(header)).toBe(true);
  for (const header of [undefined, "", "text/plain", "application/json5", "text/plain; application/json"])
    expect(isJsonContentType(header)).toBe(false);
});
