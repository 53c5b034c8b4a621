import { type Failure, type Findings, failure, toLines } from "../findings.js";

/** The head of a block of Biome: the place, the rule and a rule of dashes. */
const BIOME = /^(?<file>[^\s:]+):(?<line>\d+):(?<column>\d+) (?<rule>[\w/]+)(?: .*)?━{2,}\s*$/;
/** The place in a block of oxlint. */
const OXLINT = /^\s*(?:╭─|,-)\[(?<file>[^\]]+?):(?<line>\d+):(?<column>\d+)\]/;
const SIGN = /^\s*(?<sign>×|✖|⚠|!|x|i) (?<message>\S.*)$/;

/** Reads the blocks that Biome and oxlint draw, and the annotations that many tools write for GitHub. */
export function markedBlocks(text: string): Findings {
  const lines = toLines(text);
  return { failures: lines.flatMap((line, at) => annotation(line) ?? biome(lines, at) ?? oxlint(lines, at) ?? []) };
}

function biome(lines: readonly string[], at: number): Failure | undefined {
  const groups = BIOME.exec(lines[at] ?? "")?.groups;
  if (groups === undefined) return undefined;
  const said = lines.slice(at + 1, at + 5).map((line) => SIGN.exec(line)?.groups);
  const { sign = "×", message = "" } = said.find((each) => each !== undefined) ?? {};
  const { rule = "", ...place } = groups;
  return failure(place, `${message} (${rule})`, sign === "!" || sign === "⚠" ? "warning" : "error");
}

function oxlint(lines: readonly string[], at: number): Failure | undefined {
  const place = OXLINT.exec(lines[at] ?? "")?.groups;
  if (place === undefined) return undefined;
  // A long message takes several lines; the first of them has the sign.
  for (let above = at - 1; above >= Math.max(0, at - 4); above -= 1) {
    const { sign, message } = SIGN.exec(lines[above] ?? "")?.groups ?? {};
    if (message === undefined) continue;
    const rest = lines.slice(above + 1, at).map((line) => line.replace(/^[\s│|]+/, ""));
    return failure(place, [message, ...rest].join(" "), sign === "!" || sign === "⚠" ? "warning" : "error");
  }
  return undefined;
}

/** `::error file=a.ts,line=3,col=5,title=rule::message` */
function annotation(line: string): Failure | undefined {
  const found = /^::(error|warning) ([^:]*(?::(?!:)[^:]*)*)::(.*)$/.exec(line);
  if (found === null) return undefined;
  const [, kind, given = "", message = ""] = found;
  const words = Object.fromEntries(given.split(",").map((pair) => pair.split("=", 2).map(unescaped)));
  const { file, line: row, col, title } = words as Record<string, string | undefined>;
  const said = unescaped(message);
  return failure(
    { file, line: row, column: col },
    title === undefined || said.includes(title) ? said : `${said} (${title})`,
    kind === "warning" ? "warning" : "error",
  );
}

/** GitHub writes some characters as in a URI. */
const unescaped = (text: string): string =>
  text.replaceAll(/%(0A|0D|25|2C|3A)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
