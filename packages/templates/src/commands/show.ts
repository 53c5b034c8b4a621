import type { JsonObject } from "@toolwright/engine";
import { showValue } from "@toolwright/kit/cli";
import type { Entry, FolderFault } from "../library/library.js";

/** Templates for people, a line each, under the names of their toolchains. */
export function showTemplates(entries: readonly Entry[], columns = Number.POSITIVE_INFINITY): string {
  const width = Math.max(0, ...entries.map(({ uri }) => shortOf(uri).length));
  const lines: string[] = [];
  let toolchain: string | undefined;
  for (const entry of entries) {
    if (entry.toolchain !== toolchain) lines.push(...(lines.length > 0 ? [""] : []), entry.toolchain);
    toolchain = entry.toolchain;
    const mark = entry.origin === "user" ? "(yours) " : "";
    lines.push(cut(`  ${shortOf(entry.uri).padEnd(width)}  ${mark}${entry.description}`, columns));
  }
  return lines.join("\n");
}

/** One template for people: what it makes, and what it wants to be told. */
export function showTemplate({ uri, name, description, source, schema }: Entry): string {
  const properties = schema["properties"] as Readonly<Record<string, JsonObject>>;
  const rows = source.parameters.map((parameter): [string, string, string] => {
    const { type, enum: choices } = properties[parameter.name] ?? {};
    const kind = Array.isArray(choices)
      ? choices.map(showValue).join("|")
      : type === "array"
        ? "list"
        : (type as string);
    const usual = showValue(parameter.default ?? "");
    return [
      `${parameter.name}${parameter.required ? "*" : ""}`,
      kind,
      `${parameter.description}${usual === "" || usual === "[]" ? "" : ` [${usual}]`}`,
    ];
  });
  const [first, second] = [0, 1].map((column) =>
    Math.min(30, Math.max(0, ...rows.map((row) => row[column]?.length ?? 0))),
  );
  const lines = rows.map(
    ([label, kind, about]) => `  ${label.padEnd(first ?? 0)}  ${kind.padEnd(second ?? 0)}  ${about}`,
  );
  const parameters = lines.length === 0 ? ["It has no parameters."] : ["Parameters (* = required)", ...lines];
  return [`${name}: ${description}`, `  ${uri}`, `  makes ${source.filename}`, "", ...parameters].join("\n");
}

/** What in the user's directory is no template, for people. */
export const showFaults = (faults: readonly FolderFault[]): string =>
  faults.map(({ path, message }) => `Left out: ${path}: ${message}`).join("\n");

const shortOf = (uri: string): string => uri.slice("template://".length);

const cut = (line: string, columns: number): string =>
  line.length > columns ? `${line.slice(0, columns - 1)}…` : line;
