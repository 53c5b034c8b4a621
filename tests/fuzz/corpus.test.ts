import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { TARGETS } from "./targets.js";

/** An input that once broke a promise, as small as it could be made. */
interface Finding {
  readonly broke: string;
  readonly input: string;
}

const folder = new URL("./corpus/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".json"));

describe("what once broke a promise breaks it no more", () => {
  test.each(files)("%s", async (file) => {
    const target = TARGETS[file.replace(".json", "")];
    const findings = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Finding[];
    expect(target, "a file is called like its target").toBeDefined();
    expect(findings.length).toBeGreaterThan(0);
    for (const { input } of findings) await target?.(input);
  });
});
