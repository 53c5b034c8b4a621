import { unifiedDiff } from "@toolwright/kit/files";
import { type Paint, visible, visibleName } from "@toolwright/kit/terminal";
import { openLeniently } from "../../clients/config-file.js";
import type { Change } from "./plan-changes.js";
import { maskLine, maskScalars, secretsIn } from "./secrets.js";

/** Longer lines are files in one line, of which the end says nothing. */
const WIDEST = 300;

/** The diff of a change, without secrets; empty if nothing changes. */
export async function diffOf({ client, config, after, action }: Change): Promise<string> {
  if (action === "nothing") return "";
  const before = config.bytes && config.text;
  const { parse, scalars } = await openLeniently(client.format);
  const secrets = new Set([...secretsIn(parse(config.text)), ...secretsIn(parse(after ?? ""))]);
  const diff = await unifiedDiff(config.file.replace(/^\//, ""), before, after);
  const [old, fresh] = [config.text, after ?? ""].map((text) => maskScalars(text, scalars(text), secrets).split("\n"));
  let [oldAt, freshAt] = [0, 0];
  const lines = diff.split("\n").map((line, at) => {
    const place = /^@@ -(\d+)\S* \+(\d+)/.exec(line);
    if (place) [oldAt, freshAt] = [Number(place[1]) - 1, Number(place[2]) - 1];
    if (place || at < 2 || !/^[ +-]/.test(line)) return line;
    // Secrets of one file are hidden in the other, too.
    const seen = [
      ...(line.startsWith("+") ? [] : [old?.[oldAt++] ?? ""]),
      ...(line.startsWith("-") ? [] : [fresh?.[freshAt++] ?? ""]),
    ];
    const masked = seen.find((each) => each !== line.slice(1)) ?? line.slice(1);
    return cutLine(line.slice(0, 1) + maskLine(masked, secrets));
  });
  return lines.join("\n");
}

const cutLine = (line: string): string => (line.length > WIDEST ? `${line.slice(0, WIDEST)}…` : line);

/** A diff for a terminal: without its head, in colours. */
export function paintDiff(diff: string, paint: Paint): string {
  return visible(diff)
    .trimEnd()
    .split("\n")
    .slice(2)
    .map((line) => {
      if (line.startsWith("+")) return paint.green(line);
      if (line.startsWith("-")) return paint.red(line);
      return line.startsWith("@@") ? paint.cyan(line) : line;
    })
    .join("\n");
}

/** A path as people write it. */
export const shortPath = (file: string, home: string): string =>
  visibleName(/^[\\/]/.test(file.slice(home.length)) && file.startsWith(home) ? `~${file.slice(home.length)}` : file);
