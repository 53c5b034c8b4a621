import { readFileSync, writeFileSync } from "node:fs";
import { connect, replay } from "@toolwright/engine/client";
import { serializeRecording } from "@toolwright/engine/observability";
import { expectReplayMatches } from "@toolwright/engine/testing";
import { describe, expect, test } from "vitest";
import { ALL } from "../support/every-revision.js";
import { everyTarget } from "../support/every-transport.js";
import { askEverything, createEverything, handlers, useEverything } from "./everything-server.js";

const fileOf = (revision: string) => new URL(`./recordings/everything-${revision}.jsonl`, import.meta.url);

// Only listed for clients that support tasks, and so not in every revision.
const ignore = ["tools.failing_job"];

/** Records the example again after an intended change. Review the diff afterwards. */
async function renew(revision: string): Promise<void> {
  const server = createEverything();
  const client = await connect({ server }, { revision, ...handlers });
  await useEverything(client);
  await askEverything(client);
  await client.close();
  writeFileSync(fileOf(revision), serializeRecording(server));
  await server.close();
}

describe.each(["2025-11-25", "2026-07-28"])("the example, recorded in %s,", (recorded) => {
  if (process.env["UPDATE_RECORDINGS"] !== undefined) test("is recorded again", () => renew(recorded));

  test.each(ALL)("gives the same results in %s", async (revision) => {
    const server = createEverything();
    const { requests, notes } = await expectReplayMatches(server, readFileSync(fileOf(recorded), "utf8"), {
      revision,
      ignore,
    });
    await server.close();
    expect(notes).toEqual([]);
    expect(requests.filter(({ verdict }) => verdict === "same").length).toBeGreaterThan(30);
  });
});

describe("the example, recorded in memory,", () => {
  everyTarget("gives the same results", createEverything, async ({ target, access = {} }, server, revision) => {
    const text = readFileSync(fileOf("2025-11-25"), "utf8");
    const { requests } = await replay(text, target, { revision, ignore, client: access });
    await server.close();
    expect(requests.flatMap(({ name, differences }) => differences.map((one) => ({ name, ...one })))).toEqual([]);
    expect(requests.filter(({ verdict }) => verdict === "same").length).toBeGreaterThan(30);
  });
});
