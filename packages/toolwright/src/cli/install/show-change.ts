import { openFormat } from "../../clients/formats/open-format.js";
import { unifiedDiff } from "../../files/unified-diff.js";
import type { Paint } from "../terminal/paint.js";
import { visible, visibleName } from "../terminal/visible.js";
import type { Change } from "./change.js";
import { maskLine, secretsIn } from "./secrets.js";

/** Longer lines are files in one line, of which the end says nothing. */
const WIDEST = 300;

/** What a change does to its file, as a diff in which no secret is shown; empty where it does nothing. */
export async function diffOf({ client, config, after, action }: Change): Promise<string> {
  if (action === "nothing") return "";
  const before = config.bytes && config.text;
  const { parse } = await openFormat(client.format);
  const secrets = new Set([...secretsIn(parse(config.text)), ...secretsIn(parse(after ?? ""))]);
  const diff = await unifiedDiff(config.file.replace(/^\//, ""), before, after);
  return diff
    .split("\n")
    .map((line, at) =>
      at < 2 || line.startsWith("@@") ? line : cutLine(line.slice(0, 1) + maskLine(line.slice(1), secrets)),
    )
    .join("\n");
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
