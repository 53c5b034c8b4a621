import { readdir } from "node:fs/promises";
import path from "node:path";
import type { ReadTemplate } from "../format/read-template.js";
import type { TemplateSource } from "../format/template.js";
import { INCLUDES_FOLDER } from "./includes.js";

const DEPTH = 3;
const MAX_FOLDERS = 2000;

/** Something in a directory that is not a valid template, and why. */
export interface FolderError {
  readonly path: string;
  readonly message: string;
}

/** The templates of a directory. */
export interface TemplateDirectory {
  readonly templates: readonly TemplateSource[];
  readonly errors: readonly FolderError[];
  /** The folders to watch for changes. */
  readonly folders: readonly string[];
}

/** Reads the templates of a directory: `category/toolchain/variant/`, each read with `readTemplate`, and `_includes/`. */
export async function readTemplates(
  directory: string,
  readTemplate: (names: readonly string[]) => Promise<ReadTemplate>,
): Promise<TemplateDirectory> {
  const templates: TemplateSource[] = [];
  const errors: FolderError[] = [];
  const folders: string[] = [];
  const report = (names: readonly string[], message: string): void =>
    void errors.push({ path: names.join("/") || ".", message });
  const visit = async (names: readonly string[]): Promise<void> => {
    const folder = path.join(directory, ...names);
    const isInclude = names[0] === INCLUDES_FOLDER;
    folders.push(folder);
    if (names.length === DEPTH && !isInclude) {
      const { source, errors: messages } = await readTemplate(names);
      if (source !== undefined) templates.push(source);
      for (const message of messages) report(names, message);
      return;
    }
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith(".") || (entry.isFile() && (names.length === 0 || isInclude))) continue;
      if (folders.length >= MAX_FOLDERS) return report(names, `there are more than ${MAX_FOLDERS} folders`);
      if (entry.isDirectory()) await visit([...names, entry.name]);
      else report([...names, entry.name], "it is not in a folder category/toolchain/variant");
    }
  };
  await visit([]).catch((error: NodeJS.ErrnoException) => report([], `the directory cannot be read: ${error.message}`));
  return { templates, errors, folders };
}
