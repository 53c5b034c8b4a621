import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder of the built-in patterns. */
export const CORPUS = fileURLToPath(new URL("../patterns", import.meta.url));

/** The files of the corpus: relative path, such as `authz/TMKB-AUTHZ-001.yaml`, and text. */
export const corpusFiles = (): readonly { readonly file: string; readonly text: string }[] =>
  readdirSync(CORPUS, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".yaml"))
    .sort()
    .map((file) => ({ file: file.replaceAll("\\", "/"), text: readFileSync(`${CORPUS}/${file}`, "utf8") }));
