import type { JsonObject } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { openArena } from "./arena.js";
import { spellingsFor } from "./attack-paths.js";
import { NO_PATHS, SLOTS } from "./slots.js";

/** Every argument of a schema that can be text, with the names on the way to it. */
function textsOf(schema: JsonObject, at = ""): readonly string[] {
  const inner = [schema["anyOf"], schema["oneOf"], schema["allOf"], schema["prefixItems"]].flatMap((each) =>
    Array.isArray(each) ? (each as JsonObject[]) : [],
  );
  const found = inner.flatMap((each) => textsOf(each, at));
  const properties = Object.entries((schema["properties"] ?? {}) as Record<string, JsonObject>);
  found.push(...properties.flatMap(([name, each]) => textsOf(each, at === "" ? name : `${at}.${name}`)));
  for (const key of ["items", "additionalProperties"]) {
    const each = schema[key];
    if (typeof each === "object" && each !== null) found.push(...textsOf(each as JsonObject, at));
  }
  const isText = [schema["type"]].flat().includes("string") && schema["enum"] === undefined;
  return isText ? [...found, at] : found;
}

describe("the attack suite", () => {
  test("knows of every text that a tool of the pack takes whether it is a path", async () => {
    const { server } = await openArena();
    const tools = server.tools.filter(({ name }) => name !== "read_result");
    const taken = tools.flatMap(({ name, input = {} }) =>
      [...new Set(textsOf(input as JsonObject))].map((at) => `${name}: ${at}`),
    );
    const known = [
      ...SLOTS.filter(({ isOtherName }) => !isOtherName).map(({ tool, at }) => `${tool}: ${at}`),
      ...Object.entries(NO_PATHS).flatMap(([tool, all]) => all.map((at) => `${tool}: ${at}`)),
    ];
    expect([...new Set(known)].sort()).toEqual(taken.sort());
  });

  test("has more than 1,500 cases", () => {
    expect(SLOTS.reduce((sum, slot) => sum + spellingsFor(slot).length, 0)).toBeGreaterThan(1500);
  });
});
