import type { JsonObject } from "@toolwright/engine";
import { nearest } from "@toolwright/kit/text";
import { templateNotFound } from "../errors.js";
import { schemaOf } from "../format/parameter-schema.js";
import type { TemplateSource } from "../format/template.js";
import { readTemplateUri, type TemplateAddress, uriOf } from "../format/template-uri.js";
import { compareToolchains, mimeTypeOf, titleOf } from "../format/titles.js";

/** A template as lists and searches show it. */
export interface Entry extends TemplateAddress {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
  /** `user` for one of the directory of the settings. */
  readonly origin: "catalogue" | "user";
  readonly source: TemplateSource;
  /** The JSON Schema of its parameters. */
  readonly schema: JsonObject;
}

/** Something in the user's directory that is no template, and why. */
export interface FolderFault {
  readonly path: string;
  readonly message: string;
}

/** What the user's directory holds at the moment. */
export interface UserTemplates {
  readonly templates: readonly TemplateSource[];
  readonly faults: readonly FolderFault[];
}

/** Which templates a list is about. */
export type Filter = { readonly [Part in keyof TemplateAddress]?: string | undefined };

/** Every template there is: those of the catalogue, which is read when it is first needed, and those of the user. */
export class Library {
  readonly #load: () => Promise<readonly TemplateSource[]>;
  readonly #user: () => Promise<UserTemplates>;
  #catalogue: Promise<readonly Entry[]> | undefined;
  #shown: { readonly user: UserTemplates; readonly entries: ReadonlyMap<string, Entry> } | undefined;

  constructor(load: () => Promise<readonly TemplateSource[]>, user: () => Promise<UserTemplates>) {
    this.#load = load;
    this.#user = user;
  }

  /** All templates that fit, in the order of toolchain, category, variant. */
  async list(filter: Filter = {}): Promise<readonly Entry[]> {
    const { category, toolchain, variant } = filter;
    return [...(await this.#entries()).values()].filter(
      (entry) =>
        (category === undefined || entry.category === category) &&
        (toolchain === undefined || entry.toolchain === toolchain) &&
        (variant === undefined || entry.variant === variant),
    );
  }

  /** What in the user's directory is no template. */
  async faults(): Promise<readonly FolderFault[]> {
    return (await this.#user()).faults;
  }

  /** The template of a URI. Throws a `ToolError` that names the nearest one. */
  async find(uri: string): Promise<Entry> {
    const wanted = uriOf(readTemplateUri(uri));
    const entries = await this.#entries();
    const found = entries.get(wanted);
    if (found !== undefined) return found;
    throw templateNotFound(wanted, nearestUri(wanted, entries));
  }

  /** The template with these words, or undefined. */
  async look(address: TemplateAddress): Promise<Entry | undefined> {
    return (await this.#entries()).get(uriOf(address));
  }

  async #entries(): Promise<ReadonlyMap<string, Entry>> {
    this.#catalogue ??= this.#load().then((sources) => sources.map((source) => toEntry(source, "catalogue")));
    const [catalogue, user] = await Promise.all([this.#catalogue, this.#user()]);
    if (this.#shown?.user !== user) this.#shown = { user, entries: merge(catalogue, user.templates) };
    return this.#shown.entries;
  }
}

/** A template of the user's stands in place of one of the catalogue with the same URI. */
function merge(catalogue: readonly Entry[], own: readonly TemplateSource[]): ReadonlyMap<string, Entry> {
  const entries = new Map(catalogue.map((entry) => [entry.uri, entry]));
  for (const source of own) entries.set(uriOf(source), toEntry(source, "user"));
  return new Map([...entries].sort(([, left], [, right]) => compare(left, right)));
}

function compare(left: Entry, right: Entry): number {
  return (
    compareToolchains(left.toolchain, right.toolchain) || (left.uri < right.uri ? -1 : Number(left.uri > right.uri))
  );
}

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

/** Of what differs in one part only, the rest is surely meant; else the words as a whole decide. */
function nearestUri(wanted: string, entries: ReadonlyMap<string, Entry>): string | undefined {
  const parts = wanted.split("/");
  const alike = [...entries.keys()].filter(
    (uri) => uri.split("/").filter((part, at) => part !== parts[at]).length === 1,
  );
  return nearest(wanted, alike) ?? nearest(wanted, entries.keys()) ?? alike[0];
}
