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

/** Reads what ESLint writes: its JSON, or a file name with the problems below it. */
export function eslint(text: string): Findings {
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
    return file === undefined ? [] : [made({ file, ...place }, message, rule, kind === "warning")];
  });
  return { failures };
}

function readJson(text: string): readonly Failure[] {
  const [first = ""] = text.split("\n", 1);
  try {
    return (JSON.parse(first) as readonly Report[]).flatMap(({ filePath, messages }) =>
      messages.map(({ line, column, message, severity, ruleId }) =>
        made({ file: filePath, line, column }, message, ruleId ?? undefined, severity < 2),
      ),
    );
  } catch {
    return [];
  }
}

const made = (
  place: Parameters<typeof failure>[0],
  message: string,
  rule: string | undefined,
  isWarning: boolean,
): Failure => failure(place, rule === undefined ? message : `${message} (${rule})`, isWarning ? "warning" : "error");
