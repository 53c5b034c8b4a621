import { type Column, visibleLine } from "@toolwright/kit/terminal";
import { count } from "../format.js";
import type { DagReport } from "../imports/report.js";
import type { Desk } from "./deed.js";
import { section } from "./view.js";

/** That one file uses another, or a package. */
interface Link {
  readonly from: string;
  readonly to: string;
  readonly imports: number;
}

const IMPORTS: Column<Link> = { name: "imports", text: ({ imports }) => count(imports), isNumber: true };
const USER: Column<Link> = { name: "file", text: ({ from }) => from, gives: "path" };
const used = (name: string): Column<Link> => ({ name, text: ({ to }) => to, gives: "path" });
/** The report has no more than --max-nodes allows. */
const most = Number.POSITIVE_INFINITY;

/** What a file uses and who uses it; and what else is near it, as far as --depth goes. */
export function showFocus(desk: Desk, focus: string, { level, nodes, edges }: DagReport): readonly string[] {
  const names = new Map(nodes.map(({ id, name, kind }) => [id, kind === "external" ? `${name} (package)` : name]));
  const links = edges.map((edge): Link => {
    return { from: names.get(edge.from) ?? "", to: names.get(edge.to) ?? "", imports: edge.count };
  });
  const file = visibleLine(focus);
  if (level === "folder")
    return section(desk, `Folders around ${file}`, [USER, used("uses"), IMPORTS], { rows: links, most });
  const uses = links.filter(({ from }) => from === focus);
  const usedBy = links.filter(({ to }) => to === focus);
  const rows = links.filter(({ from, to }) => from !== focus && to !== focus);
  // What there was no room for is counted here too.
  const own = nodes.find(({ name, kind }) => kind === "file" && name === focus);
  return [
    ...(own?.uses === 0 ? ["", `${file} uses no file`] : []),
    ...section(desk, `${file} uses`, [used("file"), IMPORTS], { rows: uses, most }),
    ...(own?.used_by === 0 ? ["", `No file uses ${file}`] : []),
    ...section(desk, `${file} is used by`, [USER, IMPORTS], { rows: usedBy, most }),
    ...section(desk, "Around it", [USER, used("uses"), IMPORTS], { rows, most }),
  ];
}
