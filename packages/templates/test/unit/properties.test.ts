import { spawnSync } from "node:child_process";
import { Ajv } from "ajv";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { schemaOf } from "../../src/format/parameter-schema.js";
import { checkParameters } from "../../src/format/parameters.js";
import { findPathError } from "../../src/format/project-path.js";
import type { TemplateParameter, TemplateSource } from "../../src/format/template.js";
import { literal, NAME_CASES, quote, shell } from "../../src/rendering/filters.js";
import { Renderer } from "../../src/rendering/renderer.js";
import { NOW } from "../kit.js";
import { makefile, samples } from "../samples.js";

const RUNS = { numRuns: 300 };
const anyText = fc.string({ unit: "binary", maxLength: 40 });

/** A parameter of any kind, with bounds that may or may not be there. */
const parameter: fc.Arbitrary<TemplateParameter> = fc
  .record({
    name: fc.constantFrom("a", "b", "c", "d"),
    type: fc.constantFrom("string", "boolean", "integer", "enum", "array"),
    required: fc.boolean(),
    choices: fc.uniqueArray(fc.constantFrom("x", "y", "zed"), { minLength: 1 }),
    hasChoices: fc.boolean(),
    pattern: fc.option(fc.constantFrom("^[a-z]*$", "^x", "\\d"), { nil: undefined }),
    minLength: fc.option(fc.nat(3), { nil: undefined }),
    maxLength: fc.option(fc.integer({ min: 3, max: 9 }), { nil: undefined }),
    minimum: fc.option(fc.integer({ min: -5, max: 0 }), { nil: undefined }),
    maximum: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }),
    maxItems: fc.option(fc.nat(3), { nil: undefined }),
  })
  .map(({ choices, hasChoices, ...rest }) => {
    const isChoice = rest.type === "enum" || (rest.type === "array" && hasChoices);
    const all = { ...rest, description: "x", ...(isChoice && { enum: choices }) };
    return Object.fromEntries(
      Object.entries(all).filter(([, value]) => value !== undefined),
    ) as unknown as TemplateParameter;
  });

const parameters = fc.uniqueArray(parameter, { selector: ({ name }) => name, maxLength: 4 });
const anyValue = fc.oneof(
  fc.constantFrom("x", "y", "abc", "", "7", true, false, 0, -7, 3, 1.5, null, [], ["x"], ["x", "abc"], [1], {}),
  fc.string({ maxLength: 12 }),
  fc.array(fc.string({ maxLength: 5 }), { maxLength: 5 }),
);
const anyGiven = fc.dictionary(fc.constantFrom("a", "b", "c", "d", "e"), anyValue);

test("parameters are valid exactly if their JSON Schema says so", () => {
  fc.assert(
    fc.property(parameters, fc.array(anyGiven, { minLength: 10, maxLength: 20 }), (known, all) => {
      const isRight = new Ajv({ strict: false }).compile(schemaOf(known));
      for (const given of all)
        expect(checkParameters({ parameters: known }, given).errors.length === 0).toBe(isRight(given));
    }),
    // Each schema is compiled anew, which takes its time.
    { numRuns: 25 },
  );
});

test("every error is found at once: one for each parameter that is invalid, missing or unknown", () => {
  fc.assert(
    fc.property(parameters, anyGiven, (known, given) => {
      const { errors, missing, unknown } = checkParameters({ parameters: known }, given);
      const alone = Object.entries(given).filter(
        ([name, value]) =>
          checkParameters({ parameters: known.filter((one) => one.name === name) }, { [name]: value }).errors.length >
          0,
      );
      expect(errors.map(({ field }) => field).sort()).toEqual([...alone.map(([name]) => name), ...missing].sort());
      for (const name of unknown) expect(known.map((one) => one.name)).not.toContain(name);
    }),
    RUNS,
  );
});

test("the same parameters and time give the same bytes, from any renderer", async () => {
  const given = fc.record({
    project_name: fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,20}$/),
    has_tests: fc.boolean(),
    features: fc.array(fc.stringMatching(/^[a-z-]{1,9}$/), { maxLength: 4 }),
    profile: fc.constantFrom("debug", "release"),
    jobs: fc.integer({ min: 1, max: 64 }),
  });
  const shared = new Renderer();
  await fc.assert(
    fc.asyncProperty(given, async (values) => {
      const [one, other] = await Promise.all([
        shared.render(makefile, values, { now: NOW }),
        new Renderer().render(makefile, structuredClone(values), { now: NOW }),
      ]);
      expect(one.content).toBe(other.content);
      expect(one.content.startsWith(`# ${values.project_name}\n`)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test("with any input, a rendering returns a file with a safe path, or an error with a message", async () => {
  const renderer = new Renderer();
  const values = fc.dictionary(
    fc.constantFrom("project_name", "tagline", "note", "features"),
    fc.oneof(anyText, anyValue),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...samples), values, async (source: TemplateSource, given) => {
      try {
        const { filename } = await renderer.render(source, given, { now: NOW });
        expect(findPathError(filename)).toBeUndefined();
      } catch (error) {
        expect(error).toMatchObject({ name: "ToolError", code: "INVALID_ARGUMENTS" });
      }
    }),
    RUNS,
  );
});

test("quoted texts are read back by JSON and YAML as they were", () => {
  const value = fc.oneof(anyText, fc.array(anyText, { maxLength: 3 }), fc.boolean(), fc.integer());
  fc.assert(
    fc.property(value, (one) => {
      expect(JSON.parse(literal(one))).toEqual(one);
      expect(parseYaml(`key: ${literal(one)}\n`)).toEqual({ key: one });
    }),
    RUNS,
  );
  expect(quote('a"\u007f\u2028\n')).toBe('"a\\"\\u007f\\u2028\\n"');
});

test("a text for a shell is one word, whatever it contains", () => {
  const words = fc.sample(
    fc.string({ unit: "binary", maxLength: 20 }).filter((word) => !word.includes("\0")),
    200,
  );
  const { stdout } = spawnSync("sh", ["-c", `printf '%s\\0' ${words.map(shell).join(" ")}`], { encoding: "utf8" });
  expect(stdout.split("\0").slice(0, -1)).toEqual(words.map((word) => Buffer.from(word).toString()));
});

test("a name in one case is the same name in the next", () => {
  const word = fc.stringMatching(/^[a-z]{2,8}$/);
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
      const cases = ["snake", "kebab", "pascal", "camel", "constant", "title"];
      const spellings = cases.map((name) => NAME_CASES[name]?.(words.join("-")) ?? "");
      for (const spelling of spellings) expect(NAME_CASES["snake"]?.(spelling)).toBe(words.join("_"));
    }),
    RUNS,
  );
});
