import type { Server } from "@toolwright/engine";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createExample } from "../../packages/engine/test/conversations/example.js";
import { createExtras } from "../../packages/engine/test/conversations/extras.js";
import { createSurface } from "../../packages/engine/test/conversations/surface.js";
import { ALL, STATELESS } from "../../packages/engine/test/support/every-revision.js";
import { converseInMemory, opening } from "./converse.js";
import type { Draft } from "./corpus.js";
import { createWorkbench } from "./fuzz-server.js";
import { spoilMessage } from "./mutate.js";
import { Random } from "./random.js";
import { HAS_TRANSCRIPTS, readConversations, readTranscripts } from "./recorded.js";

if (!HAS_TRANSCRIPTS) console.warn("skipped: the captured transcripts (../shared/transcripts) are not here");

const RUNS = Number(process.env["FUZZ_RECORDED"] ?? 3);
const IN_ONE = 80;
const seeds = fc.array(fc.noBias(fc.integer()), { minLength: IN_ONE, maxLength: IN_ONE, size: "max" });

/** Recorded messages in random order, each with a unique id. */
function* spoilt(record: readonly Draft[], revision: string, numbers: readonly number[]): Generator<string> {
  yield* opening(revision);
  for (const [at, seed] of numbers.entries()) {
    const random = new Random(seed);
    const message = structuredClone(random.pick(record));
    if ("id" in message && "method" in message) message["id"] = at;
    yield spoilMessage(random, message, revision === STATELESS);
  }
}

/** Tools that may run forever. */
const ENDLESS: ReadonlySet<unknown> = new Set(["wait", "brew"]);

/** What would start anew, or never end. */
const isOut = ({ method, params }: Draft): boolean =>
  method === "initialize" || ENDLESS.has((params as Draft | undefined)?.["name"]);

async function expectSound(create: () => Server, revision: string, all: readonly Draft[]): Promise<void> {
  const record = all.filter((message) => !isOut(message));
  const property = fc.asyncProperty(seeds, async (numbers) => {
    const heard = await converseInMemory(create(), revision, spoilt(record, revision, numbers), numbers.length);
    expect(heard).toEqual([]);
  });
  await fc.assert(property, { seed: 20_260_728, numRuns: RUNS, endOnFailure: true });
}

describe.each(ALL)("mutated recorded messages in %s", (revision) => {
  test.skipIf(!HAS_TRANSCRIPTS)("of real clients: each request is answered once, and validly", async () => {
    await expectSound(createWorkbench, revision, readTranscripts());
  });

  test.each([
    ["example", createExample],
    ["surface", createSurface],
    ["extras", createExtras],
  ])("of our conversations, to the server %s: each request is answered once, and validly", async (_name, create) => {
    await expectSound(create, revision, readConversations(revision));
  });
});
