import { expect, test } from "vitest";
import { readPage, rowsOf, sectionOf } from "../../../../tests/docs/pages.js";
import { createMemoryServer } from "../../src/cli/memory-server.js";
import { loadKnownTools } from "../../src/cli/tool-lists/known-tools.js";
import { NO_CONFIG } from "../../src/config/config.js";
import { folder } from "../cli/listening.js";

const { byPack, replaced } = await loadKnownTools();

/** Names in an order that says nothing. */
const sorted = (groups: Readonly<Record<string, readonly string[]>>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(groups).map(([name, tools]) => [name, tools.toSorted()]));

test("every tool of every pack is in the toolset under which it can be named, and in one that is called like its pack", async () => {
  const server = await createMemoryServer(NO_CONFIG, folder(), "1");
  try {
    await server.start();
    const brought = Object.fromEntries(server.toolsets.map(({ name, tools }) => [name, tools]));
    const packs = Object.entries(byPack).map(([pack, sets]) => [pack, Object.values(sets).flat()] as const);
    const toolsets = Object.values(byPack).flatMap((sets) => Object.entries(sets));
    expect(sorted(brought)).toEqual(sorted(Object.fromEntries([...toolsets, ...packs])));
  } finally {
    await server.close();
  }
});

test("the tools that others replace are declared, so that they can be named", async () => {
  const server = await createMemoryServer(NO_CONFIG, folder(), "1");
  try {
    await server.start();
    await server.select({});
    const found = server.tools.filter(({ replacedBy }) => replacedBy !== undefined).map(({ name }) => name);
    expect(replaced.toSorted()).toEqual(found.toSorted());
  } finally {
    await server.close();
  }
});

test("the reference shows every toolset with its tools", () => {
  const section = sectionOf(readPage("docs/reference/configuration.md"), "Tool selection");
  const rows = rowsOf(section).filter(([pack = ""]) => Object.hasOwn(byPack, pack));
  const shown = rows.map(([pack = "", set = "", tools = ""]) => [pack, set, tools.replaceAll("*", "").split(", ")]);
  const expected = Object.entries(byPack).flatMap(([pack, sets]) =>
    Object.entries(sets).map(([set, tools]) => [pack, set, [...tools]]),
  );
  expect(shown).toEqual(expected);
});
