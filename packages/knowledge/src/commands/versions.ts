import { relative } from "@toolwright/kit/cli";
import { type Column, drawTable, type Paint, remark, say, sayJson } from "@toolwright/kit/terminal";
import type { Collection, Version } from "../collections/collection.js";
import { listVersions } from "../collections/find-collection.js";
import { toShownVersion } from "../tools/shown.js";
import type { Deed } from "./bench.js";
import { measureWords } from "./measures.js";

/** `toolwright kb versions`: the versions of a collection, the newest first. */
export const versions: Deed = async ({ base, options, words: [name = ""], screen, now }) => {
  const { collection, versions: all } = await listVersions(base, name);
  const { active, pinned } = collection;
  if (options["--json"]) return sayJson({ collection: name, active, pinned, versions: all.map(toShownVersion) });
  if (options["--quiet"]) return all.length === 0 ? undefined : say(all.map(({ number }) => number).join("\n"));
  if (all.length === 0) return remark(`${name} has no versions. "toolwright kb ingest PATH -c ${name}" makes one.`);
  const columns = columnsOf(collection, screen.paint, now);
  await say(drawTable(columns, all, { width: screen.width, head: screen.paint.faint }));
};

const columnsOf = (collection: Collection, paint: Paint, now: Date): Column<Version>[] => [
  { name: "version", text: ({ number }) => String(number), isNumber: true, paint: (shown) => paint.bold(shown) },
  {
    name: "state",
    text: (version) => stateOf(collection, version),
    paint: (shown, version) => inColour(shown, collection, version, paint),
  },
  { name: "documents", text: ({ documents }) => String(documents), isNumber: true },
  { name: "passages", text: ({ chunks }) => String(chunks), isNumber: true },
  { name: "against", text: deltaWords },
  { name: "made", text: ({ createdAt }) => relative(createdAt, now), paint: (shown) => paint.faint(shown) },
  { name: "quality", text: ({ quality }) => (quality === null ? "" : measureWords(quality)), gives: "words" },
];

function stateOf({ active, pinned }: Collection, { number, status }: Version): string {
  const marks = [...(number === active ? ["active"] : []), ...(number === pinned ? ["pinned"] : [])];
  const answers = number === (pinned ?? active);
  return marks.length === 0 ? status : `${answers ? "● " : "○ "}${marks.join(", ")}`;
}

function inColour(shown: string, { active, pinned }: Collection, { number, status }: Version, paint: Paint): string {
  if (number === (pinned ?? active)) return paint.green(shown);
  if (status === "failed") return paint.red(shown);
  return status === "building" ? paint.cyan(shown) : shown;
}

/** "2: +3 ~1 −0" */
function deltaWords({ parent, delta: { added = 0, modified = 0, removed = 0 } }: Version): string {
  const changes = `+${added} ~${modified} −${removed}`;
  return parent === null ? changes : `${parent}: ${changes}`;
}
