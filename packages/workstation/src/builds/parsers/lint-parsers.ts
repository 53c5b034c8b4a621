import { type Failure, type Findings, failure, toLines } from "../findings.js";

const PROBLEM =
  /^\s+(?<line>\d+):(?<column>\d+)\s+(?<kind>error|warning)\s+(?<message>.*?)(?:\s{2,}(?<rule>[\w@/-]+))?\s*$/;

interface Report {
  readonly filePath: string;
  readonly messages: readonly {
    readonly line?: number;
    readonly column?: number;
    readonly message: string;
    readonly severity: number;
    readonly ruleId: string | null;
  }[];
}

/** Reads the output of ESLint: JSON, or file names with problems below them. */
export function parseEslint(text: string): Findings {
  const start = text.search(/^\[\{"filePath":/m);
  if (start >= 0) return { failures: readJson(text.slice(start)), plain: "" };
  let file: string | undefined;
  const failures = toLines(text).flatMap((line) => {
    const groups = PROBLEM.exec(line)?.groups;
    if (groups === undefined) {
      file = /^(?:[A-Za-z]:)?[^\s:]+\.\w+$/.test(line) ? line : undefined;
      return [];
    }
    const { message = "", rule, kind, ...place } = groups;
    return file === undefined ? [] : [toFailure({ file, ...place }, message, rule, kind === "warning")];
  });
  return { failures };
}

function readJson(text: string): readonly Failure[] {
  const [first = ""] = text.split("\n", 1);
  try {
    return (JSON.parse(first) as readonly Report[]).flatMap(({ filePath, messages }) =>
      messages.map(({ line, column, message, severity, ruleId }) =>
        toFailure({ file: filePath, line, column }, message, ruleId ?? undefined, severity < 2),
      ),
    );
  } catch {
    return [];
  }
}

const toFailure = (
  place: Parameters<typeof failure>[0],
  message: string,
  rule: string | undefined,
  isWarning: boolean,
): Failure => failure(place, rule === undefined ? message : `${message} (${rule})`, isWarning ? "warning" : "error");

/** The heading of a Biome diagnostic: position, rule and dashes. */
const BIOME = /^(?<file>[^\s:]+):(?<line>\d+):(?<column>\d+) (?<rule>[\w/]+)(?: .*)?━{2,}\s*$/;
/** The position in an oxlint diagnostic. */
const OXLINT = /^\s*(?:╭─|,-)\[(?<file>[^\]]+?):(?<line>\d+):(?<column>\d+)\]/;
const SIGN = /^\s*(?<sign>×|✖|⚠|!|x|i) (?<message>\S.*)$/;

/** Reads diagnostics of Biome and oxlint, and GitHub annotations, which many tools write. */
export function parseLintBlocks(text: string): Findings {
  const lines = toLines(text);
  return {
    failures: lines.flatMap((line, at) => readAnnotation(line) ?? readBiome(lines, at) ?? readOxlint(lines, at) ?? []),
  };
}

function readBiome(lines: readonly string[], at: number): Failure | undefined {
  const groups = BIOME.exec(lines[at] ?? "")?.groups;
  if (groups === undefined) return undefined;
  const output = lines.slice(at + 1, at + 5).map((line) => SIGN.exec(line)?.groups);
  const { sign = "×", message = "" } = output.find((each) => each !== undefined) ?? {};
  const { rule = "", ...place } = groups;
  return failure(place, `${message} (${rule})`, sign === "!" || sign === "⚠" ? "warning" : "error");
}

function readOxlint(lines: readonly string[], at: number): Failure | undefined {
  const place = OXLINT.exec(lines[at] ?? "")?.groups;
  if (place === undefined) return undefined;
  // A long message has several lines; the first one has the sign.
  for (let above = at - 1; above >= Math.max(0, at - 4); above -= 1) {
    const { sign, message } = SIGN.exec(lines[above] ?? "")?.groups ?? {};
    if (message === undefined) continue;
    const rest = lines.slice(above + 1, at).map((line) => line.replace(/^[\s│|]+/, ""));
    return failure(place, [message, ...rest].join(" "), sign === "!" || sign === "⚠" ? "warning" : "error");
  }
  return undefined;
}

/** `::error file=a.ts,line=3,col=5,title=rule::message` */
function readAnnotation(line: string): Failure | undefined {
  const found = /^::(error|warning) ([^:]*(?::(?!:)[^:]*)*)::(.*)$/.exec(line);
  if (found === null) return undefined;
  const [, kind, given = "", message = ""] = found;
  const words = Object.fromEntries(given.split(",").map((pair) => pair.split("=", 2).map(unescaped)));
  const { file, line: row, col, title } = words as Record<string, string | undefined>;
  const output = unescaped(message);
  return failure(
    { file, line: row, column: col },
    title === undefined || output.includes(title) ? output : `${output} (${title})`,
    kind === "warning" ? "warning" : "error",
  );
}

/** GitHub percent-encodes some characters. */
const unescaped = (text: string): string =>
  text.replaceAll(/%(0A|0D|25|2C|3A)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
