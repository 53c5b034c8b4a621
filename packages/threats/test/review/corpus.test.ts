import { expect, test } from "vitest";
import { parse } from "yaml";
import type { ThreatPattern } from "../../src/format/pattern.js";
import { checksIn, scanText } from "../../src/review/scan-text.js";
import { sourceLanguage } from "../../src/review/source-language.js";
import { corpusFiles } from "../corpus-files.js";

const FILES: Readonly<Record<string, string>> = {
  python: "src/app.py",
  typescript: "src/app.ts",
  go: "app.go",
  java: "src/App.java",
  csharp: "App.cs",
  ruby: "app.rb",
  php: "app.php",
  rust: "src/app.rs",
  dockerfile: "Dockerfile",
  terraform: "main.tf",
  "github-actions": ".github/workflows/ci.yml",
};

/** Vulnerable code without a risky line: the threat is that something is missing. */
const UNSEEN = [
  // Middleware guards the wrong paths; each line alone looks like any route.
  "TMKB-AUTHZ-011 go",
  // A router without middleware for headers looks like any router.
  "TMKB-BROWSER-004 rust",
];

const patterns = corpusFiles().map(({ text }) => (parse(text) as { threat_pattern: ThreatPattern }).threat_pattern);

async function findings(pattern: ThreatPattern, language: string, text: string): Promise<readonly string[]> {
  const file = FILES[language] ?? "";
  const found = await scanText(
    { file, text, firstLine: 1, isCut: false },
    sourceLanguage(file) ?? { names: [] },
    checksIn(pattern),
    {
      slow: ({ risk }) => expect.fail(`too slow: ${risk}`),
      late: ({ risk }) => expect.fail(`too late: ${risk}`),
    },
  );
  return found.filter(({ confidence }) => confidence !== undefined).map(({ line, text: shown }) => `${line}: ${shown}`);
}

test("every pattern matches its vulnerable code, and not its secure code", async () => {
  const missed: string[] = [];
  const accused: string[] = [];
  let pairs = 0;
  for (const pattern of patterns)
    for (const { language, vulnerable_code: bad, secure_code: good } of pattern.mitigations.flatMap(
      ({ code_examples: examples = [] }) => examples,
    )) {
      pairs += 1;
      const name = `${pattern.id} ${language}`;
      if (bad !== undefined && (await findings(pattern, language, bad)).length === 0) missed.push(name);
      const wrong = await findings(pattern, language, good);
      if (wrong.length > 0) accused.push(`${name} ${wrong.join(" ")}`);
    }
  expect(pairs).toBeGreaterThan(300);
  expect(missed.toSorted()).toEqual(UNSEEN);
  expect(accused).toEqual([]);
}, 60_000);

test("every pattern has a code check", () => {
  expect(patterns.filter((pattern) => checksIn(pattern).length === 0).map(({ id }) => id)).toEqual([]);
});
