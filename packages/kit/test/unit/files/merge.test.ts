import { describe, expect, test } from "vitest";
import { mergeThree } from "../../../src/files/merge.js";

const labels = { ours: "yours", theirs: "on disk" };

describe("a merge of three texts", () => {
  test("takes changes of different lines from both", async () => {
    const merged = await mergeThree({
      base: "1\n2\n3\n4\n5\n",
      ours: "one\n2\n3\n4\n5\n",
      theirs: "1\n2\n3\n4\nfive\n",
      labels,
    });
    expect(merged).toEqual({ text: "one\n2\n3\n4\nfive\n", conflicts: 0 });
  });

  test("puts changes of the same line between markers", async () => {
    const merged = await mergeThree({ base: "1\n2\n3\n", ours: "1\nours\n3\n", theirs: "1\ntheirs\n3\n", labels });
    expect(merged).toEqual({
      text: "1\n<<<<<<< yours\nours\n=======\ntheirs\n>>>>>>> on disk\n3\n",
      conflicts: 1,
    });
  });

  test("takes the same change of both once", async () => {
    const merged = await mergeThree({ base: "1\n2\n", ours: "1\n2!\n", theirs: "1\n2!\n", labels });
    expect(merged).toEqual({ text: "1\n2!\n", conflicts: 0 });
  });

  test("keeps markers on lines of their own, with the line ends of the text", async () => {
    const merged = await mergeThree({ base: "a\r\nb", ours: "a\r\nx", theirs: "a\r\ny", labels });
    expect(merged.text).toBe("a\r\n<<<<<<< yours\r\nx\r\n=======\r\ny\r\n>>>>>>> on disk\r\n");
  });

  test("calls thousands of differing lines one conflict", async () => {
    const lines = (word: string) => `${word}\n`.repeat(4000);
    const merged = await mergeThree({ base: lines("a"), ours: lines("b"), theirs: lines("c"), labels });
    expect(merged.conflicts).toBe(1);
  });
});
