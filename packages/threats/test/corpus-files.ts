import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Where the built-in patterns are. */
export const CORPUS = fileURLToPath(new URL("../patterns", import.meta.url));

/** The files of the corpus: `authz/TMKB-AUTHZ-001.yaml` and its text. */
export const corpusFiles = (): readonly { readonly file: string; readonly text: string }[] =>
  readdirSync(CORPUS, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".yaml"))
    .sort()
    .map((file) => ({ file: file.replaceAll("\\", "/"), text: readFileSync(`${CORPUS}/${file}`, "utf8") }));
