import { describe, expect, test } from "vitest";
import { RpcError } from "../../src/jsonrpc/errors.js";
import {
  encodeError,
  encodeId,
  encodeNotification,
  encodeRequest,
  encodeResult,
  parseJson,
  parseMessage,
  readExactInteger,
} from "../../src/jsonrpc/messages.js";

/** The error that a function throws, as plain values. */
function thrownBy(read: () => unknown): { code: number; message: string; id: unknown } {
  try {
    read();
  } catch (error) {
    if (error instanceof RpcError) return { code: error.code, message: error.message, id: error.id };
    throw error;
  }
  throw new Error("nothing was thrown");
}

const read = (text: string) => parseMessage(parseJson(text), text);

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

describe("parseJson", () => {
  test.each(["{", "}", "", " ", "nul", "{'a':1}", '{"a":1,}', "[1,]", "01", "NaN", '"\u0001"', "{}{}", "\u{feff}{}"])(
    "rejects %j, which is not JSON",
    (text) => {
      expect(thrownBy(() => parseJson(text)).code).toBe(-32700);
    },
  );

  test("reports the position of the error without quoting the text", () => {
    const { message } = thrownBy(() => parseJson('{"password":hunter2}'));
    expect(message).toMatch(
      /^Parse error: (unexpected character at position 12|the text ends too early or is not JSON)$/,
    );
  });

  test("reports text that ends too early", () => {
    expect(thrownBy(() => parseJson("")).message).toBe("Parse error: the text ends too early or is not JSON");
  });

  test("accepts 256 levels and rejects 257", () => {
    expect(Array.isArray(parseJson(nested(256)))).toBe(true);
    expect(thrownBy(() => parseJson(nested(257)))).toEqual({
      code: -32700,
      message: "Parse error: nested deeper than 256 levels",
      id: undefined,
    });
  });

  test("rejects a million levels", () => {
    expect(thrownBy(() => parseJson('{"a":'.repeat(1_000_000))).code).toBe(-32700);
  });

  test("keeps lone surrogates, and encode writes them back as escapes", () => {
    expect(parseJson('"\\ud800"')).toBe("\ud800");
    expect(encodeId("\ud800")).toBe('"\\ud800"');
  });

  test("treats __proto__ as an ordinary member", () => {
    expect(Object.keys(parseJson('{"__proto__":{"polluted":true}}') as object)).toEqual(["__proto__"]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe("parseMessage", () => {
  test("reads a request, a notification and both kinds of response", () => {
    expect(read('{"jsonrpc":"2.0","id":1,"method":"ping"}')).toMatchObject({ id: 1, method: "ping" });
    expect(read('{"jsonrpc":"2.0","method":"notifications/initialized"}')).not.toHaveProperty("id");
    expect(read('{"jsonrpc":"2.0","id":1,"result":{}}')).toMatchObject({ id: 1, result: {} });
    expect(read('{"jsonrpc":"2.0","id":"a","error":{"code":1,"message":"no"}}')).toMatchObject({ id: "a" });
  });

  test.each(["1", '"text"', "null", "true", "[]"])("rejects %s, which is not an object", (text) => {
    expect(thrownBy(() => read(text))).toEqual({
      code: -32600,
      message: "Invalid request: a message is a JSON object",
      id: undefined,
    });
  });

  test.each([
    '{"id":1,"method":"ping"}',
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    '{"jsonrpc":2,"id":1,"method":"ping"}',
    '{"jsonrpc":null,"id":1,"method":"ping"}',
  ])("rejects the version of %s with its id", (text) => {
    expect(thrownBy(() => read(text))).toEqual({
      code: -32600,
      message: 'Invalid request: "jsonrpc" must be "2.0"',
      id: 1,
    });
  });

  test.each([
    '{"jsonrpc":"2.0","id":1}',
    '{"jsonrpc":"2.0","id":1,"method":7}',
    '{"jsonrpc":"2.0","id":1,"method":{}}',
  ])("rejects the method of %s with its id", (text) => {
    expect(thrownBy(() => read(text))).toEqual({
      code: -32600,
      message: 'Invalid request: "method" must be a string',
      id: 1,
    });
  });

  test.each(["null", "1.5", "true", "false", "{}", "[]", "1e400", "1e30", "-1.5e-3"])("rejects the id %s", (id) => {
    expect(thrownBy(() => read(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`))).toEqual({
      code: -32600,
      message: 'Invalid request: "id" must be a string or an integer',
      id: undefined,
    });
  });

  test.each([
    ['""', ""],
    ['"7"', "7"],
    ["7", 7],
    ["0", 0],
    ["-3", -3],
    ["9007199254740991", 9007199254740991],
    ["9007199254740993", 9007199254740993n],
    ["-12345678901234567890", -12345678901234567890n],
  ])("reads the id %s", (text, id) => {
    expect(read(`{"jsonrpc":"2.0","id":${text},"method":"ping"}`).id).toBe(id);
  });

  test("reads the source text only for ids beyond the safe integers", () => {
    const requested: string[] = [];
    const ids = ["1", '"a"', "9007199254740991", "1.5", "null", "9007199254740993"].map((id) => {
      const text = `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
      try {
        return parseMessage(parseJson(text), () => {
          requested.push(id);
          return text;
        }).id;
      } catch {
        return "rejected";
      }
    });
    expect(ids).toEqual([1, "a", 9007199254740991, "rejected", "rejected", 9007199254740993n]);
    expect(requested).toEqual(["9007199254740993"]);
  });

  test.each(["[]", "null", '"text"', "1"])("rejects a request whose params are %s", (params) => {
    expect(thrownBy(() => read(`{"jsonrpc":"2.0","id":"a","method":"ping","params":${params}}`))).toEqual({
      code: -32602,
      message: 'Invalid params: "params" must be an object',
      id: "a",
    });
  });

  test("accepts a notification with any params", () => {
    expect(read('{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}').method).toBe(
      "notifications/cancelled",
    );
  });

  test.each(['{"jsonrpc":"2.0","id":null,"error":{}}', '{"jsonrpc":"2.0","error":{}}', '{"jsonrpc":"2.0","result":1}'])(
    "treats %s as a response, so that it gets none",
    (text) => {
      expect(read(text).method).toBeUndefined();
    },
  );
});

describe("readExactInteger", () => {
  test("returns safe integers as numbers and others as bigints", () => {
    expect(readExactInteger(5, "unread", [])).toBe(5);
    expect(readExactInteger(1e20, '{"a":100000000000000000001}', ["a"])).toBe(100000000000000000001n);
    expect(readExactInteger(1e20, () => '{"a":{"b":100000000000000000001}}', ["a", "b"])).toBe(100000000000000000001n);
  });

  test("returns undefined for fractions, exponents and other types", () => {
    expect(readExactInteger(1.5, "1.5", [])).toBeUndefined();
    expect(readExactInteger(1e30, '{"a":1e30}', ["a"])).toBeUndefined();
    expect(readExactInteger("5", '"5"', [])).toBeUndefined();
  });
});

describe("encode", () => {
  test("encodes ids with their type and all digits", () => {
    expect([encodeId("7"), encodeId(7), encodeId(12345678901234567890n), encodeId('a"\n')]).toEqual([
      '"7"',
      "7",
      "12345678901234567890",
      '"a\\"\\n"',
    ]);
  });

  test("encodes results, requests and notifications", () => {
    expect(encodeResult("a", "{}")).toBe('{"jsonrpc":"2.0","id":"a","result":{}}');
    expect(encodeRequest(1, "ping", "{}")).toBe('{"jsonrpc":"2.0","id":1,"method":"ping","params":{}}');
    expect(encodeNotification("notifications/message", '{"a":1}')).toBe(
      '{"jsonrpc":"2.0","method":"notifications/message","params":{"a":1}}',
    );
    expect(encodeNotification("notifications/tools/list_changed", undefined)).toBe(
      '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}',
    );
  });

  test("encodes an error with its id, with null or without an id", () => {
    const error = { code: -32700, message: "no" };
    expect(encodeError(1, error)).toBe('{"jsonrpc":"2.0","id":1,"error":{"code":-32700,"message":"no"}}');
    expect(encodeError(null, error)).toBe('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}');
    expect(encodeError(undefined, error)).toBe('{"jsonrpc":"2.0","error":{"code":-32700,"message":"no"}}');
  });

  test("keeps a message on one line", () => {
    expect(encodeError(1, { code: 1, message: "a\nb\r\u2028c" })).not.toMatch(/[\n\r]/);
  });
});
