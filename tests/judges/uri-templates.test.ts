import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { parseTemplate } from "../../packages/engine/src/protocol/uri-template.js";

/*
 * The official cases of RFC 6570, as the package `uri-template-router` ships them. Those of negative-tests.json and some of
 * extended-tests.json expect `false`: there is nothing to expand.
 */
type Values = Parameters<ReturnType<typeof parseTemplate>["expand"]>[0];
interface Group {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly testcases: readonly (readonly [template: string, expansions: string | readonly string[] | false])[];
}

const require = createRequire(import.meta.url);
const folder = new URL("test/uritemplate-test/", `file://${require.resolve("uri-template-router")}`);
const groupsOf = (file: string): [string, Group][] =>
  Object.entries(JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Record<string, Group>);

/** Templates that can be expanded but not read back, so they are refused: the same variable twice, or two that run together. */
const REFUSED = new Set(["{/var:1,var}", "{.who,who}", "{/who,who}", "up{+path}{var}/here", "{/list*,path:4}"]);

/** Numbers are written as text; what has no value is left out. */
function toValues(variables: Group["variables"]): Values {
  const known = Object.entries(variables).filter(([, value]) => value !== null);
  return Object.fromEntries(
    known.map(([name, value]) => [name, typeof value === "number" ? String(value) : value]),
  ) as Values;
}

describe.each(["spec-examples.json", "spec-examples-by-section.json", "extended-tests.json"])("%s", (file) => {
  test.each(groupsOf(file))("%s", (_, { variables, testcases }) => {
    for (const [template, expansions] of testcases) {
      const expand = () => parseTemplate(template).expand(toValues(variables));
      if (expansions === false || REFUSED.has(template)) expect(expand, template).toThrow(Error);
      else expect([expansions].flat(), template).toContain(expand());
    }
  });
});

test.each(groupsOf("negative-tests.json"))("negative-tests.json: %s", (_, { variables, testcases }) => {
  expect(testcases.length).toBeGreaterThan(0);
  for (const [template] of testcases)
    expect(() => parseTemplate(template).expand(toValues(variables)), template).toThrow(Error);
});
