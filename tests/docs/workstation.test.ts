import { writeFile } from "node:fs/promises";
import type { JsonObject } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { packSchemas } from "../../packages/toolwright/src/cli/pack-settings.js";
import { loadServeConfig } from "../../packages/toolwright/src/cli/serve-config.js";
import { folder } from "../cli/listening.js";
import { openBench } from "../workstation/kit.js";
import { blocksOf, readPage, readPages, rowsOf, sectionOf } from "./pages.js";

const guide = readPage("docs/guides/workstation.md");

describe("docs/guides/workstation.md", () => {
  test("names every tool of the pack, and no other", async () => {
    const { client } = await openBench();
    const listed = (await client.listTools()).map(({ name }) => name as string);
    const named = rowsOf(sectionOf(guide, "What it can do")).flatMap(([tools = ""]) =>
      [...tools.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name),
    );
    expect(named.toSorted()).toEqual(listed.filter((name) => name !== "read_result").toSorted());
  });

  test("names the prompts of the pack", async () => {
    const { client } = await openBench();
    for (const { name } of await client.listPrompts()) expect(guide.text).toContain(`\`${name as string}\``);
  });
});

describe("configuration files in the documentation", () => {
  const examples = readPages()
    .flatMap(blocksOf)
    .filter(({ words, code }) => words[0] === "jsonc" && /"(?:packs|roots|http)"/.test(code));

  test("are found", () => {
    expect(examples.map(({ page }) => page)).toContain("docs/guides/workstation.md");
  });

  test.each(examples.map((block) => [`${block.page}:${block.line}`, block.code]))(
    "%s is right, also for the packs",
    async (_name, code) => {
      const file = `${folder()}/toolwright.config.jsonc`;
      await writeFile(file, code);
      await expect(loadServeConfig(["--config", file], { env: {}, folder: "." })).resolves.toMatchObject({ file });
    },
  );
});

test("SECURITY.md has the limits of the pack with their defaults", async () => {
  const { properties } = (await packSchemas()).get("packs.workstation") as JsonObject & {
    properties: Record<string, Usual>;
  };
  const rows = rowsOf(sectionOf(readPage("SECURITY.md"), "Limits of the workstation"));
  const named = rows.flatMap(([cell = "", value = ""]) => {
    const [, name] = /^`(\w+)`$/.exec(cell) ?? [];
    return name === undefined ? [] : [[name, value] as const];
  });
  const units: Readonly<Record<string, number>> = { MiB: 1024 * 1024, s: 1000, min: 60_000 };
  for (const [name, value] of named) {
    const [, digits = "", unit = ""] = /^(\d+) ?(MiB|min|s)?\b/.exec(value) ?? [];
    expect(Number(digits) * (units[unit] ?? 1), name).toBe(properties[name]?.default);
  }
  const limits = Object.keys(properties).filter((name) => /_(?:ms|bytes|days)$/.test(name));
  expect(named.map(([name]) => name).toSorted()).toEqual(limits.toSorted());
});

interface Usual {
  readonly default?: unknown;
}
