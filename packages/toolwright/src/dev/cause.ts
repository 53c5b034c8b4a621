import path from "node:path";
import { fileURLToPath } from "node:url";

const HEADLINE = /^(?:Uncaught\s+)?((?:[A-Z]\w*)?(?:Error|Exception)\b(?: \[\w+\])?(?::.*)?)$/;
const PLACE = /(?:file:\/\/\/[^\s()]*?|(?:[A-Za-z]:)?[/\\][^\s():]*?\.[cm]?[jt]sx?):\d+(?::\d+)?/g;

/** Why a program ended, in one line with the file and the line, from what it wrote to stderr; undefined where it wrote nothing that says so. */
export function causeOf(words: readonly string[], folder: string): string | undefined {
  const headline = words.findLastIndex((line) => HEADLINE.test(line));
  if (headline === -1) return words.findLast((line) => line.trim() !== "")?.trim();
  const [, message = ""] = HEADLINE.exec(words[headline] ?? "") ?? [];
  // A stack has the author's own lines; a syntax error has its place above the headline.
  const after = words.slice(headline + 1).filter((line) => /^\s+at /.test(line));
  const before = words.slice(Math.max(0, headline - 6), headline);
  const place = [...after, ...before].flatMap((line) => line.match(PLACE) ?? []).find(isTheirs);
  const shown = place === undefined ? undefined : showPlace(place, folder);
  return shown === undefined || message.includes(shown) ? message : `${shown}: ${message}`;
}

const isTheirs = (place: string): boolean => !/[/\\]node_modules[/\\]/.test(place);

function showPlace(place: string, folder: string): string {
  const [, url = place, line = ""] = /^(.*?)((?::\d+)+)$/.exec(place) ?? [];
  const file = url.startsWith("file:") ? fileURLToPath(url) : url;
  const inside = path.relative(folder, file);
  return `${inside.startsWith("..") ? file : inside}${line}`;
}
