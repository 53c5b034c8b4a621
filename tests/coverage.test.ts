import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type Citations, collectCitations, findFaults, readCitations } from "./requirements/citations.js";
import { partly, row } from "./requirements/row.js";
import { requirements } from "./requirements.js";

const root = fileURLToPath(new URL("../", import.meta.url));
const ownPath = "tests/coverage.test.ts";

function readCitingFiles(): [path: string, text: string][] {
  return ["packages", "tests"]
    .flatMap((folder) => list(folder).map((path) => `${folder}/${path.replaceAll("\\", "/")}`))
    .filter((path) => !path.includes("node_modules/"))
    .filter((path) => path.endsWith(".test.ts") || /^tests\/conversations\/.*\.txt$/.test(path))
    .filter((path) => path !== ownPath)
    .toSorted()
    .map((path) => [path, readFileSync(root + path, "utf8")]);
}

function list(folder: string): string[] {
  return readdirSync(root + folder, { recursive: true, encoding: "utf8" });
}

function cite(ids: string): Citations {
  return collectCitations([["a.txt", `# cites: ${ids}`]]);
}

test("every covered row is cited by a test, and no other id is", () => {
  const faults = findFaults(requirements, collectCitations(readCitingFiles()));
  if (faults.length > 0) expect.fail(`${faults.length} rows and citations disagree:\n${faults.join("\n")}\n`);
});

test("the rows are those of the matrix", () => {
  const counts: Record<string, number> = {};
  for (const { id } of requirements) {
    const section = id.replace(/-\d\d$/, "");
    counts[section] = (counts[section] ?? 0) + 1;
    expect(id, "rows are numbered in order").toBe(`${section}-${String(counts[section]).padStart(2, "0")}`);
  }
  const sections = Object.entries(counts).map(([section, count]) => `${section} ${count}`);
  expect(sections.join(", ")).toBe(
    "RPC 19, META 4, LIFE 10, MOD 12, ERA 12, CAP 6, PING 2, CANC 7, PROG 5, LOG 7, PAGE 5, CMPL 5, TOOL 21, RES 9, SUB 8, " +
      "CACHE 4, PRM 5, CLI 4, ROOT 2, SAMP 5, ELI 12, MRTR 11, TSK 15, TSX 19, APP 4, STD 6, HTL 14, HTM 5, HDR 15, HST 18, " +
      "SSE 6, AUTH 14, SEC 8",
  );
  expect(requirements).toHaveLength(299);
});

describe("a citation", () => {
  test.each([
    [`test("a fact [RPC-03]", () => {})`, ["RPC-03"]],
    [`everyRevision("a fact [TOOL-14 TOOL-16]", run)`, ["TOOL-14", "TOOL-16"]],
    [`describe('a fact [SUB-03, SUB-05]', () => {})`, ["SUB-03", "SUB-05"]],
    ["test(`a fact of ${name} [RPC-03]`, run)", ["RPC-03"]],
    [`test("a fact [RPC-3]", run)`, ["RPC-3"]],
    [`test("a [RPC-03] fact", run)`, []],
    [`// as [RPC-03] says`, []],
    [`test.skip("a fact [RPC-03]", run)`, []],
    [`test.todo(\n  "a fact [RPC-03]",\n)`, []],
    [`test.skipIf(windows)("a fact [RPC-03]", run)`, ["RPC-03"]],
  ])("in %s", (text, ids) => {
    expect(readCitations("x.test.ts", text)).toEqual(ids);
  });

  test("in a conversation stands on a line of its own", () => {
    expect(readCitations("x.txt", '# cites: RPC-03 TOOL-10\n→ {}\n# a word [RPC-04]"\n')).toEqual([
      "RPC-03",
      "TOOL-10",
    ]);
  });
});

describe("the coverage check finds", () => {
  const rows = [row("RPC-03", "ALL", "any", "echo")];

  test("nothing where all is well", () => {
    expect(findFaults(rows, cite("RPC-03"))).toEqual([]);
  });

  test("a covered row that nothing cites, also one covered in part", () => {
    const fault =
      "RPC-03 is covered but cited by no test: echo (2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28; any)";
    expect(findFaults(rows, cite(""))).toEqual([fault]);
    expect(findFaults([partly("the rest", row("RPC-03", "ALL", "any", "echo"))], cite(""))).toEqual([fault]);
  });

  test("a cited id that does not exist", () => {
    expect(findFaults(rows, cite("RPC-03 RPC-99"))).toEqual(["RPC-99 is cited but is no row: a.txt"]);
  });
});
