import type { JsonObject } from "@toolwright/engine";
import { type CommandContext, Failure, print, showValue, writeJson } from "@toolwright/kit/cli";
import { writeStdout } from "@toolwright/kit/terminal";
import { shortUri, toTemplateUri } from "../format/template.js";
import type { Entry } from "../library/library.js";
import { search } from "../library/search.js";
import { generate, validate } from "../tools/generate-template.js";
import { toListed } from "../tools/listing.js";
import { askForMissing } from "./ask.js";
import { withTemplates } from "./open.js";
import { parseParameters } from "./parameters.js";

interface CommonInput {
  readonly directory: string | undefined;
  readonly json: boolean;
}

interface ListInput extends CommonInput {
  readonly toolchain: string | undefined;
  readonly category: string | undefined;
  readonly variant: string | undefined;
}

/** Prints the templates. */
export const listTemplates = ({ directory, json, ...filter }: ListInput, ctx: CommandContext): Promise<void> =>
  withTemplates(directory, ctx, async ({ context: { library } }) => {
    const entries = await library.list(filter);
    if (json) await print(writeJson(entries.map((entry) => toListed(entry, "schema"))));
    else if (entries.length > 0) await print(formatTemplates(entries, ctx.screen.width));
    for (const { path, message } of await library.errors()) ctx.notice(`Ignored: ${path}: ${message}`);
    if (entries.length === 0) throw new Failure("No template matches");
  });

interface SearchInput extends CommonInput {
  readonly query: readonly string[];
  readonly toolchain: string | undefined;
}

/** Prints the templates that contain words. */
export const searchTemplates = ({ directory, json, ...input }: SearchInput, ctx: CommandContext): Promise<void> =>
  withTemplates(directory, ctx, async ({ context: { library } }) => {
    const query = input.query.join(" ");
    const hits = search(await library.list({ toolchain: input.toolchain }), query);
    if (json)
      await print(
        writeJson(
          hits.map(({ entry, relevance, matched }) => ({
            ...toListed(entry, "full"),
            relevance,
            matched: [...matched],
          })),
        ),
      );
    else
      await print(
        hits
          .map(
            ({ entry, relevance }) =>
              `${String(relevance).padStart(3)}  ${entry.uri}  ${entry.name}: ${entry.description}`,
          )
          .join("\n"),
      );
    if (hits.length === 0) throw new Failure(`No template has "${query}"`);
  });

interface ShowInput extends CommonInput {
  readonly template: string;
  readonly text: boolean;
}

/** Prints one template. */
export const showTemplate = ({ directory, json, text, template }: ShowInput, ctx: CommandContext): Promise<void> =>
  withTemplates(directory, ctx, async ({ context: { library } }) => {
    const entry = await library.get(toTemplateUri(template));
    if (text) await writeStdout(entry.source.body);
    else await print(json ? writeJson(toListed(entry, "schema")) : formatTemplate(entry));
  });

interface RenderInput extends CommonInput {
  readonly template: string;
  readonly parameter: readonly string[];
  readonly parameters: string | undefined;
}

/** Prints the file that a template makes. */
export const generateFile = ({ directory, json, ...input }: RenderInput, ctx: CommandContext): Promise<void> =>
  withTemplates(directory, ctx, async ({ context }) => {
    const entry = await context.library.get(toTemplateUri(input.template));
    const given = parseParameters(input.parameter, input.parameters, [entry]);
    const parameters = await askForMissing([entry], given, `${entry.name} (${entry.source.filename})`);
    const file = await generate(context, entry.uri, parameters);
    if (json) await print(writeJson(file));
    else await writeStdout(file.content);
  });

/** Prints the errors of parameters. */
export const validateParameters = ({ directory, json, ...input }: RenderInput, ctx: CommandContext): Promise<void> =>
  withTemplates(directory, ctx, async ({ context }) => {
    const entry = await context.library.get(toTemplateUri(input.template));
    const parameters = parseParameters(input.parameter, input.parameters, [entry]);
    const result = await validate(context, entry.uri, parameters);
    const lines = result.errors.map(({ field, message }) => `${field} ${message}`);
    await print(json ? writeJson(result) : result.valid ? "The parameters are valid." : lines.join("\n"));
    if (!result.valid) throw new Failure(`The parameters are not valid for ${entry.uri}`);
  });

/** Formats templates, a line each, grouped by toolchain. */
function formatTemplates(entries: readonly Entry[], columns: number): string {
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
function formatTemplate({ uri, name, description, source, schema }: Entry): string {
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
