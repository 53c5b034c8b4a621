import path from "node:path";
import { ResponseError } from "@toolwright/engine/testing";
import { describe, expect, test } from "vitest";
import { type Arena, HIDDEN, OUTSIDE_NAME, openArena, SECRET } from "./arena.js";
import { HIDDEN_PATHS, LAST_LINKS, SPELLINGS, THROUGH_LINKS } from "./spellings.js";

/** A path as a URI, coded no better than an attacker would. */
function toUri(root: string, given: string): string {
  if (given.startsWith("file://")) return given;
  return path.isAbsolute(given) ? `file://${given}` : `file://${root}/${given}`;
}

const readOf = (arena: Arena, uri: string): Promise<string> =>
  arena.client.readResource(uri).then(
    (result) => `succeeds: ${JSON.stringify(result)}`,
    (error: unknown) => (error instanceof ResponseError ? error.message : `breaks: ${String(error)}`),
  );

describe.skipIf(process.platform === "win32")("resources", () => {
  test("are no way out, however the uri is spelled", async () => {
    const arena = await openArena();
    const before = await arena.snapshot();
    const faults: string[] = [];
    const empty = /^\s*$/;
    for (const spelling of [...SPELLINGS, ...THROUGH_LINKS, ...LAST_LINKS, ...HIDDEN_PATHS]) {
      const given = spelling.spell(arena);
      if (empty.test(given)) continue;
      const said = await readOf(arena, toUri(arena.root, given));
      const isTold = [SECRET, HIDDEN].some((mark) => said.includes(mark));
      if (isTold || /^(?:succeeds|breaks): /.test(said)) faults.push(`${spelling.name}: ${said}`);
    }
    expect(faults).toEqual([]);
    expect(await arena.snapshot()).toBe(before);
    expect(await readOf(arena, `file://${arena.root}/src/main.ts`)).toContain("export const inside = 1;");
  });

  test("say the same of what is outside, whether or not it is there", async () => {
    const arena = await openArena();
    const pairs = [
      [`../outside/${OUTSIDE_NAME}.txt`, "../outside/not-there"],
      [`link-folder/${OUTSIDE_NAME}.txt`, "link-folder/not-there"],
      ["link-file", "link-dangling"],
      ["vault/key.txt", "vault/not-there"],
    ];
    for (const pair of pairs) {
      const said = pair.map(async (given) =>
        (await readOf(arena, toUri(arena.root, given)))
          .replaceAll(given, "PATH")
          .replaceAll(path.basename(given), "NAME"),
      );
      const [there, not] = await Promise.all(said);
      expect(there, pair.join(" and ")).toBe(not);
    }
  });
});
