import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The folder in which the tests look for models: that of TOOLWRIGHT_MODELS, or where `install-model.mjs` puts them. */
export const models =
  process.env["TOOLWRIGHT_MODELS"] ?? fileURLToPath(new URL("../../../../node_modules/.cache/models", import.meta.url));

/** Where all-MiniLM-L6-v2 is, if it is. */
export const minilm = path.join(models, "all-MiniLM-L6-v2-q8");

/** Why tests of the model are skipped; undefined = they are not. */
export const noMinilm = existsSync(minilm)
  ? undefined
  : "all-MiniLM-L6-v2 is not installed: node packages/knowledge/test/install-model.mjs";
