import { counted } from "../complexity/words.js";
import { nothingFound } from "../project/nothing-found.js";
import type { Context } from "./context.js";

/** A map as Markdown. */
export function writeContext(context: Context): string {
  const { project, kinds, languages, manifests, folders, files, left_out, hint } = context;
  const counts = Object.entries(languages).map(([language, count]) => `${count} ${language}`);
  return [
    `# ${project}${kinds.length > 0 ? ` (${kinds.join(", ")})` : ""}`,
    counts.length > 0 ? `Files: ${counts.join(", ")}` : nothingFound(0),
    ...manifests.map(
      ({ path, name, says }) => `- ${[path, name, says].filter((each) => (each ?? "") !== "").join(": ")}`,
    ),
    ...(folders.length > 0 ? ["## Folders"] : []),
    ...folders.map(
      ({ path, files: count, lines }) => `- ${path}/ ${counted(count, "file")}, ${counted(lines, "line")}`,
    ),
    ...(files.length > 0 ? ["## Files, the most important first"] : []),
    ...files.flatMap(({ path, lines, used_by, declares, more }) => [
      `### ${path} (${counted(lines, "line")}, used by ${used_by})`,
      ...declares,
      ...(more === undefined ? [] : [`… ${more} more`]),
    ]),
    ...(hint === undefined
      ? []
      : [`Left out: ${counted(left_out.files, "file")}, ${counted(left_out.declarations, "declaration")}. ${hint}`]),
  ].join("\n");
}
