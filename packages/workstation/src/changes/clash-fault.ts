import { ToolError } from "@toolwright/engine";
import { type FileAccess, unifiedDiff } from "@toolwright/kit/files";
import type { FileState } from "./file-state.js";
import type { Journal } from "./journal.js";
import { contentOf } from "./locate.js";
import type { Clash } from "./plan.js";
import { cutDiff, textOf } from "./text-of.js";

const MOST_SHOWN = 5;
const MOST_DIFF = 4000;
const MOST_DIFFS = 10_000;

/** Others have changed a place since: says what, and what can be done. */
export async function clashFault(
  journal: Journal,
  reach: FileAccess,
  clashes: readonly Clash[],
  doing: "undo" | "redo",
): Promise<ToolError> {
  const shown = clashes.slice(0, MOST_SHOWN);
  const lines = shown.map((clash) => `- ${reach.displayPath(clash.path)}: ${words(clash)}`);
  if (clashes.length > shown.length) lines.push(`- and ${clashes.length - shown.length} more`);
  const diffs = await Promise.all(shown.map((clash) => diffOf(journal, reach, clash)));
  const canForce = clashes.every((clash) => clash.canForce);
  const advice = canForce
    ? `With force: true it is done all the same; what is there now can then be brought back with redo${doing === "undo" ? ", after what was undone (count: 2 after one change)" : ""}.`
    : "Put it right by hand, then try again.";
  const diff = cutDiff(diffs.join(""), MOST_DIFFS);
  return new ToolError(
    `Cannot ${doing}: somebody else has changed this since, and nothing was changed now.\n${lines.join("\n")}\n${advice}${diff && `\n${diff}`}`,
    { code: "CONFLICT", details: { paths: clashes.slice(0, 50).map(({ path }) => reach.displayPath(path)) } },
  );
}

function words({ expected, found }: Clash): string {
  if (found.kind === "absent") return "it is not there any more";
  if (expected.kind === "absent") return `there is ${kindWords(found)} now`;
  return found.kind === expected.kind ? "it has other content" : `it is ${kindWords(found)} now`;
}

function kindWords(state: FileState): string {
  if (state.kind === "special") return state.words;
  return { absent: "nothing", file: "a file", link: "a symbolic link", folder: "a folder" }[state.kind];
}

async function diffOf(journal: Journal, reach: FileAccess, { path, expected, found, origin }: Clash): Promise<string> {
  if (found.kind !== "file" || expected.kind === "folder") return "";
  const before = expected.kind === "file" ? textOf(await journal.blobs.read(expected.hash)) : undefined;
  const after = textOf((await contentOf(reach, origin, journal.limits.fileBytes).catch(() => undefined))?.bytes);
  if (after === undefined || (expected.kind === "file" && before === undefined)) return "";
  return cutDiff(await unifiedDiff(reach.displayPath(path), before, after), MOST_DIFF);
}
