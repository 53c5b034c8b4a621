import { ToolError } from "@toolwright/engine";
import { nearest } from "@toolwright/kit/text";
import type { PatternDiagnostic } from "../format/diagnostics.js";
import { SEVERITIES, type ThreatPattern, TIERS } from "../format/pattern.js";
import type { Corpus } from "./corpus.js";
import { type ListedPattern, toListed } from "./listed-pattern.js";

/** No pattern has this id. */
function patternNotFound(id: string, known: Iterable<string>): ToolError {
  const meant = nearest(id.trim(), known);
  return new ToolError(`There is no pattern ${id}.${meant === undefined ? "" : ` Did you mean ${meant}?`}`, {
    code: "NOT_FOUND",
    hint: { action: "list all patterns", tool: "tmkb_list" },
    details: { got: id, ...(meant !== undefined && { suggestion: meant }) },
  });
}

/** A pattern as lists, ranking and answers see it. */
export interface Entry extends ListedPattern {
  readonly origin: "built-in" | "user";
  /** The user's file. */
  readonly file?: string;
  /** Whether it replaces a built-in pattern with the same id. */
  readonly replaces?: true;
}

/** A pattern of the user's, and where it is from. */
interface UserPattern {
  readonly file: string;
  readonly pattern: ThreatPattern;
}

/** The current patterns in the folders of the user. */
export interface UserPatterns {
  readonly patterns: readonly UserPattern[];
  readonly diagnostics: readonly PatternDiagnostic[];
  /** The number of files. */
  readonly files: number;
}

/** Restricts a list of patterns. */
export interface Filter {
  readonly category?: string | undefined;
  readonly severity?: string | undefined;
  readonly tier?: string | undefined;
  /** Patterns about this language, or with code in it. */
  readonly language?: string | undefined;
  readonly framework?: string | undefined;
}

/** All patterns: the built-in ones, read on first use, and the current ones of the user. */
export class Library {
  readonly #corpus: Corpus;
  readonly #user: () => Promise<UserPatterns>;
  #shown: Shown | undefined;

  constructor(corpus: Corpus, user: () => Promise<UserPatterns>) {
    this.#corpus = corpus;
    this.#user = user;
  }

  /** All patterns by id, in order. The map stays the same until something changes. */
  async entries(): Promise<ReadonlyMap<string, Entry>> {
    return (await this.#now()).entries;
  }

  /** The patterns that match a filter, by id. */
  async list(filter: Filter = {}): Promise<readonly Entry[]> {
    return [...(await this.entries()).values()].filter((entry) => fits(entry, filter));
  }

  /** The problems in the files of the user. */
  async diagnostics(): Promise<readonly PatternDiagnostic[]> {
    return (await this.#user()).diagnostics;
  }

  /** The number of files of the user. */
  async userFiles(): Promise<number> {
    return (await this.#user()).files;
  }

  /** The pattern with this id, in any case, or undefined. */
  async look(id: string): Promise<Entry | undefined> {
    return (await this.#now()).entries.get(toId(id));
  }

  /** The pattern with this id. Throws a `ToolError` that names the nearest one. */
  async find(id: string): Promise<Entry> {
    return findIn((await this.#now()).entries, id);
  }

  /** The whole pattern with this id. Throws a `ToolError` that names the nearest one. */
  async read(id: string): Promise<ThreatPattern> {
    const { entries, user } = await this.#now();
    return this.#readWhole(findIn(entries, id), user);
  }

  /** Every pattern whole, in the order of the ids. */
  async readAll(): Promise<readonly ThreatPattern[]> {
    const { entries, user } = await this.#now();
    return Promise.all([...entries.values()].map((entry) => this.#readWhole(entry, user)));
  }

  async #now(): Promise<Shown> {
    const [index, user] = await Promise.all([this.#corpus.index(), this.#user()]);
    if (this.#shown?.user !== user) this.#shown = { user, entries: merge(index, user.patterns) };
    return this.#shown;
  }

  async #readWhole({ id, origin }: Entry, user: UserPatterns): Promise<ThreatPattern> {
    const own = origin === "user" ? user.patterns.find(({ pattern }) => pattern.id === id) : undefined;
    return own === undefined ? this.#corpus.pattern(id) : own.pattern;
  }
}

/** The user's patterns of one moment, and all patterns with them. */
interface Shown {
  readonly user: UserPatterns;
  readonly entries: ReadonlyMap<string, Entry>;
}

function findIn(entries: ReadonlyMap<string, Entry>, id: string): Entry {
  const found = entries.get(toId(id));
  if (found === undefined) throw patternNotFound(id, entries.keys());
  return found;
}

/** Ids are case-insensitive. */
const toId = (written: string): string => written.trim().toUpperCase();

/** A pattern of the user replaces a built-in one with the same id. */
function merge(index: readonly ListedPattern[], own: readonly UserPattern[]): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>(index.map((listed) => [listed.id, { ...listed, origin: "built-in" }]));
  for (const { file, pattern } of own) {
    const isKnown = entries.has(pattern.id);
    entries.set(pattern.id, {
      ...toListed(pattern),
      origin: "user",
      file,
      ...(isKnown && { replaces: true as const }),
    });
  }
  return new Map([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function fits(entry: Entry, { category, severity, tier, language, framework }: Filter): boolean {
  const isOf = (wanted: string | undefined, own: string): boolean => wanted === undefined || wanted === own;
  const isAbout = (part: "language" | "framework", wanted: string | undefined): boolean =>
    wanted === undefined ||
    wanted === "any" ||
    entry[part] === wanted ||
    entry.code.some((code) => code[part] === wanted);
  return (
    isOf(category, entry.category) &&
    isOf(severity, entry.severity) &&
    isOf(tier, entry.tier) &&
    isAbout("language", language) &&
    isAbout("framework", framework)
  );
}

/** The known values of a filter. */
export function filterValues(all: readonly Entry[], part: keyof Filter): readonly string[] {
  if (part === "severity") return SEVERITIES;
  if (part === "tier") return TIERS;
  return [...new Set(all.flatMap((entry) => wordsOf(entry, part)))].sort();
}

const wordsOf = (entry: Entry, part: "category" | "language" | "framework"): readonly string[] =>
  part === "category" ? [entry.category] : [entry[part], ...entry.code.map((code) => code[part])];
