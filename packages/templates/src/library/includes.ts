import { lstat, open, realpath } from "node:fs/promises";
import path from "node:path";
import type { Json, JsonObject } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";
import { type Delimiters, MAX_BODY_BYTES } from "../format/template.js";

/** The folder in a directory of templates whose files other templates include. */
export const INCLUDES_FOLDER = "_includes";
/** The file in it with the parameters that templates share. */
const PARAMETERS_FILE = "parameters.yaml";

const MAX_DEPTH = 5;
const MAX_INCLUDES = 200;
const NAME = /^\w[\w.-]*(?:\/\w[\w.-]*)*$/;

/** An `include` tag with a quoted name. Every repetition has an upper bound, so that matching takes linear time. */
const TAGS: Readonly<Record<Delimiters, RegExp>> = {
  curly: /\{%(-?)\s{0,9}include\s{1,9}(["'])([^"'\n]{1,200})\2\s{0,9}(-?)%\}/g,
  angle: /<%(-?)\s{0,9}include\s{1,9}(["'])([^"'\n]{1,200})\2\s{0,9}(-?)%>/g,
};

/** The files that the templates of one directory share. Each is read once. */
export class Includes {
  readonly #directory: string;
  readonly #texts = new Map<string, Promise<string>>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  /**
   * Replaces every `{% include "name" %}` with the text of the file, without its final line feed. This happens before Liquid parses
   * the text. Throws if a file is missing or the result is too large.
   */
  async expand(text: string, delimiters: Delimiters): Promise<string> {
    let count = 0;
    const expand = async (source: string, depth: number): Promise<string> => {
      let expanded = "";
      let end = 0;
      let trimsStart = false;
      const append = (piece: string, trimsEnd: boolean): void => {
        const trimmed = trimsStart ? piece.trimStart() : piece;
        expanded += trimsEnd ? trimmed.trimEnd() : trimmed;
        if (expanded.length > MAX_BODY_BYTES)
          throw new Error(`with its includes it is larger than ${MAX_BODY_BYTES} bytes`);
      };
      for (const { 0: tag, 1: left, 3: name = "", 4: right, index } of source.matchAll(TAGS[delimiters])) {
        count += 1;
        if (depth === MAX_DEPTH) throw new Error(`includes are nested deeper than ${MAX_DEPTH} levels`);
        if (count > MAX_INCLUDES) throw new Error(`it has more than ${MAX_INCLUDES} includes`);
        append(source.slice(end, index), left === "-");
        trimsStart = false;
        append((await expand(await this.#read(name), depth + 1)).replace(/\r?\n$/, ""), false);
        trimsStart = right === "-";
        end = index + tag.length;
      }
      append(source.slice(end), false);
      return expanded;
    };
    return expand(text, 0);
  }

  /** The shared parameters by their identifiers. Throws if the file is missing or invalid. */
  async parameters(): Promise<JsonObject> {
    const parameters = await readYaml(await this.#read(PARAMETERS_FILE), `${INCLUDES_FOLDER}/${PARAMETERS_FILE}`);
    if (!isObject(parameters)) throw new Error(`${INCLUDES_FOLDER}/${PARAMETERS_FILE} must be an object`);
    return parameters;
  }

  #read(name: string): Promise<string> {
    const known = this.#texts.get(name);
    if (known !== undefined) return known;
    const text = this.#readFile(name);
    this.#texts.set(name, text);
    return text;
  }

  async #readFile(name: string): Promise<string> {
    if (!NAME.test(name)) throw new Error(`${JSON.stringify(name)} is not the name of a file in ${INCLUDES_FOLDER}`);
    const file = path.join(await realpath(this.#directory), INCLUDES_FOLDER, name);
    const found = await realpath(file).catch(() => file);
    if (found !== file) throw new Error(`${INCLUDES_FOLDER}/${name} must not be a link`);
    return readTextFile(file, `${INCLUDES_FOLDER}/${name}`);
  }
}

/** Parses YAML into JSON. `name` is the name of the file in errors. */
export async function readYaml(text: string, name: string): Promise<Json> {
  const { parseDocument } = await import("yaml");
  const document = parseDocument(text, { prettyErrors: true, uniqueKeys: true });
  const [error] = document.errors;
  if (error !== undefined) throw new Error(`${name}: ${error.message.split("\n")[0] ?? ""}`);
  // Values that JSON does not have, such as dates, become text.
  return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 20 }) ?? null)) as Json;
}

/** Reads a UTF-8 file of limited size. Links are refused: in a shared folder they could name any file of this machine. */
export async function readTextFile(file: string, name: string): Promise<string> {
  const stats = await lstat(file).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? new Error(`${name} is missing`) : error;
  });
  if (!stats.isFile()) throw new Error(`${name} is not a regular file`);
  const handle = await open(file, "r");
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(MAX_BODY_BYTES + 1), 0, MAX_BODY_BYTES + 1, 0);
    if (bytesRead > MAX_BODY_BYTES) throw new Error(`${name} is larger than ${MAX_BODY_BYTES} bytes`);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(buffer.subarray(0, bytesRead));
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "ERR_ENCODING_INVALID_ENCODED_DATA"
      ? new Error(`${name} is not UTF-8`)
      : error;
  } finally {
    await handle.close();
  }
}
