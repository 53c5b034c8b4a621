import type { JsonObject } from "@toolwright/engine";
import { showValue } from "@toolwright/kit/cli";
import { shortUri } from "../format/template.js";
import type { Entry } from "../library/library.js";

/** Formats templates, a line each, grouped by toolchain. */
export function formatTemplates(entries: readonly Entry[], columns: number): string {
  const width = Math.max(0, ...entries.map(({ uri }) => shortUri(uri).length));
  const lines: string[] = [];
  let toolchain: string | undefined;
  for (const entry of entries) {
    if (entry.toolchain !== toolchain) lines.push(...(lines.length > 0 ? [""] : []), entry.toolchain);
    toolchain = entry.toolchain;
    const mark = entry.origin === "user" ? "(yours) " : "";
    lines.push(truncate(`  ${shortUri(entry.uri).padEnd(width)}  ${mark}${entry.description}`, columns));
  }
  return lines.join("\n");
}

/** Formats one template: its file and its parameters. */
export function formatTemplate({ uri, name, description, source, schema }: Entry): string {
  const properties = schema["properties"] as Readonly<Record<string, JsonObject>>;
  const rows = source.parameters.map((parameter): [string, string, string] => {
    const { type, enum: choices } = properties[parameter.name] ?? {};
    const typeName = Array.isArray(choices)
      ? choices.map(showValue).join("|")
      : type === "array"
        ? "list"
        : (type as string);
    const fallback = showValue(parameter.default ?? "");
    return [
      `${parameter.name}${parameter.required ? "*" : ""}`,
      typeName,
      `${parameter.description}${fallback === "" || fallback === "[]" ? "" : ` [${fallback}]`}`,
    ];
  });
  const widthOf = (column: 0 | 1): number => Math.min(30, Math.max(0, ...rows.map((row) => row[column].length)));
  const lines = rows.map(
    ([label, type, about]) => `  ${label.padEnd(widthOf(0))}  ${type.padEnd(widthOf(1))}  ${about}`,
  );
  const parameters = lines.length === 0 ? ["No parameters."] : ["Parameters (* = required)", ...lines];
  return [`${name}: ${description}`, `  ${uri}`, `  file ${source.filename}`, "", ...parameters].join("\n");
}

const truncate = (line: string, columns: number): string =>
  line.length > columns ? `${line.slice(0, columns - 1)}…` : line;
