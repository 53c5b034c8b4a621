import { numberOf } from "@toolwright/kit/cli";
import { drawTable, visibleLine } from "@toolwright/kit/terminal";
import { type Coverage, readCoverage } from "../review/coverage.js";
import type { Bench, Deed } from "./deed.js";
import { paintSeverity, toJson } from "./say.js";

/** `toolwright threats coverage`: which families of threats the code of a project touches. */
export const coverage: Deed = {
  takes: ["--limit", "--quiet"],
  formats: ["text", "json"],
  words: [0, 1],
  async run(bench) {
    const { desk, call, options, words, onProgress } = bench;
    const most = numberOf(options, "--limit", 1, 100_000) ?? 5000;
    const reach = await desk.reach(call);
    const found = await readCoverage(desk.library, reach, {
      path: words[0] ?? ".",
      most,
      signal: call.signal,
      onProgress,
    });
    return { text: bench.format === "json" ? toJson(found) : draw(found, bench), remarks: found.notes };
  },
};

function draw({ files, families, untouched }: Coverage, { paint, width, isVerbose }: Bench): string {
  const head = { width, head: paint.faint };
  return [
    paint.bold(`${files} file${files === 1 ? "" : "s"} looked into`),
    ...(families.length === 0
      ? []
      : [
          "",
          drawTable(
            [
              { name: "family", text: ({ family }) => family },
              { name: "patterns", text: ({ patterns }) => String(patterns.length), isNumber: true },
              { name: "files", text: (each) => String(each.files), isNumber: true },
              { name: "lines", text: ({ lines }) => String(lines), isNumber: true },
              { name: "unchecked", text: ({ unchecked }) => String(unchecked), isNumber: true },
            ],
            families,
            head,
          ),
        ]),
    ...(isVerbose ? families : []).flatMap(({ family, patterns }) => [
      "",
      paint.bold(visibleLine(family)),
      drawTable(
        [
          { name: "pattern", text: ({ id }) => id },
          {
            name: "severity",
            text: ({ severity }) => severity,
            paint: (shown, { severity }) => paintSeverity(paint, severity, shown),
          },
          { name: "lines", text: ({ lines }) => String(lines), isNumber: true },
          { name: "unchecked", text: ({ unchecked }) => String(unchecked), isNumber: true },
          { name: "first", text: ({ places }) => places[0] ?? "", gives: "path" },
          { name: "name", text: ({ name }) => name, gives: "words" },
        ],
        patterns,
        head,
      ),
    ]),
    ...(untouched.length === 0 ? [] : ["", `Not touched: ${untouched.join(", ")}`]),
    ...(isVerbose ? [] : [paint.faint("--verbose lists the patterns and where")]),
  ].join("\n");
}
