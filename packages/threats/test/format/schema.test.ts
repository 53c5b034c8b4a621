import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Json } from "@toolwright/engine";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { checkSchema } from "../../src/format/check-schema.js";
import { FILE_SCHEMA } from "../../src/format/pattern-schema.js";
import { corpusFiles } from "../corpus-files.js";

const place = new URL("../../../toolwright/threat-pattern.schema.json", import.meta.url);
const schema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "A threat pattern of toolwright",
  ...FILE_SCHEMA,
};
if (process.env["UPDATE_PATTERN_SCHEMA"] === "1") writeFileSync(place, `${JSON.stringify(schema, null, 2)}\n`);
const published = JSON.parse(readFileSync(place, "utf8")) as object;

const ajv = new Ajv({ strict: true, strictRequired: false });
// Its types say otherwise, but the module is the function.
(addFormats as unknown as (to: Ajv) => void)(ajv);
const isValid = ajv.compile(published);

/** What a text says, where a reader of YAML can tell. */
function valueOf(text: string): Json | undefined {
  const documents = [...parseAllDocuments(text, { uniqueKeys: false })];
  const [document] = documents;
  if (document === undefined || documents.length > 1 || !("errors" in document)) return undefined;
  return document.errors.length > 0 ? undefined : (document.toJS() as Json);
}

describe("the published JSON Schema", () => {
  test("is what the program checks by (UPDATE_PATTERN_SCHEMA=1 writes it anew), and is published", () => {
    expect(published).toEqual(schema);
    const manifest = readFileSync(new URL("package.json", place), "utf8");
    expect((JSON.parse(manifest) as { files: string[] }).files).toContain("threat-pattern.schema.json");
  });

  test("accepts every pattern of the corpus, as the program does", () => {
    for (const { file, text } of corpusFiles()) {
      const value = valueOf(text) as Json;
      expect(isValid(value), `${file}: ${ajv.errorsText(isValid.errors)}`).toBe(true);
      expect(checkSchema(value, FILE_SCHEMA), file).toEqual([]);
    }
  });

  test("refuses those broken files that the program refuses for their shape, and no others", () => {
    const folder = new URL("broken/", import.meta.url);
    const verdicts = readdirSync(folder).flatMap((name) => {
      // To the schema an alias is what it stands for.
      const value = name.startsWith("alias") ? undefined : valueOf(readFileSync(new URL(name, folder), "utf8"));
      if (value === undefined) return [];
      return [{ name, schema: isValid(value), program: checkSchema(value, FILE_SCHEMA).length === 0 }];
    });
    expect(verdicts.filter((verdict) => verdict.schema !== verdict.program)).toEqual([]);
    expect(verdicts.filter((verdict) => !verdict.schema).length).toBeGreaterThanOrEqual(45);
    expect(verdicts.filter((verdict) => verdict.schema).map(({ name }) => name)).toEqual([
      "code-pair-is-equal.yaml",
      "control-character.yaml",
      "duplicate-key-nested.yaml",
      "duplicate-key.yaml",
      "expression-alternatives-overlap.yaml",
      "expression-does-not-compile.yaml",
      "expression-exponential.yaml",
      "mitigation-id-twice.yaml",
      "not-utf8.yaml",
      "related-to-itself.yaml",
      "tag.yaml",
    ]);
  });
});
