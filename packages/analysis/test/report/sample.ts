import type { FunctionBrief, HotspotFile } from "../../src/hotspots/hotspots.js";
import type { Report } from "../../src/report/page.js";

/** A name that tries to end what it stands in, to turn the text around, and to run. */
export const HOSTILE = `src/"><img src=x onerror=alert(1)>'</title><script>alert(2)</script>\u{202e}gnp.ts`;

/** A file of a report. */
export function fileOf(path: string, more: Partial<HotspotFile> = {}): HotspotFile {
  return {
    path,
    language: "typescript",
    lines: 120,
    code_lines: 100,
    functions: 4,
    complexity: 20,
    complexity_score: 0.2857,
    churn: 0.5,
    commits: 5,
    score: 14.29,
    authors: [{ name: "Ada Lovelace", share: 0.8 }],
    bus_factor: 1,
    last_modified: "2026-01-20",
    ...more,
  };
}

const brief: FunctionBrief = {
  path: "src/engine/exchange.ts",
  function: "Exchange.<settle>",
  line: 30,
  end_line: 62,
  cyclomatic: 11,
  cognitive: 17,
  nesting: 3,
  parameters: 2,
  weight: 17,
  steps: [
    {
      what: 'the body of the "for"',
      line: 40,
      end_line: 52,
      takes: 12,
      becomes: 6,
      leaves: 5,
      advice: 'Extract lines 40–52 (the body of the "for"): takes away 12 of 17 and leaves 5.',
    },
  ],
  increments: [
    { line: 31, adds: 1, reason: "if" },
    { line: 40, adds: 2, reason: "for" },
    { line: 41, adds: 3, reason: "&& <b>" },
  ],
  reasons: [{ reason: "for", times: 1, adds: 2 }],
  callers: [{ caller: "Exchange.start", line: 12 }],
  authors: [{ name: "Ada <Lovelace>", share: 1 }],
  last_change: "2026-01-20",
  recent_lines: 7,
  coupled: [{ path: "src/engine/session.ts", degree: 66.6 }],
  tests: [{ path: "tests/exchange.test.ts", by: "calls" }],
};

/** A report of a small project with a hostile file name. */
export function sampleReport(more: readonly HotspotFile[] = []): Report {
  const files = [
    fileOf("src/engine/exchange.ts", { score: 62.5, complexity: 90, commits: 24, code_lines: 400 }),
    fileOf("src/engine/session.ts", { score: 30, complexity: 60, commits: 12, code_lines: 250 }),
    fileOf(HOSTILE, { score: 9, complexity: 41, commits: 3, code_lines: 200 }),
    fileOf("src/words/nearest.ts", { score: 4, complexity: 12, commits: 2, code_lines: 90 }),
    fileOf("main.ts", { score: 0, complexity: 2, commits: 1, code_lines: 60, authors: [] }),
    ...more,
  ];
  const dates = ["2026-01-01", "2026-01-16", "2026-01-31"];
  return {
    project: "demo & sons",
    made: new Date("2026-01-31T12:00:00Z"),
    hotspots: {
      files,
      briefs: [brief, { ...brief, path: "src/words/nearest.ts", function: "nearest", steps: [], tests: [] }],
      basis: "complexity and churn",
      period_days: 30,
      is_shallow: false,
      remarks: ["The clone is <shallow>."],
      tests: 2,
      skipped: [{ path: "src/<broken>.ts", reason: "syntax error in line 3" }],
    },
    churn: {
      commits: 42,
      authors: [{ name: "Ada Lovelace", commits: 42, files: 5, lines: 900 }],
      weeks: [
        { from: "2026-01-05", commits: 10, lines: 100 },
        { from: "2026-01-12", commits: 0, lines: 0 },
        { from: "2026-01-19", commits: 32, lines: 800 },
      ],
      coupling: [],
    },
    trend: {
      dates,
      files: [
        { path: "src/engine/exchange.ts", values: [40, 70, 90] },
        { path: "src/engine/session.ts", values: [undefined, 55, 60] },
        { path: HOSTILE, values: [10, undefined, 41] },
      ],
    },
  };
}
