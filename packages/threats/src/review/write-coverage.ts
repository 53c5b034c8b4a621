import type { Coverage } from "./coverage.js";
import { counted } from "./write-review.js";

/** Tells a coverage in few words. */
export function writeCoverage({ files, families, untouched, notes }: Coverage): string {
  return [
    `${counted(files, "file")} looked into.`,
    ...families.flatMap(({ family, files: touched, lines, unchecked, patterns }) => [
      `\n${family}: ${counted(lines, "line")} in ${counted(touched, "file")}, ${unchecked} without a visible check`,
      ...patterns.map(
        (each) =>
          `- ${each.id} ${each.name} (${each.severity}): ${counted(each.lines, "line")}, ${each.unchecked} unchecked: ${each.places.join(", ")}`,
      ),
    ]),
    ...(untouched.length === 0 ? [] : [`\nNot touched: ${untouched.join(", ")}.`]),
    ...notes.map((note) => `\nNote: ${note}`),
  ].join("\n");
}
