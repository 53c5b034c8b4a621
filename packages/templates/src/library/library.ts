import type { JsonObject } from "@toolwright/engine";
import { nearest } from "@toolwright/kit/text";
import { templateNotFound } from "../errors.js";
import { schemaOf } from "../format/parameter-schema.js";
import { parseTemplateUri, type TemplateAddress, type TemplateSource, uriOf } from "../format/template.js";
import { compareToolchains, mimeTypeOf, titleOf } from "../format/titles.js";
import type { FolderError, TemplateDirectory } from "./read-templates.js";

/** A template as lists and searches show it. */
export interface Entry extends TemplateAddress {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
  /** `catalogue`: built-in; `user`: from the directory in the settings. */
  readonly origin: "catalogue" | "user";
  readonly source: TemplateSource;
  /** The JSON Schema of its parameters. */
  readonly schema: JsonObject;
}

/** The templates of the user, and the errors in them. */
export type UserTemplates = Pick<TemplateDirectory, "templates" | "errors">;

/** Selects templates by the parts of their URI. */
export type Filter = { readonly [Part in keyof TemplateAddress]?: string | undefined };

/** All templates: the built-in ones, which are loaded when first needed, and those of the user. */
export class Library {
  readonly #loadCatalogue: () => Promise<readonly TemplateSource[]>;
  readonly #loadUser: () => Promise<UserTemplates>;
  #catalogue: Promise<readonly Entry[]> | undefined;
  #merged: { readonly user: UserTemplates; readonly entries: ReadonlyMap<string, Entry> } | undefined;

  constructor(loadCatalogue: () => Promise<readonly TemplateSource[]>, loadUser: () => Promise<UserTemplates>) {
    this.#loadCatalogue = loadCatalogue;
    this.#loadUser = loadUser;
  }

  /** The templates that match a filter, sorted by toolchain, category and variant. */
  async list({ category, toolchain, variant }: Filter = {}): Promise<readonly Entry[]> {
    return [...(await this.#entries()).values()].filter(
      (entry) =>
        (category === undefined || entry.category === category) &&
        (toolchain === undefined || entry.toolchain === toolchain) &&
        (variant === undefined || entry.variant === variant),
    );
  }

  /** The errors in the directory of the user. */
  async errors(): Promise<readonly FolderError[]> {
    return (await this.#loadUser()).errors;
  }

  /** The template with a URI. Throws a `ToolError` that names the nearest one. */
  async get(uri: string): Promise<Entry> {
    const wanted = uriOf(parseTemplateUri(uri));
    const entries = await this.#entries();
    const found = entries.get(wanted);
    if (found !== undefined) return found;
    throw templateNotFound(wanted, nearestUri(wanted, entries));
  }

  /** The template with an address, or undefined. */
  async find(address: TemplateAddress): Promise<Entry | undefined> {
    return (await this.#entries()).get(uriOf(address));
  }

  async #entries(): Promise<ReadonlyMap<string, Entry>> {
    this.#catalogue ??= this.#loadCatalogue().then((sources) => sources.map((source) => toEntry(source, "catalogue")));
    const [catalogue, user] = await Promise.all([this.#catalogue, this.#loadUser()]);
    if (this.#merged?.user !== user) this.#merged = { user, entries: merge(catalogue, user.templates) };
    return this.#merged.entries;
  }
}

/** A template of the user replaces a built-in one with the same URI. */
function merge(catalogue: readonly Entry[], user: readonly TemplateSource[]): ReadonlyMap<string, Entry> {
  const entries = new Map(catalogue.map((entry) => [entry.uri, entry]));
  for (const source of user) entries.set(uriOf(source), toEntry(source, "user"));
  return new Map([...entries].sort(([, left], [, right]) => compare(left, right)));
}

const compare = (left: Entry, right: Entry): number =>
  compareToolchains(left.toolchain, right.toolchain) || (left.uri < right.uri ? -1 : Number(left.uri > right.uri));

function toEntry(source: TemplateSource, origin: Entry["origin"]): Entry {
  const { category, toolchain, variant, description } = source;
  return {
    uri: uriOf(source),
    name: titleOf(source),
    description,
    category,
    toolchain,
    variant,
    mimeType: mimeTypeOf(source.filename),
    origin,
    source,
    schema: schemaOf(source.parameters),
  };
}

/** Prefers a URI that differs in one part only. */
function nearestUri(wanted: string, entries: ReadonlyMap<string, Entry>): string | undefined {
  const parts = wanted.split("/");
  const similar = [...entries.keys()].filter(
    (uri) => uri.split("/").filter((part, index) => part !== parts[index]).length === 1,
  );
  return nearest(wanted, similar) ?? nearest(wanted, entries.keys()) ?? similar[0];
}
