import { Content, type JsonObject, text, tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import type { Desk } from "../desk.js";
import { TEXTS } from "./output-schemas.js";

const TEXT = { type: "string" } as const;
const COUNT = { type: "integer" } as const;

const PATTERN = {
  type: "object",
  properties: { id: TEXT, name: TEXT, severity: TEXT, lines: COUNT, unchecked: COUNT, places: TEXTS },
  required: ["id", "name", "severity", "lines", "unchecked", "places"],
} as const;

const FAMILY = {
  type: "object",
  properties: {
    family: TEXT,
    files: COUNT,
    lines: COUNT,
    unchecked: COUNT,
    patterns: { type: "array", items: PATTERN },
  },
  required: ["family", "files", "lines", "unchecked", "patterns"],
} as const;

/** Says which families of threats a project touches. */
export const tmkbCoverage = ({ library, reach }: Desk) =>
  tool({
    name: "tmkb_coverage",
    title: "Map a project to threats",
    description: "Says which families of threats a project's code touches, and where.",
    toolset: "threats",
    input: {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, default: "." },
        max_files: { type: "integer", minimum: 1, maximum: 20_000, default: 2000 },
      },
    },
    output: {
      type: "object",
      properties: { files: COUNT, families: { type: "array", items: FAMILY }, untouched: TEXTS, notes: TEXTS },
      required: ["files", "families", "untouched", "notes"],
    },
    annotations: READS,
    async run({ path, max_files: most }, call) {
      const [{ readCoverage }, { writeCoverage }] = await Promise.all([
        import("../review/coverage.js"),
        import("../review/write-coverage.js"),
      ]);
      const hear = (done: number, total: number | undefined): void => {
        if (total === undefined) call.progress(done, "Looking for files");
        else call.progress(done, "Looking at files", total);
      };
      const found = await readCoverage(library, await reach(call), { path, most, signal: call.signal, hear });
      return new Content([text(writeCoverage(found))], found as object as JsonObject);
    },
  });
