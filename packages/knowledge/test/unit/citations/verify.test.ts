import { ToolError } from "@toolwright/engine";
import { FileAccess } from "@toolwright/kit/files";
import { expect, test } from "vitest";
import type { Passage } from "../../../src/citations/passage.js";
import { Verifier } from "../../../src/citations/verify.js";

/** A drive that does not answer. */
class Hanging extends FileAccess {
  override async withTimeout(inputPath: string): Promise<never> {
    throw new ToolError(`Cannot use ${inputPath}: it does not answer.`, { code: "TIMEOUT" });
  }
}

test("a file in a folder that does not respond is unverified, and the others are verified", async () => {
  const root = { realPath: "/somewhere", configuredPath: "/somewhere" };
  const verifier = new Verifier(async () => new Hanging({ roots: [root], timeoutMs: 1000 }), 1000);
  const passage = { origin: "file", source: "a.md", folder: "/somewhere", sha256: "" } as Passage;
  expect(await verifier.verify(passage)).toEqual({
    verified: null,
    reason: expect.stringContaining("does not answer"),
  });
  expect(await verifier.verify({ ...passage, origin: "text" })).toMatchObject({ verified: null });
  await verifier.close();
});
