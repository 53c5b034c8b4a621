import { type Findings, failure, toLines } from "../findings.js";

/** Reads what make and linkers say when they give up. */
export function make(text: string): Findings {
  return {
    failures: toLines(text).flatMap((line) => {
      const symbol = line.indexOf("undefined reference to ");
      if (symbol >= 0) return [failure({}, line.slice(symbol))];
      const { file, row, target } =
        /^\w*make(?:\[\d+\])?: \*\*\* \[(?:(?<file>[^\]:]+):(?<row>\d+): )?(?<target>[^\]]+)\] (?:Error|Segmentation|Killed)/.exec(
          line,
        )?.groups ?? {};
      if (target !== undefined) return [failure({ file, line: row }, line.replace(/^.*?\*\*\* /, ""))];
      const fatal = /^\w*make(?:\[\d+\])?: \*\*\* (?<message>No rule .+|.*missing separator.*)$/.exec(line)?.groups?.[
        "message"
      ];
      return fatal === undefined ? [] : [failure({}, fatal)];
    }),
  };
}
