import { type JsonObject, ToolError } from "@toolwright/engine";
import { nearest } from "@toolwright/kit/text";
import type { Workshop } from "../context.js";
import type { Entry } from "../library/library.js";
import { checksumOf } from "../rendering/renderer.js";
import type { FileRecord } from "./answers.js";
import type { Chosen, MakeError } from "./choose-templates.js";

/** A file of a project as templates make it. */
export interface MadeFile {
  readonly uri: string;
  /** What was asked for. */
  readonly asked: string;
  /** The path inside the project. */
  readonly path: string;
  readonly content: string;
  readonly checksum: string;
  readonly mode?: number;
  /** What the answers remember of it. */
  readonly record: FileRecord;
}

/** Fills in all templates from the same parameters; each takes those it knows. One that fails keeps none of the others back. */
export async function makeFiles(
  { library, renderer }: Workshop,
  chosen: readonly Chosen[],
  given: JsonObject,
  now: Date,
): Promise<[readonly MadeFile[], readonly MakeError[]]> {
  const errors: MakeError[] = chosen.length === 0 ? [] : [...strayParameters(await library.list(), chosen, given)];
  const made = new Map<string, MadeFile>();
  for (const { asked, entry, madeAt } of chosen) {
    const { source, uri } = entry;
    const known = new Set(["project_name", ...source.parameters.map(({ name }) => name)]);
    const own = Object.fromEntries(Object.entries(given).filter(([name]) => known.has(name)));
    try {
      const { filename, content } = await renderer.render(source, own, {
        now: madeAt === undefined ? now : new Date(madeAt),
      });
      const checksum = checksumOf(content);
      const other = made.get(filename.toLowerCase());
      if (other !== undefined)
        errors.push({ template: asked, error: `It makes ${filename}, as ${other.asked} does`, code: "CONFLICT" });
      else
        made.set(filename.toLowerCase(), {
          uri,
          asked,
          path: filename,
          content,
          checksum,
          ...(source.mode !== undefined && { mode: source.mode }),
          record: { template: uri, checksum, text: content, ...(madeAt !== undefined && { made_at: madeAt }) },
        });
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      errors.push({ template: asked, error: error.message, code: error.code ?? "PARSE_FAILED" });
    }
  }
  return [[...made.values()], errors];
}

/** What no template at all knows was mistyped, most likely; what only others know is shared with them. */
function strayParameters(all: readonly Entry[], chosen: readonly Chosen[], given: JsonObject): readonly MakeError[] {
  const known = namesIn(chosen.map(({ entry }) => entry));
  const shared = namesIn(all).add("project_name");
  return Object.keys(given)
    .filter((name) => !shared.has(name))
    .map((name) => {
      const meant = nearest(name, known);
      const hint = meant === undefined ? `there are ${[...known].join(", ") || "none"}.` : `did you mean ${meant}?`;
      return {
        template: "*",
        error: `parameters.${name} is no parameter of these templates; ${hint}`,
        code: "INVALID_ARGUMENTS",
      };
    });
}

const namesIn = (entries: readonly Entry[]): Set<string> =>
  new Set(entries.flatMap(({ source }) => source.parameters.map(({ name }) => name)));
