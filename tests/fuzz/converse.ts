import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import type { Server } from "@toolwright/engine";
import { openMemoryConnection } from "@toolwright/engine/transport";
import { ConversationCheck } from "./conversation-check.js";
import { discover, initialize } from "./corpus.js";
import { Random } from "./random.js";

const ready = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

/** Answers of a client to a server's request, valid and invalid. */
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

/** The first messages of a client of a revision. */
export const opening = (revision: string): string[] =>
  revision === "2026-07-28"
    ? [JSON.stringify(discover("first"))]
    : [JSON.stringify(initialize("first", revision)), ready];

/** Waits for every required response; a missing one is reported by the check. */
export async function settled(check: ConversationCheck): Promise<void> {
  for (let turns = 0; turns < 20 && !check.isSettled; turns += 1) await turn();
  for (let waited = 0; waited < 3000 && !check.isSettled; waited += 5) await sleep(5);
}

/** Runs a conversation in memory, answers the server's requests, and returns what is wrong. */
export async function converseInMemory(
  server: Server,
  revision: string,
  texts: Iterable<string>,
  seed: number,
): Promise<string[]> {
  const check = new ConversationCheck(revision);
  const random = new Random(seed);
  const onMessage = (text: string): void => {
    for (const { id } of check.received(text)) {
      const answer = JSON.stringify({ jsonrpc: "2.0", id, ...random.pick(ANSWERS) });
      queueMicrotask(() => connection.send(answer));
    }
  };
  const connection = await openMemoryConnection(server, onMessage);
  for (const text of texts) {
    check.sent(text);
    connection.send(text);
    if (random.oneIn(10)) await turn();
  }
  await settled(check);
  connection.close();
  await turn();
  return check.failures();
}
