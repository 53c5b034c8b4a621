import { addCounts, type Findings, failure, numberIn, type Place, toLines } from "../findings.js";

/** `==== 1 failed, 2 passed in 0.12s ====`; with little to say there are no rules around it. */
const isSummary = (line: string): boolean =>
  line.length < 300 &&
  /\bin [\d.]+s\b/.test(line) &&
  /\d (?:passed|failed|errors?|skipped|deselected)\b|no tests ran/.test(line);

/** Reads the short summary of pytest, and the place and message of each failure above it. */
export function pytest(text: string): Findings {
  const lines = toLines(text);
  const summary = lines.findLast((line) => isSummary(line));
  if (summary === undefined) return { failures: [] };
  const blocks = readBlocks(lines);
  const failures = lines.flatMap((line) => {
    const found = /^(FAILED|ERROR) (?<node>\S+?\.py(?:::[^[]*?(?:\[.*?\])?)?)(?: - (?<message>.*))?$/.exec(
      line,
    )?.groups;
    if (found === undefined) return [];
    const { node = "", message = "" } = found;
    const [file = "", ...names] = node.split("::");
    const block = blocks.get(names.join(".")) ?? blocks.get(file);
    const test = names.length === 0 ? undefined : node;
    return [failure({ file, ...block?.place, test }, block?.message || message)];
  });
  return {
    failures,
    ...addCounts([
      {
        passed: numberIn(summary, /(\d+) (?:passed|xpassed)/),
        failed: numberIn(summary, /(\d+) failed/) + numberIn(summary, /(\d+) errors?/),
        skipped: numberIn(summary, /(\d+) skipped/) + numberIn(summary, /(\d+) xfailed/),
      },
    ]),
  };
}

interface Block {
  readonly place: Place;
  readonly message: string;
}

/** What stands below each `____ name ____`: the last place in the project, and the lines that begin with E. */
function readBlocks(lines: readonly string[]): ReadonlyMap<string, Block> {
  const heads = lines.flatMap((line, at) => {
    const name = /^_{2,} (?:ERROR (?:at \w+ of|collecting) )?(.+?) _{2,}$/.exec(line)?.[1];
    return name === undefined ? [] : [{ name, at }];
  });
  return new Map(
    heads.map(({ name, at }, index) => {
      const limit = heads[index + 1]?.at ?? lines.length;
      const block = lines.slice(at + 1, limit);
      const end = block.findIndex((line) => /^={3,}|^-+ Captured /.test(line));
      return [name, readBlock(end < 0 ? block : block.slice(0, end))];
    }),
  );
}

function readBlock(lines: readonly string[]): Block {
  const places = lines.flatMap((line) => {
    const { file, row } = /^(?<file>\S[^:]*\.py):(?<row>\d+): /.exec(line)?.groups ?? {};
    return file === undefined || file.includes("site-packages") ? [] : [{ file, line: row }];
  });
  const syntax = lines.map((line) => /^E\s+File "(.+)", line (\d+)/.exec(line)).find((found) => found !== null);
  const said = lines.flatMap((line) => /^E(?: {3}| +)?(.*)$/.exec(line)?.[1] ?? []);
  const place = places.at(-1) ?? {};
  return { place: syntax ? { file: syntax[1], line: syntax[2] } : place, message: said.join("\n") };
}
