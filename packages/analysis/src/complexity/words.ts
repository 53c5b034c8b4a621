import { LANGUAGES } from "@toolwright/kit/syntax";
import { INVISIBLE } from "@toolwright/kit/text";
import type { Summary } from "./report.js";
import type { ComplexityView } from "./view.js";

/** A name on one line: whatever could break a line, hide something in it or turn it round is written out. */
export const plain = (name: string): string =>
  name.replaceAll(INVISIBLE, (sign) => `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`);

/** How many there are of something, in words. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** What was looked at, in one sentence. */
export function scopeOf({ total_files, total_functions, languages }: Summary): string {
  const shares = languages.map(({ language, files }) => `${LANGUAGES[language].title} ${files}`).join(", ");
  const said = `${counted(total_functions, "function")} in ${counted(total_files, "file")}`;
  return shares === "" ? said : `${said} (${shares})`;
}

/** What was found wrong, in one sentence. */
export function verdictOf({ remark, summary: { errors, warnings, technical_debt_hours } }: ComplexityView): string {
  if (remark !== undefined) return remark;
  return errors + warnings === 0
    ? "No function is above the thresholds."
    : `${counted(errors, "error")}, ${counted(warnings, "warning")}, ${technical_debt_hours} hours of technical debt.`;
}

/** How it stands against the baseline, in one sentence; undefined where there is none. */
export function ratchetOf({ baseline }: ComplexityView): string | undefined {
  if (baseline === undefined) return undefined;
  const { revision, worse_functions, new_violations_total, new_errors, better, removed } = baseline;
  const fresh = `${counted(new_violations_total, "new violation")} (${counted(new_errors, "error")})`;
  return `Against ${plain(revision)}: ${saidWorse(worse_functions)}, ${better} better, ${removed} removed, ${fresh}.`;
}

/** How many functions are worse, in words. */
export const saidWorse = (functions: number): string =>
  functions === 0
    ? "no function is worse"
    : `${counted(functions, "function")} ${functions === 1 ? "is" : "are"} worse`;

/** What is missing from the numbers or from this page, one sentence each. */
export function restOf({ left_out, skipped, skipped_total, next }: ComplexityView): readonly string[] {
  const { generated, vendored } = left_out;
  return [
    ...(generated + vendored > 0 ? [`Left out: ${generated} generated and ${vendored} vendored files.`] : []),
    ...(skipped.length > 0 ? [`Skipped, or measured in part: ${counted(skipped_total, "file")}.`] : []),
    ...skipped.map(({ path, reason }) => `  ${plain(path)}: ${plain(reason)}`),
    ...(skipped_total > skipped.length ? [`  … and ${skipped_total - skipped.length} more`] : []),
    ...(next === undefined ? [] : [`There is more: call again with offset: ${next.offset}.`]),
  ];
}
