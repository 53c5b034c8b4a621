import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createStaticEmbedder, StaticTable } from "../../src/embedders/static-embedder.js";

const query = { kind: "query" } as const;
const FILE = new URL("../../models/static-en-2.bin", import.meta.url);
const dot = (one: Float32Array | undefined, other: Float32Array | undefined): number =>
  (one ?? new Float32Array()).reduce((sum, value, index) => sum + value * (other?.[index] ?? 0), 0);

describe("the built-in embedder", () => {
  const embedder = createStaticEmbedder();

  test("gives vectors of unit length, and zeros for what means nothing", async () => {
    const vectors = await embedder.embed(["A dog barks.", "", " \n\t", "\u{10330}\u{10331}", "[CLS]"], query);
    expect(vectors.map((vector) => vector.length)).toEqual([256, 256, 256, 256, 256]);
    expect(vectors.map((vector) => Math.round(dot(vector, vector) * 1e5) / 1e5)).toEqual([1, 0, 0, 0, 1]);
  });

  test.each([
    ["How do I reset my password?", "Recover the login of an account", "Bake bread at home"],
    ["car engine repair", "fixing a broken automobile motor", "a recipe for apple pie"],
    ["heart attack symptoms", "signs of a cardiac disease", "stock market prices"],
    ["the doctor saw a patient", "a physician treats the sick", "a ship sails the ocean"],
    ["delete a file from the disk", "remove a document from storage", "the singer gave a concert"],
  ])("puts %j nearer to %j than to %j, though they share no word", async (asked, near, far) => {
    const [one, other, third] = await embedder.embed([asked, near, far], query);
    expect(dot(one, other)).toBeGreaterThan(dot(one, third) + 0.1);
  });

  test("gives the mean of a text's words, however many there are", async () => {
    const [once, often] = await embedder.embed(["blue whale", "blue whale ".repeat(10_000)], query);
    expect(dot(once, often)).toBeCloseTo(1, 5);
  });

  test("stops when the call is cancelled", async () => {
    await expect(
      embedder.embed(["x"], { ...query, signal: AbortSignal.abort(new Error("cancelled")) }),
    ).rejects.toThrow("cancelled");
  });
});

describe("StaticTable", () => {
  const file = readFileSync(FILE);

  test.each([
    ["half a file", file.subarray(0, file.length / 2)],
    ["another file", Buffer.from("not a table of vectors, whatever it may be")],
    ["a header alone", file.subarray(0, 24)],
  ])("refuses %s", (_, bytes) => {
    expect(() => new StaticTable(bytes)).toThrow("it is not a complete table of vectors");
  });

  test("names the file that is not there", async () => {
    await expect(StaticTable.open(new URL("missing.bin", FILE))).rejects.toThrow(
      /^Cannot read the built-in embedder .*missing\.bin: ENOENT/,
    );
  });
});
