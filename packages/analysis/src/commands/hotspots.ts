import path from "node:path";
import { numberOf, UsageError } from "@toolwright/kit/cli";
import { writeCsv } from "../format.js";
import { readHotspots } from "../hotspots/find-hotspots.js";
import type { Hotspots } from "../hotspots/hotspots.js";
import { describeHotspots } from "../hotspots/show-hotspots.js";
import type { Deed, Desk, Result } from "./deed.js";
import { readNow } from "./now.js";
import { MOST_DAYS, type Options } from "./options.js";
import { showHotspots } from "./show-hotspots.js";

/** How many files and functions are shown where nothing else is said, and of how many functions a page tells. */
const USUAL = { files: 10, functions: 5 } as const;
const PAGE_FUNCTIONS = 10;

/** `toolwright analyze hotspots`: where complex code changes often, on the screen or as a page. */
export const hotspots: Deed = {
  takes: ["--include", "--exclude", "--days", "--top", "--functions", "--html"],
  formats: ["summary", "json", "markdown", "csv"],
  async run(desk) {
    const { analysis, call, path: given, project, options } = desk;
    const now = readNow(process.env);
    const page = pageOf(options);
    const wanted = numberOf(options, "--functions", 0, 100);
    const functions = wanted ?? (page === undefined ? USUAL.functions : PAGE_FUNCTIONS);
    const wish = {
      path: given,
      period_days: numberOf(options, "--days", 1, MOST_DAYS) ?? 90,
      functions,
      include: options["--include"],
      exclude: options["--exclude"],
    };
    const top = numberOf(options, "--top", 1);
    const { hotspots: found, churn } = await readHotspots(analysis, call, wish, now);
    const result = write(desk, { ...found, briefs: found.briefs.slice(0, wanted ?? USUAL.functions) }, top);
    if (page === undefined) return result;
    const { makePage } = await import("../report/page.js");
    const text = await makePage(analysis, call, { path: given, project, hotspots: found, churn, now });
    return { ...result, files: [{ name: page, text }] };
  },
};

/** The file of the page; undefined = none is wanted. */
function pageOf(options: Options): string | undefined {
  const [page] = options["--html"] ?? [];
  const [output] = options["--output"] ?? [];
  if (page === "-")
    throw new UsageError("--html needs the name of a file, such as hotspots.html: a page is not printed");
  if (page !== undefined && output !== undefined && path.resolve(page) === path.resolve(output))
    throw new UsageError(`--html and --output both name ${JSON.stringify(page)}; give two files`);
  return page;
}

function write(desk: Desk, found: Hotspots, top: number | undefined): Result {
  const shown = { ...found, files: found.files.slice(0, top), total: found.files.length };
  if (desk.format === "json") return { text: JSON.stringify(shown, null, 2) };
  if (desk.format === "csv") return { text: toCsv(shown) };
  if (desk.format === "markdown")
    return { text: describeHotspots({ ...shown, files: shown.files.slice(0, top ?? 50) }) };
  return { text: showHotspots(desk, found, top ?? USUAL.files) };
}

const toCsv = ({ files }: Pick<Hotspots, "files">): string =>
  writeCsv(
    ["file_path", "score", "complexity", "churn", "commits", "functions", "code_lines", "bus_factor", "last_modified"],
    files.map((file) => [
      file.path,
      file.score,
      file.complexity,
      file.churn,
      file.commits,
      file.functions,
      file.code_lines,
      file.bus_factor,
      file.last_modified ?? "",
    ]),
  );
