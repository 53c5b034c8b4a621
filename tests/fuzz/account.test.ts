import { describe, expect, test } from "vitest";
import { Account } from "./account.js";

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const pong = '{"jsonrpc":"2.0","id":1,"result":{}}';
const parseError = '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}';

function faults(sent: readonly string[], heard: readonly string[], revision = "2025-11-25"): string[] {
  const account = new Account(revision);
  for (const text of sent) account.sent(text);
  for (const text of heard) account.heard(text);
  return account.faults();
}

describe("the account of a conversation", () => {
  test("finds nothing where all is well", () => {
    expect(faults([ping, "no JSON"], [parseError, pong])).toEqual([]);
    expect(faults([`[${ping}]`], [`[${pong}]`], "2025-03-26")).toEqual([]);
    expect(faults(['{"jsonrpc":"2.0","method":"notifications/initialized"}'], [])).toEqual([]);
    expect(faults(['{"jsonrpc":"2.0","id":7,"result":{}}'], [])).toEqual([]);
  });

  test.each([
    ["a lost answer", [ping], [], "1 was answered 0 times, not 1"],
    ["a second answer", [ping], [pong, pong], "1 was answered 2 times, at most 1 are due"],
    ["an answer under another id", [ping], ['{"jsonrpc":"2.0","id":"1","result":{}}'], "1 was answered 0 times, not 1"],
    ["a lost refusal", ["no JSON"], [], "0 answers without an id, due are 1 to 1"],
    ["a refusal too many", [ping], [pong, parseError], "1 answers without an id, due are 0 to 0"],
    [
      "an answer to a notification",
      ['{"jsonrpc":"2.0","method":"x"}'],
      [parseError],
      "1 answers without an id, due are 0 to 0",
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
  ] as const)("finds %s", (_what, sent, heard, fault) => {
    expect(faults(sent, heard).join("\n")).toContain(fault);
  });

  test("is settled when all that is due has come", () => {
    const account = new Account("2025-11-25");
    account.sent(ping);
    account.sent("no JSON");
    expect(account.isSettled).toBe(false);
    account.heard(pong);
    expect(account.isSettled).toBe(false);
    account.heard(parseError);
    expect(account.isSettled).toBe(true);
  });
});
