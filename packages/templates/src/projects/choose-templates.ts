import { nearest } from "@toolwright/kit/text";
import { parseTemplateUri, toTemplateUri } from "../format/template.js";
import type { Entry, Library } from "../library/library.js";

/** Which templates are wanted. */
export interface TemplateChoice {
  readonly toolchain: string;
  /** Categories such as makefile, with a variant as in makefile/lib, or URIs, with or without the scheme. */
  readonly templates: readonly string[];
  readonly variant: string;
}

/** A template that failed, and why. */
export interface TemplateFailure {
  readonly template: string;
  readonly error: string;
  readonly code: string;
}

/** A template that was found. */
export interface ChosenTemplate {
  /** How it was requested. */
  readonly requested: string;
  readonly entry: Entry;
  /** The time for its rendering, if it differs from that of the others. */
  readonly renderedAt?: string | undefined;
}

/** The toolchain of templates for all toolchains, and the variant of those for all variants. */
const ANY_TOOLCHAIN = "any";
const ANY_VARIANT = "default";

/** Finds the templates that are wanted. For one that does not exist there is an error that names the nearest. */
export async function chooseTemplates(
  library: Library,
  choice: TemplateChoice,
): Promise<[readonly ChosenTemplate[], readonly TemplateFailure[]]> {
  const entries = await library.list();
  const failures: TemplateFailure[] = [];
  const chosen = new Map<string, ChosenTemplate>();
  for (const requested of new Set(choice.templates)) {
    try {
      const isUri = requested.includes("://") || requested.split("/").length > 2;
      const entry = isUri ? await library.get(toTemplateUri(requested)) : chooseOne(entries, requested, choice);
      chosen.set(entry.uri, { requested, entry });
    } catch (error) {
      const { message, code = "TEMPLATE_NOT_FOUND" } = error as Error & { readonly code?: string };
      failures.push({ template: requested, error: message, code });
    }
  }
  return [[...chosen.values()], failures];
}

function chooseOne(entries: readonly Entry[], requested: string, { toolchain, variant }: TemplateChoice): Entry {
  const [category = "", ownVariant] = requested.split("/");
  const wanted = ownVariant ?? variant;
  // Throws if a part is invalid: it becomes part of a message and of a URI.
  parseTemplateUri(toTemplateUri(`${category}/${toolchain}/${wanted}`));
  const candidates = entries.filter(
    (entry) => entry.category === category && [toolchain, ANY_TOOLCHAIN].includes(entry.toolchain),
  );
  for (const each of [toolchain, ANY_TOOLCHAIN]) {
    const ofToolchain = candidates.filter((entry) => entry.toolchain === each);
    const exact = ofToolchain.find((entry) => entry.variant === wanted);
    if (exact !== undefined) return exact;
    if (ownVariant !== undefined) continue;
    const fallback =
      ofToolchain.find((entry) => entry.variant === ANY_VARIANT) ??
      (ofToolchain.length === 1 ? ofToolchain[0] : undefined);
    if (fallback !== undefined) return fallback;
  }
  throw new Error(reasonFor(entries, candidates, requested, toolchain));
}

function reasonFor(
  entries: readonly Entry[],
  candidates: readonly Entry[],
  requested: string,
  toolchain: string,
): string {
  const toolchains = [...new Set(entries.map((entry) => entry.toolchain))];
  if (!toolchains.includes(toolchain))
    return `There is no toolchain ${quote(toolchain)}; ${suggest(toolchain, toolchains)}`;
  if (candidates.length > 0) {
    const names = candidates.map((entry) => `${entry.category}/${entry.variant}`);
    return `There is no ${quote(requested)} for ${toolchain}; ${suggest(requested, names)}`;
  }
  const categories = entries
    .filter((entry) => [toolchain, ANY_TOOLCHAIN].includes(entry.toolchain))
    .map(({ category }) => category);
  return `There is no template ${quote(requested)} for ${toolchain}; ${suggest(requested, [...new Set(categories)])}`;
}

function suggest(word: string, known: readonly string[]): string {
  const suggestion = nearest(word, known);
  return suggestion === undefined ? `known: ${known.join(", ")}.` : `did you mean ${quote(suggestion)}?`;
}

const quote = (text: string): string => JSON.stringify(text);
