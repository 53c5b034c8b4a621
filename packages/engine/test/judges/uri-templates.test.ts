import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { parseUriTemplate } from "../../src/protocol/uri-template.js";
import { expandUriTemplate } from "../protocol/expand-uri-template.js";

/** The official cases of RFC 6570, as the package `uri-template-router` ships them. An expansion `false` means an error. */
interface Group {
  readonly testcases: readonly (readonly [template: string, expansions: string | readonly string[] | false])[];
}

const require = createRequire(import.meta.url);
const folder = new URL("test/uritemplate-test/", `file://${require.resolve("uri-template-router")}`);
const groupsOf = (file: string): [string, Group][] =>
  Object.entries(JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Record<string, Group>);

/** Templates that can be expanded but not matched unambiguously: the same variable twice, or two without a separator. */
const AMBIGUOUS = new Set([
  "{/var:1,var}",
  "{.who,who}",
  "{/who,who}",
  "up{+path}{var}/here",
  "{/list*,path:4}",
  "{?id,token}{&keys*}",
  "/user{/id}{?token,tab}{&keys*}",
]);

/** Templates that only fail for values of the wrong type. */
const VALID = new Set(["{keys:1}", "{+keys:1}"]);

const decode = decodeURIComponent;

describe.each(["spec-examples.json", "spec-examples-by-section.json", "extended-tests.json"])("%s", (file) => {
  test.each(groupsOf(file))("%s: a matched expansion expands to itself", (_, { testcases }) => {
    for (const [template, expansions] of testcases) {
      if (AMBIGUOUS.has(template)) expect(() => parseUriTemplate(template), template).toThrow(Error);
      else if (expansions !== false) {
        for (const uri of [expansions].flat()) {
          const values = parseUriTemplate(template).match(uri);
          if (values !== undefined) expect(decode(expandUriTemplate(template, values)), template).toBe(decode(uri));
        }
      }
    }
  });
});

test("most official expansions are matched", () => {
  const cases = groupsOf("spec-examples.json").flatMap(([, { testcases }]) => testcases);
  const matched = cases.filter(
    ([template, expansions]) =>
      !AMBIGUOUS.has(template) &&
      expansions !== false &&
      [expansions].flat().every((uri) => parseUriTemplate(template).match(uri) !== undefined),
  );
  expect(matched.length / cases.length).toBeGreaterThan(0.6);
});

test.each(groupsOf("negative-tests.json"))("negative-tests.json: %s", (_, { testcases }) => {
  expect(testcases.length).toBeGreaterThan(0);
  for (const [template] of testcases)
    if (!VALID.has(template)) expect(() => parseUriTemplate(template), template).toThrow(Error);
});
