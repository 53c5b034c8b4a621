import { describe, expect, test } from "vitest";
import { ConversationCheck } from "./conversation-check.js";

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const pong = '{"jsonrpc":"2.0","id":1,"result":{}}';
const parseError = '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}';

function failuresOf(sent: readonly string[], received: readonly string[], revision = "2025-11-25"): string[] {
  const check = new ConversationCheck(revision);
  for (const text of sent) check.sent(text);
  for (const text of received) check.received(text);
  return check.failures();
}

describe("a checked conversation", () => {
  test("reports nothing if every response is correct", () => {
    expect(failuresOf([ping, "no JSON"], [parseError, pong])).toEqual([]);
    expect(failuresOf([`[${ping}]`], [`[${pong}]`], "2025-03-26")).toEqual([]);
    expect(failuresOf(['{"jsonrpc":"2.0","method":"notifications/initialized"}'], [])).toEqual([]);
    expect(failuresOf(['{"jsonrpc":"2.0","id":7,"result":{}}'], [])).toEqual([]);
  });

  test.each([
    ["a lost answer", [ping], [], "1 was answered 0 times, not 1"],
    ["a second answer", [ping], [pong, pong], "1 was answered 2 times, expected at most 1"],
    ["an answer under another id", [ping], ['{"jsonrpc":"2.0","id":"1","result":{}}'], "1 was answered 0 times, not 1"],
    ["a lost refusal", ["no JSON"], [], "0 answers without an id, expected 1 to 1"],
    ["a refusal too many", [ping], [pong, parseError], "1 answers without an id, expected 0 to 0"],
    [
      "an answer to a notification",
      ['{"jsonrpc":"2.0","method":"x"}'],
      [parseError],
      "1 answers without an id, expected 0 to 0",
    ],
    ["an illegal answer", [ping], ['{"jsonrpc":"2.0","id":1,"result":[]}'], "JSONRPCResultResponse/result: "],
    ["a batch where there is none", [ping], [`[${pong}]`], "a batch in 2025-11-25"],
    [
      "a word of another era",
      [ping],
      ['{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}'],
      "leaks result>resultType",
    ],
    [
      "an internal error",
      [ping],
      ['{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"m"}}'],
      "an internal error",
    ],
    ["an id of null", ["no JSON"], [parseError.replace('"error"', '"id":null,"error"')], "JSONRPCErrorResponse/id: "],
  ] as const)("reports %s", (_what, sent, received, failure) => {
    expect(failuresOf(sent, received).join("\n")).toContain(failure);
  });

  test("is settled when every required response has arrived", () => {
    const check = new ConversationCheck("2025-11-25");
    check.sent(ping);
    check.sent("no JSON");
    expect(check.isSettled).toBe(false);
    check.received(pong);
    expect(check.isSettled).toBe(false);
    check.received(parseError);
    expect(check.isSettled).toBe(true);
  });
});
