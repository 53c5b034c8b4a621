import { type JsonObject, ToolError } from "@toolwright/engine";
import { nearest } from "@toolwright/kit/text";
import type { TemplatesContext } from "../context.js";
import { PROJECT_NAME } from "../format/project-path.js";
import type { Entry } from "../library/library.js";
import { checksumOf } from "../rendering/renderer.js";
import type { FileRecord } from "./answers.js";
import type { ChosenTemplate, TemplateFailure } from "./choose-templates.js";

/** A rendered file of a project. */
export interface RenderedFile {
  readonly uri: string;
  /** How its template was requested. */
  readonly requested: string;
  /** The path inside the project. */
  readonly path: string;
  readonly content: string;
  readonly checksum: string;
  readonly mode?: number;
  /** What the answers file stores. */
  readonly record: FileRecord;
}

/** Renders templates with shared parameters; each takes those it has. One that fails does not prevent the others. */
export async function renderFiles(
  { library, renderer }: TemplatesContext,
  chosen: readonly ChosenTemplate[],
  parameters: JsonObject,
  now: Date,
): Promise<[readonly RenderedFile[], readonly TemplateFailure[]]> {
  const failures: TemplateFailure[] =
    chosen.length === 0 ? [] : [...findUnknownParameters(await library.list(), chosen, parameters)];
  const files = new Map<string, RenderedFile>();
  for (const { requested, entry, renderedAt } of chosen) {
    const { source, uri } = entry;
    try {
      const { filename, content } = await renderer.render(source, parametersOf(entry, parameters), {
        now: renderedAt === undefined ? now : new Date(renderedAt),
      });
      const key = filename.toLowerCase();
      const other = files.get(key);
      if (other !== undefined) {
        const error = `It renders ${filename}, as ${other.requested} does`;
        failures.push({ template: requested, error, code: "CONFLICT" });
        continue;
      }
      const checksum = checksumOf(content);
      const time = renderedAt === undefined ? {} : { made_at: renderedAt };
      const mode = source.mode === undefined ? {} : { mode: source.mode };
      const record = { template: uri, checksum, text: content, ...time };
      files.set(key, { uri, requested, path: filename, content, checksum, ...mode, record });
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      failures.push({ template: requested, error: error.message, code: error.code ?? "PARSE_FAILED" });
    }
  }
  return [[...files.values()], failures];
}

/** The parameters that a template has. */
export function parametersOf({ source }: Entry, parameters: JsonObject): JsonObject {
  const known = new Set([PROJECT_NAME, ...source.parameters.map(({ name }) => name)]);
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => known.has(name)));
}

/** The names of all parameters of templates. */
export const parameterNames = (entries: readonly Entry[]): Set<string> =>
  new Set(entries.flatMap(({ source }) => source.parameters.map(({ name }) => name)));

/** A parameter that no template has at all is most likely mistyped. One that only other templates have is shared with them. */
function findUnknownParameters(
  all: readonly Entry[],
  chosen: readonly ChosenTemplate[],
  parameters: JsonObject,
): readonly TemplateFailure[] {
  const known = parameterNames(chosen.map(({ entry }) => entry));
  const shared = parameterNames(all).add(PROJECT_NAME);
  return Object.keys(parameters)
    .filter((name) => !shared.has(name))
    .map((name) => {
      const suggestion = nearest(name, known);
      const hint =
        suggestion === undefined ? `known: ${[...known].join(", ") || "none"}.` : `did you mean ${suggestion}?`;
      const error = `parameters.${name} is not a parameter of these templates; ${hint}`;
      return { template: "*", error, code: "INVALID_ARGUMENTS" };
    });
}
