import { PassThrough } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { serveStreams } from "@toolwright/engine/transport";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ALL, STATELESS } from "../../packages/engine/test/support/every-revision.js";
import { Account } from "./account.js";
import { Dice } from "./dice.js";
import { messageText } from "./mutate.js";
import { ANSWERS, opening, settled, talkInMemory } from "./talk.js";
import { createWorkbench } from "./workbench.js";

/** How many messages to send in all; `FUZZ_MESSAGES=1000000` sends a million. */
const MESSAGES = Number(process.env["FUZZ_MESSAGES"] ?? 30_000);
const IN_ONE = 150;
const RUNS = Math.ceil(MESSAGES / IN_ONE / ALL.length / 2);
const LIMIT = 100_000;
const seeds = fc.array(fc.noBias(fc.integer()), { minLength: IN_ONE, maxLength: IN_ONE, size: "max" });

/** The messages of one conversation: first those with which a client of the revision begins. */
function* conversation(revision: string, numbers: readonly number[]): Generator<string> {
  yield* opening(revision);
  for (const [at, seed] of numbers.entries()) {
    const dice = new Dice(seed);
    yield messageText(dice, at, dice.oneIn(8) !== (revision === STATELESS));
  }
}

const talkHere = (revision: string, numbers: readonly number[]): Promise<string[]> =>
  talkInMemory(createWorkbench(), revision, conversation(revision, numbers), numbers.length);

async function talkInBytes(revision: string, numbers: readonly number[]): Promise<string[]> {
  const account = new Account(revision);
  const dice = new Dice(numbers.length);
  const input = new PassThrough();
  const output = new PassThrough();
  let rest = "";
  output.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      for (const { id } of account.heard(line))
        input.write(`\n${JSON.stringify({ jsonrpc: "2.0", id, ...dice.pick(ANSWERS) })}\n`);
    }
  });
  const served = serveStreams(createWorkbench(), { input, output });
  for (const text of conversation(revision, numbers)) {
    const line = spoilBytes(dice, text, account);
    for (let from = 0; from < line.length; ) {
      const size = dice.oneIn(4) ? 1 + dice.roll(40) : line.length;
      input.write(line.subarray(from, from + size));
      from += size;
    }
    if (dice.oneIn(10)) await turn();
  }
  await settled(account);
  input.end();
  await served;
  return rest === "" ? account.faults() : [...account.faults(), `half a line at the end: ${rest}`];
}

/** The bytes of a line, now and then too many or none of any character, and what is due for them. */
function spoilBytes(dice: Dice, text: string, account: Account): Buffer {
  const line = Buffer.from(text).toString();
  if (dice.oneIn(60)) {
    account.sentUnsure();
    return Buffer.from(`"${"x".repeat(LIMIT + dice.roll(LIMIT))}"\n`);
  }
  if (dice.oneIn(40)) {
    account.sent("not JSON: the bytes are no UTF-8");
    return Buffer.concat([Buffer.from(line), Buffer.from([dice.pick([0xff, 0xc0, 0x80, 0xf8])]), Buffer.from("\r\n")]);
  }
  if (line.trim() === "") account.sentUnsure();
  else account.sent(line);
  return Buffer.from(line + dice.pick(["\n", "\r\n", "\n\n", "\n \t\n"]));
}

describe.each(ALL)("spoilt messages in %s", (revision) => {
  for (const [way, talk] of [
    ["in memory", talkHere],
    ["as bytes cut anywhere", talkInBytes],
  ] as const) {
    test(`${way}: each request is answered once, nothing breaks, and every answer is legal`, {
      timeout: 3_600_000,
    }, async () => {
      const property = fc.asyncProperty(seeds, async (numbers) => {
        expect(await talk(revision, numbers)).toEqual([]);
      });
      await fc.assert(property, {
        seed: 20_260_728,
        numRuns: RUNS,
        endOnFailure: process.env["FUZZ_SHRINK"] === undefined,
      });
    });
  }
});
