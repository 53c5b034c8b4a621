import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

interface Parts {
  readonly INSIDE: readonly string[];
  readonly STARTING: readonly string[];
  readonly OTHERS: readonly string[];
  readonly partOf: (file: string) => string | undefined;
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const { INSIDE, STARTING, OTHERS, partOf } = (await import(new URL("parts.mjs", import.meta.url).href)) as Parts;
const files = ["packages/", "tests/"].flatMap((folder) =>
  readdirSync(root + folder, { recursive: true, encoding: "utf8" })
    .map((name) => folder + name.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".test.ts") && !file.includes("node_modules/")),
);

test("every test file is in a part: of the engine, and so run on every runtime, or of others", () => {
  expect(files.filter((file) => partOf(file) === undefined)).toEqual([]);
});

test("every part has tests", () => {
  const found = new Set(files.map(partOf));
  expect([...INSIDE, ...STARTING, ...OTHERS].filter((part) => !found.has(part))).toEqual([]);
});
