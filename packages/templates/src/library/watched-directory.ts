import { WatchedFolders } from "@toolwright/kit/files";
import { uriOf } from "../format/template.js";
import type { Sandbox } from "../rendering/sandbox.js";
import type { UserTemplates } from "./library.js";
import { type FolderError, readTemplates } from "./read-templates.js";

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
export const watchDirectory = (
  directory: string,
  sandbox: Sandbox,
  listener: DirectoryListener,
): WatchedFolders<UserTemplates> =>
  new WatchedFolders({
    roots: [directory],
    async read() {
      const { folders, ...content } = await readTemplates(directory, (names) => sandbox.read(directory, names));
      return { content, folders };
    },
    onRead(now, before) {
      const known = new Set(before?.errors.map(textOf));
      for (const error of now.errors) if (!known.has(textOf(error))) listener.onError(error);
      if (before !== undefined) reportChanges(now, before, listener);
    },
  });

const textOf = ({ path, message }: FolderError): string => `${path}\n${message}`;

function reportChanges(now: UserTemplates, before: UserTemplates, listener: DirectoryListener): void {
  const bodies = new Map(before.templates.map((template) => [uriOf(template), template.body]));
  for (const template of now.templates) {
    const old = bodies.get(uriOf(template));
    if (old !== undefined && old !== template.body) listener.onTemplateChanged(uriOf(template));
  }
  if (withoutBodies(before) !== withoutBodies(now)) listener.onListChanged();
}

const withoutBodies = ({ templates }: UserTemplates): string =>
  JSON.stringify(templates.map((template) => ({ ...template, body: "" })));
