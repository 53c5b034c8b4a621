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
// The module exports the function itself, unlike its types.
(addFormats as unknown as (to: Ajv) => void)(ajv);
const isValid = ajv.compile(published);

/** Parses YAML. Returns undefined if it is invalid. */
function valueOf(text: string): Json | undefined {
  const documents = [...parseAllDocuments(text, { uniqueKeys: false })];
  const [document] = documents;
  if (document === undefined || documents.length > 1 || !("errors" in document)) return undefined;
  return document.errors.length > 0 ? undefined : (document.toJS() as Json);
}

describe("the published JSON Schema", () => {
  test("is the schema of the program (UPDATE_PATTERN_SCHEMA=1 updates it), and is published", () => {
    expect(published).toEqual(schema);
    const manifest = readFileSync(new URL("package.json", place), "utf8");
    expect((JSON.parse(manifest) as { files: string[] }).files).toContain("threat-pattern.schema.json");
  });

  test("accepts all built-in patterns, like the program", () => {
    for (const { file, text } of corpusFiles()) {
      const value = valueOf(text) as Json;
      expect(isValid(value), `${file}: ${ajv.errorsText(isValid.errors)}`).toBe(true);
      expect(checkSchema(value, FILE_SCHEMA), file).toEqual([]);
    }
  });

  test("rejects the same broken files as the schema validation of the program", () => {
    const folder = new URL("broken/", import.meta.url);
    const verdicts = readdirSync(folder).flatMap((name) => {
      // The schema sees the values of aliases.
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
