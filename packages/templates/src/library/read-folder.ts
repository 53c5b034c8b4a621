import { lstat, open, readdir } from "node:fs/promises";
import path from "node:path";
import type { Json } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";
import { MOST_BODY } from "../rendering/limits.js";
import type { Renderer } from "../rendering/render.js";
import type { TemplateSource } from "../template.js";
import type { FolderFault, UserTemplates } from "./library.js";
import { readSource } from "./read-source.js";

/** What a folder of a template must hold. */
const ABOUT = "template.yaml";
const BODY = "body.liquid";
const DEPTH = 3;
const MOST_ENTRIES = 2000;

/** What a look at the directory gave: its templates, and the folders that can be watched. */
export interface ReadFolder extends UserTemplates {
  readonly folders: readonly string[];
}

/** Reads every template of a directory: `category/toolchain/variant/` with a template.yaml and a body in each. */
export async function readFolder(directory: string, renderer: Renderer): Promise<ReadFolder> {
  const templates: TemplateSource[] = [];
  const faults: FolderFault[] = [];
  const folders: string[] = [];
  const say = (names: readonly string[], message: string): void =>
    void faults.push({ path: names.join("/") || ".", message });
  const visit = async (names: readonly string[]): Promise<void> => {
    const folder = path.join(directory, ...names);
    folders.push(folder);
    if (names.length === DEPTH) {
      const { source, faults: wrong } = await readTemplate(folder, names, renderer);
      if (source !== undefined) templates.push(source);
      for (const message of wrong) say(names, message);
      return;
    }
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith(".") || (names.length === 0 && entry.isFile())) continue;
      if (folders.length >= MOST_ENTRIES) return say(names, `there are more than ${MOST_ENTRIES} folders`);
      if (entry.isDirectory()) await visit([...names, entry.name]);
      else say([...names, entry.name], "it is not in a folder category/toolchain/variant");
    }
  };
  await visit([]).catch((error: NodeJS.ErrnoException) => say([], `the directory cannot be read: ${error.message}`));
  return { templates, faults, folders };
}

async function readTemplate(folder: string, names: readonly string[], renderer: Renderer) {
  try {
    const [category = "", toolchain = "", variant = ""] = names;
    const written = await readYaml(await readText(folder, ABOUT));
    const body = await readText(folder, bodyName(written));
    const read = readSource({ category, toolchain, variant }, written, body);
    if (read.source === undefined) return read;
    const faults = await renderer.faultsOf(read.source);
    return faults.length > 0 ? { faults } : read;
  } catch (error) {
    return { faults: [(error as Error).message] };
  }
}

function bodyName(written: Json): string {
  const named = isObject(written) ? written["body"] : undefined;
  if (named === undefined) return BODY;
  if (typeof named === "string" && path.basename(named) === named && !named.startsWith(".")) return named;
  throw new Error("body must be the name of a file beside template.yaml");
}

async function readYaml(text: string): Promise<Json> {
  const { parseDocument } = await import("yaml");
  const document = parseDocument(text, { prettyErrors: true, uniqueKeys: true });
  const [fault] = document.errors;
  if (fault !== undefined) throw new Error(`${ABOUT}: ${fault.message.split("\n")[0] ?? ""}`);
  // What JSON cannot say, such as a date, is no part of a template.
  return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 20 }) ?? null)) as Json;
}

/** A link would let a folder that is shared bring in any file of this machine. */
async function readText(folder: string, name: string): Promise<string> {
  const place = path.join(folder, name);
  const stats = await lstat(place).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? new Error(`${name} is missing`) : error;
  });
  if (!stats.isFile()) throw new Error(`${name} is no regular file`);
  const handle = await open(place, "r");
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(MOST_BODY + 1), 0, MOST_BODY + 1, 0);
    if (bytesRead > MOST_BODY) throw new Error(`${name} is larger than ${MOST_BODY} bytes`);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(buffer.subarray(0, bytesRead));
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "ERR_ENCODING_INVALID_ENCODED_DATA"
      ? new Error(`${name} is no UTF-8`)
      : error;
  } finally {
    await handle.close();
  }
}
