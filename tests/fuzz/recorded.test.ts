import type { Server } from "@toolwright/engine";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createExample } from "../../packages/engine/test/conversations/example.js";
import { createExtras } from "../../packages/engine/test/conversations/extras.js";
import { createSurface } from "../../packages/engine/test/conversations/surface.js";
import { ALL, STATELESS } from "../../packages/engine/test/support/every-revision.js";
import type { Draft } from "./corpus.js";
import { Dice } from "./dice.js";
import { spoilMessage } from "./mutate.js";
import { HAS_TRANSCRIPTS, readConversations, readTranscripts } from "./recorded.js";
import { opening, talkInMemory } from "./talk.js";
import { createWorkbench } from "./workbench.js";

if (!HAS_TRANSCRIPTS) console.warn("skipped: the captured transcripts (../shared/transcripts) are not here");

const RUNS = Number(process.env["FUZZ_RECORDED"] ?? 3);
const IN_ONE = 80;
const seeds = fc.array(fc.noBias(fc.integer()), { minLength: IN_ONE, maxLength: IN_ONE, size: "max" });

/** Messages out of a record, in any order, each under an id of its own. */
function* spoilt(record: readonly Draft[], revision: string, numbers: readonly number[]): Generator<string> {
  yield* opening(revision);
  for (const [at, seed] of numbers.entries()) {
    const dice = new Dice(seed);
    const message = structuredClone(dice.pick(record));
    if ("id" in message && "method" in message) message["id"] = at;
    yield spoilMessage(dice, message, revision === STATELESS);
  }
}

/** Tools that may take for ever. */
const ENDLESS: ReadonlySet<unknown> = new Set(["wait", "brew"]);

/** What would begin anew, or never end. */
const isOut = ({ method, params }: Draft): boolean =>
  method === "initialize" || ENDLESS.has((params as Draft | undefined)?.["name"]);

async function expectSound(create: () => Server, revision: string, all: readonly Draft[]): Promise<void> {
  const record = all.filter((message) => !isOut(message));
  const property = fc.asyncProperty(seeds, async (numbers) => {
    const heard = await talkInMemory(create(), revision, spoilt(record, revision, numbers), numbers.length);
    expect(heard).toEqual([]);
  });
  await fc.assert(property, { seed: 20_260_728, numRuns: RUNS, endOnFailure: true });
}

describe.each(ALL)("recorded messages, spoilt, in %s", (revision) => {
  test.skipIf(!HAS_TRANSCRIPTS)("of real clients: each request is answered once, and legally", async () => {
    await expectSound(createWorkbench, revision, readTranscripts());
  });

  test.each([
    ["example", createExample],
    ["surface", createSurface],
    ["extras", createExtras],
  ])("of our conversations, to the server %s: each request is answered once, and legally", async (_name, create) => {
    await expectSound(create, revision, readConversations(revision));
  });
});
