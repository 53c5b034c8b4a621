import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import type { Server } from "@toolwright/engine";
import { openMemoryConnection } from "@toolwright/engine/transport";
import { Account } from "./account.js";
import { discover, initialize } from "./corpus.js";
import { Dice } from "./dice.js";

const ready = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

/** What a client may say to a question, right or wrong. */
export const ANSWERS = [
  { result: { action: "accept", content: { sure: true } } },
  { result: { action: "accept", content: { sure: "maybe", more: [] } } },
  { result: { action: "decline" } },
  { result: { action: 7 } },
  { result: null },
  { error: { code: -32603, message: "no" } },
  { error: 5 },
  { error: { code: { valueOf: 1 }, message: { toString: 1 } } },
  { result: { action: "accept", content: { toString: 1, sure: { valueOf: null } } } },
] as const;

/** The messages with which a client of a revision begins. */
export const opening = (revision: string): string[] =>
  revision === "2026-07-28"
    ? [JSON.stringify(discover("first"))]
    : [JSON.stringify(initialize("first", revision)), ready];

/** Waits for what is due; a server that never answers is found by the account. */
export async function settled(account: Account): Promise<void> {
  for (let turns = 0; turns < 20 && !account.isSettled; turns += 1) await turn();
  for (let waited = 0; waited < 3000 && !account.isSettled; waited += 5) await sleep(5);
}

/** Leads a conversation inside the process, answers what is asked, and gives what is wrong with what came back. */
export async function talkInMemory(
  server: Server,
  revision: string,
  texts: Iterable<string>,
  seed: number,
): Promise<string[]> {
  const account = new Account(revision);
  const dice = new Dice(seed);
  const hear = (text: string): void => {
    for (const { id } of account.heard(text)) {
      const answer = JSON.stringify({ jsonrpc: "2.0", id, ...dice.pick(ANSWERS) });
      queueMicrotask(() => connection.send(answer));
    }
  };
  const connection = await openMemoryConnection(server, hear);
  for (const text of texts) {
    account.sent(text);
    connection.send(text);
    if (dice.oneIn(10)) await turn();
  }
  await settled(account);
  connection.close();
  await turn();
  return account.faults();
}
