import { serveJobs } from "@toolwright/kit/threads";
import { type CodeCheck, type Fragment, type Match, scanText } from "./scan-text.js";
import { FILE_NAME_FOR, type SourceLanguage, sourceLanguage } from "./source-language.js";

/** Texts to scan, and the checks to scan them with. */
export interface ScanJob {
  readonly fragments: readonly Fragment[];
  readonly checks: readonly CodeCheck[];
  /** The language of texts whose name does not tell it. Texts in other languages are skipped. */
  readonly language: string | undefined;
}

/** The matches in the texts of a job. */
export interface ScanJobResult {
  readonly matches: readonly Match[];
  readonly files: readonly string[];
  /** Files whose type is unknown. */
  readonly unknown: readonly string[];
  /** Expressions that take too long, with their patterns. */
  readonly slow: readonly (readonly [risk: string, id: string])[];
  /** Files for which all checks together took too long, with the number of skipped checks. */
  readonly late: readonly (readonly [file: string, checks: number])[];
}

async function scan({ fragments, checks, language: wanted }: ScanJob): Promise<ScanJobResult> {
  const slow = new Map<string, string>();
  const files = new Set<string>();
  const unknown = new Set<string>();
  const late: [string, number][] = [];
  const matches: Match[] = [];
  for (const fragment of fragments) {
    const language = languageOf(fragment, wanted);
    if (language === undefined) unknown.add(fragment.file);
    if (language === undefined || language === "another") continue;
    files.add(fragment.file);
    const left = new Set<CodeCheck>();
    const unanswered = {
      slow: ({ risk, pattern }: CodeCheck) => void slow.set(risk, pattern.id),
      late: (check: CodeCheck) => void left.add(check),
    };
    const applicable = checks.filter(({ risk }) => !slow.has(risk));
    for (const match of await scanText(fragment, language, applicable, unanswered)) matches.push(match);
    if (left.size > 0) late.push([fragment.file, left.size]);
  }
  return { matches, files: [...files], unknown: [...unknown], slow: [...slow], late };
}

function languageOf({ file }: Fragment, wanted: string | undefined): SourceLanguage | "another" | undefined {
  const language = sourceLanguage(file);
  if (wanted === undefined) return language;
  if (language === undefined) return file.includes(".") ? undefined : sourceLanguage(FILE_NAME_FOR[wanted] ?? "");
  return language.names.includes(wanted) ? language : "another";
}

serveJobs(scan);
