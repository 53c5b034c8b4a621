import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createSchema, type Schema } from "../../src/schema/schema.js";

// The official suite is not on npm; the source package of the Python library "jsonschema" carries it (see .ci/run).
const folder =
  process.env["JSON_SCHEMA_TEST_SUITE"] ??
  path.join(import.meta.dirname, "../../../../../shared/json-schema-test-suite");
const found = existsSync(path.join(folder, "tests"));

interface Group {
  readonly description: string;
  readonly schema: JsonSchema | boolean;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

type JsonSchema = Readonly<Record<string, unknown>>;

interface Draft {
  readonly name: string;
  readonly uri: string;
  readonly definitions: string;
  readonly metaSchemas: readonly string[];
}

const CURRENT: Draft = {
  name: "draft2020-12",
  uri: "https://json-schema.org/draft/2020-12/schema",
  definitions: "$defs",
  metaSchemas: [
    "schema",
    "core",
    "applicator",
    "unevaluated",
    "validation",
    "meta-data",
    "format-annotation",
    "content",
  ].map((name) => `ajv/lib/refs/json-schema-2020-12/${name === "schema" ? "" : "meta/"}${name}.json`),
};

const DRAFT_07: Draft = {
  name: "draft7",
  uri: "http://json-schema.org/draft-07/schema#",
  definitions: "definitions",
  metaSchemas: ["ajv/lib/refs/json-schema-draft-07.json"],
};

/** Groups we do not pass, and why. */
const MISSES: Readonly<Record<string, string>> = {
  "vocabulary.json: schema that uses custom metaschema with with no validation vocabulary":
    "a $schema other than 2020-12 and draft-07 is rejected when the schema is read",
  "vocabulary.json: ignore unrecognized optional vocabulary":
    "a $schema other than 2020-12 and draft-07 is rejected when the schema is read",
};

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** The documents that the suite expects to be loaded, to be bundled into the schemas that refer to them. */
function readRemotes(draft: Draft): JsonSchema[] {
  const { resolve } = createRequire(import.meta.url);
  const metaSchemas = draft.metaSchemas.map((file) => readJson(resolve(file)) as JsonSchema);
  const base = path.join(folder, "remotes");
  const drafts = readdirSync(base).filter((name) => /^(draft|v\d)/.test(name));
  const files = readdirSync(base, { recursive: true, encoding: "utf8" }).filter(
    (file) =>
      /^(?!.*(metaschema|format-assertion)).*\.json$/.test(file) &&
      drafts.every((name) => name === draft.name || !file.startsWith(name)),
  );
  const remotes = files.flatMap((file) => {
    const document = readJson(path.join(base, file)) as JsonSchema;
    const address = `http://localhost:1234/${file.replaceAll(path.sep, "/")}`;
    const id = document["$id"];
    const isOfAnother = document["$schema"] !== undefined && document["$schema"] !== draft.uri;
    if (isOfAnother || (draft === DRAFT_07 && "$defs" in document)) return [];
    return id === undefined || id === address
      ? [{ ...document, $id: address }]
      : [document, { $id: address, $ref: id }];
  });
  return [...metaSchemas, ...remotes];
}

function open(schema: JsonSchema, draft: Draft, remotes: readonly JsonSchema[]): Schema {
  const options = { correct: false, unknownProperties: "allow", root: "any" } as const;
  try {
    return createSchema(schema, options);
  } catch (error) {
    if (!(error as Error).message.includes("remote schemas are never fetched")) throw error;
  }
  const own = schema[draft.definitions] as JsonSchema | undefined;
  return createSchema(
    { ...schema, [draft.definitions]: { ...own, ...Object.fromEntries(remotes.entries()) } },
    options,
  );
}

async function runSuite(draft: Draft) {
  const remotes = readRemotes(draft);
  const misses = new Set<string>();
  let [total, passed] = [0, 0];
  const directory = path.join(folder, "tests", draft.name);
  for (const file of readdirSync(directory).filter((name) => name.endsWith(".json"))) {
    for (const { description, schema, tests } of readJson(path.join(directory, file)) as Group[]) {
      const source = typeof schema === "boolean" ? { allOf: [schema] } : { $schema: draft.uri, ...schema };
      for (const { data, valid } of tests) {
        total++;
        let verdict: boolean | undefined;
        try {
          verdict = (await open(source, draft, remotes).validate(data)).ok;
        } catch (error) {
          if (!(error instanceof TypeError)) throw error;
        }
        if (verdict === valid) passed++;
        else misses.add(`${file}: ${description}`);
      }
    }
  }
  return { total, passed, misses: [...misses] };
}

describe.skipIf(!found)(`the official JSON-Schema-Test-Suite${found ? "" : ` (not found in ${folder})`}`, () => {
  it("passes for draft 2020-12 but for the listed groups", async () => {
    const { total, passed, misses } = await runSuite(CURRENT);
    expect(misses.filter((group) => MISSES[group] === undefined)).toEqual([]);
    expect(total).toBeGreaterThan(1_200);
    expect(passed / total).toBeGreaterThan(0.99);
  });

  it("passes for draft-07", async () => {
    const { total, passed, misses } = await runSuite(DRAFT_07);
    expect(misses).toEqual([]);
    expect([total > 800, passed]).toEqual([true, total]);
  });
});
