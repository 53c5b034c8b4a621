import { Failure, suggestion } from "@toolwright/kit/cli";
import { type Column, createPaint, drawTable, wantsColour } from "@toolwright/kit/terminal";
import type { Config } from "../../config/config.js";
import { packsOf } from "../pack-environment.js";
import { DEFAULT_SET, loadKnownTools } from "../tool-lists/known-tools.js";
import { withQuestions } from "./ask.js";

/** The answer that lists every tool. */
const ALL = "all";

/** A row of the table that is shown before the question. */
interface Row {
  readonly toolset: string;
  readonly pack: string;
  readonly count: string;
  readonly names: string;
}

/** Asks which toolsets a server with this configuration should list. Throws `Failure` if the question is not answered. */
export async function askToolsets(config: Config): Promise<readonly string[]> {
  const { byPack, optional, setNames } = await loadKnownTools(await packsOf(config));
  const rows = Object.entries(byPack).flatMap(([pack, toolsets]) =>
    Object.entries(toolsets).map(([toolset, tools]): Row => {
      const count = tools.filter((tool) => !optional.includes(tool)).length;
      return {
        toolset,
        pack,
        count: count === tools.length ? "all" : count === 0 ? "none" : `${count} of ${tools.length}`,
        names: tools.join(", "),
      };
    }),
  );
  const paint = createPaint(wantsColour(process.stderr, process.env));
  const table = drawTable(COLUMNS, rows, {
    width: process.stderr.columns || Number.POSITIVE_INFINITY,
    head: paint.bold,
  });
  process.stderr.write(
    "Which toolsets should the server list? A model reads every listed tool in each request, so list what you need.\n\n" +
      `${table}\n\nExamples: files,git (only these), default,builds (the default and one more), ${ALL}.\n`,
  );
  return withQuestions(async (ask) => {
    for (;;) {
      const answer = await ask("Toolsets (Enter for the default): ");
      if (answer === undefined) throw new Failure("Nothing was changed", 1);
      const names = splitNames([answer]);
      const known = [...setNames, ALL];
      const unknown = names.filter((name) => !known.includes(name));
      if (unknown.length === 0) return names;
      for (const name of unknown)
        process.stderr.write(`Unknown toolset ${JSON.stringify(name)}${suggestion(name, known)}\n`);
    }
  });
}

const COLUMNS: readonly Column<Row>[] = [
  { name: "toolset", text: ({ toolset }) => toolset },
  { name: "pack", text: ({ pack }) => pack },
  { name: "by default", text: ({ count }) => count },
  { name: "tools", text: ({ names }) => names, gives: "words" },
];

/** Splits lists of names at commas and spaces. */
export const splitNames = (texts: readonly string[]): readonly string[] => [
  ...new Set(texts.flatMap((text) => text.split(/[\s,]+/)).filter((name) => name !== "")),
];

/** The options of `serve` that list these toolsets. The default needs none. */
export function toolsetOptions(names: readonly string[]): readonly string[] {
  if (names.includes(ALL)) return ["--all-tools"];
  return names.every((name) => name === DEFAULT_SET) ? [] : ["--toolsets", names.join(",")];
}
