import { UsageError } from "@toolwright/kit/cli";
import { visibleLine } from "@toolwright/kit/terminal";
import { nearest } from "@toolwright/kit/text";
import type { Entry } from "../library/library.js";
import { filterValues } from "../library/library.js";
import type { Bench, Deed } from "./deed.js";
import { labelled, paintSeverity, toJson } from "./say.js";

const FILTERS = ["category", "severity", "tier", "language", "framework"] as const;

/** `toolwright threats list`: a line for each pattern. */
export const list: Deed = {
  takes: ["--category", "--severity", "--tier", "--language", "--framework"],
  formats: ["text", "json"],
  words: [0, 0],
  async run(bench) {
    const { desk, options } = bench;
    const filter = Object.fromEntries(FILTERS.map((name) => [name, options[`--${name}`]?.[0]]));
    const found = await desk.library.list(filter);
    if (found.length === 0) refuseUnknown(await desk.library.list(), filter);
    const remarks = (await desk.library.diagnostics()).map(
      ({ file, line, message }) =>
        `${file}:${line}: ${message} The file is not used; "toolwright threats validate" says more.`,
    );
    if (bench.format === "json") return { text: toJson(found.map(toListed)), remarks };
    return {
      text: found.length === 0 ? "No such patterns" : found.map((entry) => draw(entry, bench)).join("\n"),
      remarks,
    };
  },
};

function draw(entry: Entry, bench: Bench): string {
  const { paint, isVerbose } = bench;
  const { id, severity, tier, name, agent_summary: summary } = entry;
  const rank = `[${severity}/${tier}]`;
  const line = `${paint.bold(id.padEnd(17))}  ${paintSeverity(paint, severity, rank.padEnd(12))}  ${visibleLine(name)}`;
  if (!isVerbose) return line;
  const { languages, origin, file } = toListed(entry);
  return [
    line,
    labelled(bench, "threat", summary.threat),
    labelled(bench, "check", summary.check),
    labelled(bench, "code", languages.join(", ") || "none"),
    ...(origin === "user" ? [labelled(bench, "file", file ?? "")] : []),
    "",
  ].join("\n");
}

function toListed({ id, name, severity, likelihood, tier, category, code, origin, file }: Entry) {
  const languages = [...new Set(code.map(({ language }) => language))];
  return { id, name, severity, likelihood, tier, category, languages, origin, ...(file !== undefined && { file }) };
}

/** A word that no pattern has was most likely mistyped. */
function refuseUnknown(all: readonly Entry[], filter: Readonly<Record<string, string | undefined>>): void {
  for (const name of FILTERS) {
    const word = filter[name];
    const known = filterValues(all, name);
    if (word === undefined || known.includes(word)) continue;
    const meant = nearest(word, known);
    const hint = meant === undefined ? `there are ${known.join(", ")}` : `did you mean ${meant}?`;
    throw new UsageError(`--${name} ${word} is unknown; ${hint}`);
  }
}
