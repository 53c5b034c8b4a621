import { type JsonObject, ToolError } from "@toolwright/engine";
import { nearest } from "../../../words/nearest.js";
import { checksumOf, type Renderer } from "../rendering/render.js";
import type { Chosen, MakeError } from "./choose.js";

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
}

/** Fills in all templates from the same parameters; each takes those it knows. One that fails keeps none of the others back. */
export async function makeFiles(
  renderer: Renderer,
  chosen: readonly Chosen[],
  given: JsonObject,
  now: Date,
): Promise<[readonly MadeFile[], readonly MakeError[]]> {
  const errors: MakeError[] = [...strayParameters(chosen, given)];
  const made = new Map<string, MadeFile>();
  for (const { asked, entry } of chosen) {
    const { source, uri } = entry;
    const known = source.parameters.filter(({ name }) => Object.hasOwn(given, name));
    const own = Object.fromEntries(known.map(({ name }) => [name, given[name] as never]));
    try {
      const { filename, content } = await renderer.render(source, own, { now });
      const other = made.get(filename.toLowerCase());
      if (other !== undefined)
        errors.push({ template: asked, error: `It makes ${filename}, as ${other.asked} does`, code: "CONFLICT" });
      else
        made.set(filename.toLowerCase(), {
          uri,
          asked,
          path: filename,
          content,
          checksum: checksumOf(content),
          ...(source.mode !== undefined && { mode: source.mode }),
        });
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      errors.push({ template: asked, error: error.message, code: error.code ?? "PARSE_FAILED" });
    }
  }
  return [[...made.values()], errors];
}

/** What no template knows was mistyped, most likely. */
function strayParameters(chosen: readonly Chosen[], given: JsonObject): readonly MakeError[] {
  const known = new Set(chosen.flatMap(({ entry }) => entry.source.parameters.map(({ name }) => name)));
  if (chosen.length === 0) return [];
  return Object.keys(given)
    .filter((name) => !known.has(name))
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
