import { FolderWatch } from "@toolwright/kit/files";
import { uriOf } from "../format/template-uri.js";
import type { Renderer } from "../rendering/renderer.js";
import type { FolderFault, UserTemplates } from "./library.js";
import { type ReadFolder, readFolder } from "./read-folder.js";

/** Who hears of changes of the directory. */
export interface FolderListener {
  /** Other templates are there than before, or their descriptions differ. */
  listChanged(): void;
  /** A template has another content. */
  templateChanged(uri: string): void;
  /** Something that is no template is there, and was not before. */
  faultFound(fault: FolderFault): void;
}

/** The user's templates as they are now: read once, and anew whenever something in the directory changes. */
export class WatchedFolder {
  readonly #directory: string;
  readonly #renderer: Renderer;
  readonly #listener: FolderListener;
  readonly #watch = new FolderWatch(() => void this.#lookAgain());
  #current: Promise<ReadFolder>;
  #turn: Promise<void>;
  /** Whether the directory itself is not watched: it has gone, and nobody will tell when it comes back. */
  #isLost = false;
  #isClosed = false;

  constructor(directory: string, renderer: Renderer, listener: FolderListener) {
    this.#directory = directory;
    this.#renderer = renderer;
    this.#listener = listener;
    this.#current = this.#read();
    this.#turn = this.#current.then(({ faults }) => this.#tellFaults(faults, []));
  }

  /** What is there at the moment. */
  async templates(): Promise<UserTemplates> {
    if (this.#isLost && !this.#isClosed) await this.#lookAgain();
    return this.#current;
  }

  close(): void {
    this.#isClosed = true;
    this.#watch.close();
  }

  /** What came into a folder before it was watched is seen by the look after that. */
  async #read(): Promise<ReadFolder> {
    for (;;) {
      const found = await readFolder(this.#directory, this.#renderer);
      if (this.#watch.cover(found.folders)) continue;
      this.#isLost = !this.#watch.has(this.#directory);
      return found;
    }
  }

  #lookAgain(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#reload());
    return this.#turn;
  }

  async #reload(): Promise<void> {
    const before = await this.#current;
    this.#watch.drop();
    const now = await this.#read();
    if (this.#isClosed) return;
    if (JSON.stringify(before) === JSON.stringify(now)) return;
    this.#current = Promise.resolve(now);
    this.#tellFaults(now.faults, before.faults);
    const bodies = new Map(before.templates.map((template) => [uriOf(template), template.body]));
    for (const template of now.templates) {
      const old = bodies.get(uriOf(template));
      if (old !== undefined && old !== template.body) this.#listener.templateChanged(uriOf(template));
    }
    if (listed(before) !== listed(now)) this.#listener.listChanged();
  }

  #tellFaults(now: readonly FolderFault[], before: readonly FolderFault[]): void {
    const known = new Set(before.map(({ path, message }) => `${path}\n${message}`));
    for (const fault of now) if (!known.has(`${fault.path}\n${fault.message}`)) this.#listener.faultFound(fault);
  }
}

/** What a list shows of them. */
const listed = ({ templates }: UserTemplates): string =>
  JSON.stringify(templates.map((template) => ({ ...template, body: "" })));
