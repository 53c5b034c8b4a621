import { ToolError } from "@toolwright/engine";
import { FileAccess } from "@toolwright/kit/files";
import { expect, test } from "vitest";
import type { Passage } from "../../../src/citations/passage.js";
import { Verifier } from "../../../src/citations/verify.js";

/** A drive that does not answer. */
class Hanging extends FileAccess {
  override async attempt(given: string): Promise<never> {
    throw new ToolError(`Cannot use ${given}: it does not answer.`, { code: "TIMEOUT" });
  }
}

test("nobody can tell of a file in a folder that does not answer, and the others are looked at", async () => {
  const root = { real: "/somewhere", given: "/somewhere" };
  const verifier = new Verifier(async () => new Hanging({ roots: [root], deadlineMs: 1000 }), 1000);
  const passage = { origin: "file", source: "a.md", folder: "/somewhere", sha256: "" } as Passage;
  expect(await verifier.verify(passage)).toEqual({
    verified: null,
    reason: expect.stringContaining("does not answer"),
  });
  expect(await verifier.verify({ ...passage, origin: "text" })).toMatchObject({ verified: null });
  await verifier.close();
});
