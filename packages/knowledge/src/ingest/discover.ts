import path from "node:path";
import { ToolError } from "@toolwright/engine";
import { type FileAccess, walk } from "@toolwright/kit/files";
import { kindByName } from "../documents/kind.js";
import { secretName } from "./secrets.js";
import type { Discovered, Refused, Source } from "./source.js";
import type { IngestWish } from "./wish.js";

/** Folders of what others wrote, and of programs; named as a path, they are gone through all the same. */
const PASSED_OVER = /^(?:node_modules|__pycache__|\.(?!github$).*)$/;

/** Finds the documents that are to come into a collection. `hear` is told now and then how many there are. */
export async function discover(
  reach: FileAccess | undefined,
  wish: IngestWish,
  most: number,
  hear: (found: number) => void,
): Promise<Discovered> {
  const { paths = [], texts = [], metadata = {} } = wish;
  const found = new Discovery(metadata, most, hear);
  for (const { name, text, title, url, metadata: own = {} } of texts)
    found.add({ source: name, text, title, url, metadata: { ...metadata, ...own } });
  if (reach !== undefined) for (const given of paths) await found.look(reach, given);
  return found;
}

class Discovery implements Discovered {
  readonly #metadata: Readonly<Record<string, string>>;
  readonly #most: number;
  readonly #hear: (found: number) => void;
  readonly #known = new Set<string>();
  readonly sources: Source[] = [];
  readonly folders: string[] = [];
  readonly missing: string[] = [];
  readonly refused: Refused[] = [];
  readonly unknown = new Map<string, number>();

  constructor(metadata: Readonly<Record<string, string>>, most: number, hear: (found: number) => void) {
    this.#metadata = metadata;
    this.#most = most;
    this.#hear = hear;
  }

  /** A path that lies in two of the paths counts once. */
  add(source: Source): void {
    if (this.#known.has(source.source)) return;
    this.#known.add(source.source);
    this.sources.push(source);
    if (this.sources.length > this.#most) throw tooMany(this.#most);
    if (this.sources.length % 500 === 0) this.#hear(this.sources.length);
  }

  async look(reach: FileAccess, given: string): Promise<void> {
    const there = await reach.look(given);
    if (there === undefined) this.missing.push(reach.show(path.resolve(reach.roots[0] ?? path.sep, given)));
    else if (there.stats.isDirectory()) await this.#walk(reach, given, there.place);
    else this.#file(reach, there.place, true);
  }

  async #walk(reach: FileAccess, given: string, place: string): Promise<void> {
    const shown = reach.show(place);
    this.folders.push(shown === "." ? "" : `${shown}/`);
    const steps = walk(reach, given, {
      enters: (below) => !PASSED_OVER.test(path.posix.basename(below)),
      skipped: (below, reason) => this.refused.push({ source: `${shown}/${below}`, reason }),
    });
    for await (const entry of steps) {
      if (entry.kind === "file") this.#file(reach, entry.place, false);
      else if (entry.kind === "symlink" && kindByName(entry.name) !== undefined)
        this.refused.push({ source: reach.show(entry.place), reason: "it is a symbolic link, which is not followed" });
    }
  }

  #file(reach: FileAccess, place: string, isNamed: boolean): void {
    const name = path.basename(place);
    const source = reach.show(place);
    const secret = secretName(name);
    if (secret !== undefined) this.refused.push({ source, reason: secret, isSecret: true });
    else if (!isNamed && kindByName(name) === undefined) this.#leaveOut(path.extname(name).toLowerCase() || name);
    else this.add({ source, place, metadata: this.#metadata });
  }

  #leaveOut(ending: string): void {
    this.unknown.set(ending, (this.unknown.get(ending) ?? 0) + 1);
  }
}

const tooMany = (most: number): ToolError =>
  new ToolError(
    `Cannot ingest more than ${most} documents at once: name fewer, or raise max_documents in the settings.`,
    {
      code: "TOO_LARGE",
      details: { expected: `at most ${most}` },
    },
  );
