import type { Considered } from "./consider.js";
import type { Finding, FoundPattern, Review } from "./review.js";

/** A review, and what else may apply. */
export interface WholeReview extends Review {
  readonly consider: readonly Considered[];
}

/** Tells a review in few words: each pattern once, and a line for each place. */
export function writeReview({ files, findings, patterns, left_out: leftOut, consider, notes }: WholeReview): string {
  return [
    findings === 0
      ? `Nothing found in ${counted(files, "file")}. That a check is visible does not say that it is right.`
      : `${counted(findings, "finding")} in ${counted(files, "file")}.`,
    ...patterns.flatMap(writePattern),
    ...(leftOut.length === 0
      ? []
      : [`\nNot shown: ${leftOut.map(({ id, severity, count }) => `${id} (${severity}, ${count})`).join(", ")}.`]),
    ...(consider.length === 0
      ? []
      : [`\nMay apply too: ${consider.map(({ id, name, because }) => `${id} ${name} (${because})`).join("; ")}.`]),
    ...notes.map((note) => `\nNote: ${note}`),
  ].join("\n");
}

function writePattern({ id, name, severity, check, fix, cwe, count, findings }: FoundPattern): readonly string[] {
  const more = count - findings.length;
  return [
    `\n${severity} ${id} ${name}${cwe.length === 0 ? "" : ` (${cwe.join(", ")})`}`,
    `check: ${check}`,
    `fix: ${fix}`,
    ...findings.map(writeFinding),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ];
}

const writeFinding = ({ file, line, text, function: name, missing, confidence, context_cut: isCut }: Finding): string =>
  `- ${file}:${line}${name === undefined ? "" : ` in ${name}`} [${confidence}${isCut ? ", context cut" : ""}] ${missing}: ${text}`;

/** A number with its noun. */
export const counted = (value: number, noun: string): string => `${value} ${noun}${value === 1 ? "" : "s"}`;
