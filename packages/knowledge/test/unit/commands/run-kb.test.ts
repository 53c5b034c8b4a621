import { type CommandContext, UsageError } from "@toolwright/kit/cli";
import { expect, test } from "vitest";
import { runKb } from "../../../src/commands/run-kb.js";

const context = { version: "0.0.0", loadConfig: async () => ({ settings: {}, state: "" }) };

test.each([
  [[], "kb needs one of ingest, search"],
  [["serch"], '"kb serch" is unknown; did you mean search?'],
  [["ask"], '"kb ask" is unknown; did you mean answer?'],
  [["search"], "kb search needs words to look for"],
  [["list", "more"], 'kb list takes no words; "more" is one too many'],
  [["search", "x", "--explian"], '"--explian" is unknown; did you mean --explain?'],
  [["list", "--explain"], "kb list takes no --explain"],
  [["search", "x", "--mode", "vectors"], "--mode vectors is unknown; did you mean vector?"],
  [["search", "x", "--limit", "0"], "--limit needs a whole number from 1 to 100"],
  [["search", "x", "--since", "soon"], '--since needs a day such as 2026-01-31, or a time, not "soon"'],
  [["promote", "a", "first"], 'A version is a number, such as 3, not "first"'],
  [["get", "x", "--lines", "9-3"], '--lines needs lines such as 10-24, not "9-3"'],
  [["ingest", ".", "--metadata", "x"], '--metadata needs NAME=VALUE, such as team=search, not "x"'],
  [["tool", "regster"], "did you mean register?"],
])("refuses %j", async (words, fault) => {
  const error: unknown = await runKb(words, context as CommandContext).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UsageError);
  expect((error as UsageError).message).toContain(fault);
});
