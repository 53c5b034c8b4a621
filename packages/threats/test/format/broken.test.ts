import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readPattern } from "../../src/format/read-pattern.js";
import { BROKEN } from "./broken-files.js";

const here = new URL("./", import.meta.url);
const good = readFileSync(new URL("good.yaml", here), "utf8");

/** The diagnostics of a file, one line each. */
async function faultsOf(content: string | Uint8Array): Promise<readonly string[]> {
  const { pattern, diagnostics } = await readPattern(content, "some.yaml");
  expect(pattern === undefined).toBe(diagnostics.some(({ severity }) => severity === "error"));
  for (const { file, suggestion } of diagnostics) {
    expect(file).toBe("some.yaml");
    expect(suggestion).toMatch(/^[A-Z].*[.?]$/);
  }
  return diagnostics.map(
    ({ line, column, severity, path, message }) =>
      `${line}:${column} ${severity} ${path === "" ? "" : `${path}: `}${message}`,
  );
}

describe("broken files", () => {
  test("are at least fifty, and all have expected diagnostics", () => {
    const files = readdirSync(new URL("broken/", here)).map((name) => name.replace(/\.yaml$/, ""));
    expect(files.length).toBeGreaterThanOrEqual(50);
    expect(files.sort()).toEqual(Object.keys(BROKEN).sort());
  });

  test.each(Object.entries(BROKEN))("%s has the expected diagnostics", async (name, expected) => {
    expect(await faultsOf(readFileSync(new URL(`broken/${name}.yaml`, here)))).toEqual(expected);
  });

  test("the valid file has no diagnostics, also with CRLF and a byte order mark", async () => {
    expect(await faultsOf(good)).toEqual([]);
    expect(await faultsOf(`\ufeff${good.replaceAll("\n", "\r\n")}`)).toEqual([]);
    expect(await faultsOf(good.replace("tier: B", "tier: C").replaceAll("\n", "\r\n"))).toEqual(BROKEN["bad-tier"]);
  });

  test("diagnostics suggest the correct spelling", async () => {
    const { diagnostics } = await readPattern(good.replace("severity: high", "severty: hihg"), "some.yaml");
    expect(diagnostics.map(({ suggestion }) => suggestion)).toEqual(["Did you mean severity?"]);
    const bad = await readPattern(good.replace("severity: high", "severity: hihg"), "some.yaml");
    expect(bad.diagnostics.map(({ suggestion }) => suggestion)).toEqual(["Did you mean high?"]);
  });
});

describe("malicious texts", () => {
  const root = "threat_pattern:\n  id: ";
  test.each([
    ["brackets", `${root}${"[".repeat(50_000)}`, "2:39"],
    ["dashes", `${root}\n    ${"- ".repeat(50_000)}x`, "3:69"],
    ["question marks", "? ".repeat(50_000), "1:65"],
    ["steps", Array.from({ length: 400 }, (_, at) => `${" ".repeat(at)}a:`).join("\n"), "257:258"],
    ["pairs of brackets", "[]".repeat(60_000), "1:30001"],
    ["names", Array.from({ length: 12_000 }, (_, at) => `k${at}: 1`).join("\n"), "6001:1"],
  ])("%s without end are refused before they are read", async (_, text, place) => {
    expect(await faultsOf(text)).toEqual([`${place} error It is nested too deeply, or has too many parts.`]);
  });

  test("a file that is too large is rejected", async () => {
    expect(await faultsOf(`${good}# ${"x".repeat(140_000)}\n`)).toEqual([
      "1:1 error The file is larger than 131072 bytes.",
    ]);
  });

  test("the number of diagnostics is limited", async () => {
    const text = `${good}${Array.from({ length: 300 }, (_, at) => `  strange_${at}: 1\n`).join("")}`;
    expect(await faultsOf(text)).toHaveLength(50);
  });
});
