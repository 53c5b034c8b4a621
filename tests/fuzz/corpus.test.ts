import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { TARGETS } from "./targets.js";

/** A minimised input that once violated a property. */
interface Finding {
  readonly violation: string;
  readonly input: string;
}

const folder = new URL("./corpus/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".json"));

describe("inputs that once violated a property", () => {
  test.each(files)("%s", async (file) => {
    const target = TARGETS[file.replace(".json", "")];
    const findings = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Finding[];
    expect(target, "a file is called like its target").toBeDefined();
    expect(findings.length).toBeGreaterThan(0);
    for (const { input } of findings) await target?.(input);
  });
});
