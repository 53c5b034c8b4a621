import { nearest } from "@toolwright/kit/text";
import { readTemplateUri } from "../format/template-uri.js";
import type { Entry, Library } from "../library/library.js";

/** The files that are wanted. */
export interface Wish {
  readonly toolchain: string;
  /** Categories such as makefile, with a variant as in makefile/lib, or whole URIs, which may leave out how they begin. */
  readonly templates: readonly string[];
  readonly variant: string;
}

/** A template that could not be used, and why. */
export interface MakeError {
  readonly template: string;
  readonly error: string;
  readonly code: string;
}

/** A template that was asked for, and found. */
export interface Chosen {
  readonly asked: string;
  readonly entry: Entry;
  /** The moment that it is told of, where it is not that of the others. */
  readonly madeAt?: string | undefined;
}

/** What stands for all toolchains, and for all variants. */
const ANY = "any";
const PLAIN = "default";

/** Finds the templates that are wanted; each one that is not there is an error that names the nearest. */
export async function chooseTemplates(
  library: Library,
  wish: Wish,
): Promise<[readonly Chosen[], readonly MakeError[]]> {
  const entries = await library.list();
  const errors: MakeError[] = [];
  const chosen = new Map<string, Chosen>();
  for (const asked of new Set(wish.templates)) {
    try {
      const uri = asked.includes("://") ? asked : `template://${asked}`;
      const isWhole = uri === asked || asked.split("/").length > 2;
      const entry = isWhole ? await library.find(uri) : chooseOne(entries, asked, wish);
      chosen.set(entry.uri, { asked, entry });
    } catch (error) {
      const { message, code = "TEMPLATE_NOT_FOUND" } = error as Error & { readonly code?: string };
      errors.push({ template: asked, error: message, code });
    }
  }
  return [[...chosen.values()], errors];
}

function chooseOne(entries: readonly Entry[], asked: string, { toolchain, variant }: Wish): Entry {
  const [category = "", own] = asked.split("/");
  const wanted = own ?? variant;
  // The words become part of a message and of a URI.
  readTemplateUri(`template://${category}/${toolchain}/${wanted}`);
  const fitting = entries.filter((entry) => entry.category === category && [toolchain, ANY].includes(entry.toolchain));
  const pick = (of: string, which: string): Entry | undefined =>
    fitting.find((entry) => entry.toolchain === of && entry.variant === which);
  const only = (of: string): Entry | undefined => {
    const [first, ...others] = fitting.filter((entry) => entry.toolchain === of);
    return others.length === 0 && own === undefined ? first : undefined;
  };
  for (const of of [toolchain, ANY]) {
    const found = pick(of, wanted) ?? (own === undefined ? pick(of, PLAIN) : undefined) ?? only(of);
    if (found !== undefined) return found;
  }
  throw new Error(reasonFor(entries, fitting, asked, toolchain));
}

function reasonFor(entries: readonly Entry[], fitting: readonly Entry[], asked: string, toolchain: string): string {
  const toolchains = [...new Set(entries.map((entry) => entry.toolchain))];
  if (!toolchains.includes(toolchain))
    return `There is no toolchain ${quote(toolchain)}; ${meant(toolchain, toolchains)}`;
  if (fitting.length > 0) {
    const names = fitting.map((entry) => `${entry.category}/${entry.variant}`);
    return `There is no ${quote(asked)} for ${toolchain}; ${meant(asked, names)}`;
  }
  const ours = entries.filter((entry) => [toolchain, ANY].includes(entry.toolchain)).map(({ category }) => category);
  return `There is no template ${quote(asked)} for ${toolchain}; ${meant(asked, [...new Set(ours)])}`;
}

function meant(word: string, known: readonly string[]): string {
  const found = nearest(word, known);
  return found === undefined ? `there are ${known.join(", ")}.` : `did you mean ${quote(found)}?`;
}

const quote = (text: string): string => JSON.stringify(text);
