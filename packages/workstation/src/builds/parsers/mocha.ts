import { addCounts, type Findings, failure, numberIn, placeInStack, toLines } from "../findings.js";

/** Reads the numbered list of failures that Mocha writes after its counts. */
export function mocha(text: string): Findings {
  const lines = toLines(text);
  const start = lines.findLastIndex((line) => /^ {2}\d+ passing \(/.test(line));
  if (start < 0) return { failures: [] };
  const after = lines.slice(start);
  const counts = {
    passed: numberIn(after.join("\n"), /^ {2}(\d+) passing/m),
    failed: numberIn(after.join("\n"), /^ {2}(\d+) failing/m),
    skipped: numberIn(after.join("\n"), /^ {2}(\d+) pending/m),
  };
  const heads = after.flatMap((line, at) => (/^ {2}\d+\) /.test(line) ? [at] : []));
  const failures = heads.map((head, index) => {
    const block = after.slice(head, heads[index + 1] ?? head + 200);
    // The titles end with a colon; below them stands what went wrong.
    const colon = block.findIndex((line) => line.endsWith(":"));
    const titles = block.slice(0, colon + 1).map((line) => line.trim());
    const test = titles
      .join(" ")
      .replace(/^\d+\) /, "")
      .replace(/:$/, "");
    const rest = block.slice(colon + 1);
    const trace = rest.findIndex((line) => /^\s+at /.test(line));
    const message = (trace < 0 ? rest : rest.slice(0, trace)).map((line) => line.trim()).join("\n");
    return failure({ ...placeInStack(trace < 0 ? [] : rest.slice(trace)), test }, message);
  });
  return { failures, ...addCounts([counts]) };
}
