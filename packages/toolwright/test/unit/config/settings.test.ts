import { DEFAULT_LIMITS } from "@toolwright/engine";
import { DEFAULT_HTTP_LIMITS } from "@toolwright/engine/http";
import { expect, test } from "vitest";
import { variableOf } from "../../../src/config/setting.js";
import { createTable } from "../../../src/config/settings.js";

const table = createTable(["basics"]);

test("every setting says what it is for, and every limit of the engine is one", () => {
  for (const [key, { about }] of table) expect(about, key).not.toMatch(/undefined|^$/);
  const names = [...table.keys()].flatMap((key) => (key.startsWith("limits.") ? [key.slice("limits.".length)] : []));
  expect(names.sort()).toEqual(Object.keys(DEFAULT_LIMITS).sort());
  for (const name of Object.keys(DEFAULT_HTTP_LIMITS)) expect(table.has(`http.limits.${name}`), name).toBe(true);
});

test("every default is a value that would be accepted", () => {
  for (const [key, { kind, default: usual }] of table)
    if (usual !== undefined) expect(kind.accepts(usual), key).toBe(true);
});

test("no two settings have the same variable or option, and no secret has an option", () => {
  const variables = [...table].map(([key, setting]) => variableOf(key, setting));
  const flags = [...table.values()].flatMap(({ flag }) => flag ?? []);
  expect(new Set(variables).size).toBe(table.size);
  expect(new Set(flags).size).toBe(flags.length);
  for (const [key, { isSecret, flag }] of table) if (isSecret) expect(flag, key).toBeUndefined();
});
