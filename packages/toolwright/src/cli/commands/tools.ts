import type { JsonObject } from "@toolwright/engine";
import type { ListedTool } from "@toolwright/engine/client";
import { argumentNames, inputOf } from "../arguments.js";
import { converse } from "../conversation.js";
import { print } from "../print.js";
import { writeJson } from "../result-text.js";
import { readReach } from "../target.js";
import { answersOf } from "../terminal/questions.js";
import { Report } from "../terminal/report.js";
import { visibleLine } from "../terminal/visible.js";
import { UsageError } from "../usage-error.js";
import { isObject, kindsOf, showValue } from "../values.js";

/** Lists the tools of any server: for people, or with `--json` as the server wrote them. */
export async function listTools(words: readonly string[], version: string): Promise<void> {
  const { reach, given, plain } = readReach(words, { "--json": {} }, process.env);
  const [extra] = plain;
  if (extra !== undefined) throw new UsageError(`"${extra}" is unknown`);
  const report = new Report(process.stderr);
  // Servers may have other tools for clients that can be asked, and a call can be.
  const more = { info: { name: "toolwright", version }, ...answersOf(report, process.stdin.isTTY) };
  await converse(reach, report, more, async (client, signal) => {
    const tools = await client.listTools({ signal });
    if (given["--json"]) await print(writeJson(tools as unknown as JsonObject[]));
    else if (tools.length === 0) report.line("This server has no tools.");
    else await print(tools.map(describe).join("\n\n"));
  });
}

function describe(tool: ListedTool): string {
  const { name, description } = tool;
  const { schema: root, properties } = inputOf(tool);
  const names = argumentNames(tool);
  const rows = Object.values(properties).map((schema, at): [string, string, string] => [
    names[at] ?? "",
    kindOf(schema, root),
    firstLine(isObject(schema) ? schema["description"] : undefined),
  ]);
  const widths = [0, 1].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map(
    ([label, kind, about]) => `  ${label.padEnd(widths[0] ?? 0)}  ${kind.padEnd(widths[1] ?? 0)}  ${about}`,
  );
  const about = firstLine(description);
  return [about === "" ? name : `${name}: ${about}`, ...lines].map((line) => line.trimEnd()).join("\n");
}

/** What an argument may be, in a word: its choices, or its types. */
function kindOf(schema: unknown, root: JsonObject): string {
  if (!isObject(schema)) return "";
  if (Array.isArray(schema["enum"])) return schema["enum"].map(showValue).join("|");
  const kinds = kindsOf(schema, root).map((kind) => {
    const [item] = kind === "array" ? kindsOf(schema["items"], root) : [];
    return item === undefined ? kind : `${item}[]`;
  });
  return kinds.filter((kind) => kind !== "null").join("|");
}

function firstLine(words: unknown): string {
  return typeof words === "string" ? visibleLine(words.trim().split("\n")[0] ?? "") : "";
}
