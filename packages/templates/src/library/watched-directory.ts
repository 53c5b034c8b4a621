import { FolderWatch } from "@toolwright/kit/files";
import { uriOf } from "../format/template.js";
import type { Sandbox } from "../rendering/sandbox.js";
import type { UserTemplates } from "./library.js";
import { type FolderError, readTemplates, type TemplateDirectory } from "./read-templates.js";

/** Receives the changes of a directory. */
export interface DirectoryListener {
  /** Templates were added or removed, or their descriptions changed. */
  onListChanged(): void;
  /** The body of a template changed. */
  onTemplateChanged(uri: string): void;
  /** There is an error that was not there before. */
  onError(error: FolderError): void;
}

/** The templates of a user's directory, read again whenever something in it changes. */
export class WatchedDirectory {
  readonly #directory: string;
  readonly #sandbox: Sandbox;
  readonly #listener: DirectoryListener;
  readonly #watch = new FolderWatch(() => void this.#refresh());
  #current: Promise<TemplateDirectory>;
  #last: Promise<void>;
  /** The directory itself is not watched: it was removed, and no event tells when it is back. */
  #isLost = false;
  #isClosed = false;

  constructor(directory: string, sandbox: Sandbox, listener: DirectoryListener) {
    this.#directory = directory;
    this.#sandbox = sandbox;
    this.#listener = listener;
    this.#current = this.#read();
    this.#last = this.#current.then(({ errors }) => this.#reportErrors(errors, []));
  }

  /** The current templates. */
  async templates(): Promise<UserTemplates> {
    if (this.#isLost && !this.#isClosed) await this.#refresh();
    return this.#current;
  }

  close(): void {
    this.#isClosed = true;
    this.#watch.close();
  }

  /** Reads until all folders are watched, so that no change is missed. */
  async #read(): Promise<TemplateDirectory> {
    for (;;) {
      const found = await readTemplates(this.#directory, (names) => this.#sandbox.read(this.#directory, names));
      if (this.#watch.cover(found.folders)) continue;
      this.#isLost = !this.#watch.has(this.#directory);
      return found;
    }
  }

  #refresh(): Promise<void> {
    this.#last = this.#last.then(() => this.#reload());
    return this.#last;
  }

  async #reload(): Promise<void> {
    const before = await this.#current;
    this.#watch.drop();
    const now = await this.#read();
    if (this.#isClosed) return;
    if (JSON.stringify(before) === JSON.stringify(now)) return;
    this.#current = Promise.resolve(now);
    this.#reportErrors(now.errors, before.errors);
    const bodies = new Map(before.templates.map((template) => [uriOf(template), template.body]));
    for (const template of now.templates) {
      const old = bodies.get(uriOf(template));
      if (old !== undefined && old !== template.body) this.#listener.onTemplateChanged(uriOf(template));
    }
    if (withoutBodies(before) !== withoutBodies(now)) this.#listener.onListChanged();
  }

  #reportErrors(now: readonly FolderError[], before: readonly FolderError[]): void {
    const known = new Set(before.map(({ path, message }) => `${path}\n${message}`));
    for (const error of now) if (!known.has(`${error.path}\n${error.message}`)) this.#listener.onError(error);
  }
}

const withoutBodies = ({ templates }: UserTemplates): string =>
  JSON.stringify(templates.map((template) => ({ ...template, body: "" })));
