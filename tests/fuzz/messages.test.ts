import { PassThrough } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { serveStreams } from "@toolwright/engine/transport";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ALL, STATELESS } from "../../packages/engine/test/support/every-revision.js";
import { ConversationCheck } from "./conversation-check.js";
import { ANSWERS, converseInMemory, opening, settled } from "./converse.js";
import { createWorkbench } from "./fuzz-server.js";
import { messageText } from "./mutate.js";
import { Random } from "./random.js";

/** The total number of messages; `FUZZ_MESSAGES=1000000` sends a million. */
const MESSAGES = Number(process.env["FUZZ_MESSAGES"] ?? 30_000);
const IN_ONE = 150;
const RUNS = Math.ceil(MESSAGES / IN_ONE / ALL.length / 2);
const LIMIT = 100_000;
const seeds = fc.array(fc.noBias(fc.integer()), { minLength: IN_ONE, maxLength: IN_ONE, size: "max" });

/** The messages of one conversation, beginning with the first messages of a client of the revision. */
function* conversation(revision: string, numbers: readonly number[]): Generator<string> {
  yield* opening(revision);
  for (const [at, seed] of numbers.entries()) {
    const random = new Random(seed);
    yield messageText(random, at, random.oneIn(8) !== (revision === STATELESS));
  }
}

const talkHere = (revision: string, numbers: readonly number[]): Promise<string[]> =>
  converseInMemory(createWorkbench(), revision, conversation(revision, numbers), numbers.length);

async function talkInBytes(revision: string, numbers: readonly number[]): Promise<string[]> {
  const check = new ConversationCheck(revision);
  const random = new Random(numbers.length);
  const input = new PassThrough();
  const output = new PassThrough();
  let rest = "";
  output.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      for (const { id } of check.received(line))
        input.write(`\n${JSON.stringify({ jsonrpc: "2.0", id, ...random.pick(ANSWERS) })}\n`);
    }
  });
  const served = serveStreams(createWorkbench(), { input, output });
  for (const text of conversation(revision, numbers)) {
    const line = spoilBytes(random, text, check);
    for (let from = 0; from < line.length; ) {
      const size = random.oneIn(4) ? 1 + random.below(40) : line.length;
      input.write(line.subarray(from, from + size));
      from += size;
    }
    if (random.oneIn(10)) await turn();
  }
  await settled(check);
  input.end();
  await served;
  return rest === "" ? check.failures() : [...check.failures(), `half a line at the end: ${rest}`];
}

/** The bytes of a line, sometimes over the limit or of whitespace only, and their required responses. */
function spoilBytes(random: Random, text: string, check: ConversationCheck): Buffer {
  const line = Buffer.from(text).toString();
  if (random.oneIn(60)) {
    check.sentOptional();
    return Buffer.from(`"${"x".repeat(LIMIT + random.below(LIMIT))}"\n`);
  }
  if (random.oneIn(40)) {
    check.sent("not JSON: the bytes are no UTF-8");
    return Buffer.concat([
      Buffer.from(line),
      Buffer.from([random.pick([0xff, 0xc0, 0x80, 0xf8])]),
      Buffer.from("\r\n"),
    ]);
  }
  if (line.trim() === "") check.sentOptional();
  else check.sent(line);
  return Buffer.from(line + random.pick(["\n", "\r\n", "\n\n", "\n \t\n"]));
}

describe.each(ALL)("mutated messages in %s", (revision) => {
  for (const [transport, talk] of [
    ["in memory", talkHere],
    ["as bytes cut anywhere", talkInBytes],
  ] as const) {
    test(`${transport}: each request is answered once, and every response is valid`, {
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
