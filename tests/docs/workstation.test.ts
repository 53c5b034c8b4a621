import { writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { loadServeConfig } from "../../packages/toolwright/src/cli/serve-config.js";
import { folder } from "../../packages/toolwright/test/cli/listening.js";
import { openWorkstation } from "../../packages/workstation/test/kit.js";
import { blocksOf, readPage, readPages, rowsOf, sectionOf } from "./pages.js";

const guide = readPage("docs/guides/workstation.md");

describe("docs/guides/workstation.md", () => {
  test("names every tool of the pack, and no other", async () => {
    const { client } = await openWorkstation();
    const listed = (await client.listTools()).map(({ name }) => name as string);
    const named = rowsOf(sectionOf(guide, "Tools")).flatMap(([tools = ""]) =>
      [...tools.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name),
    );
    expect(named.toSorted()).toEqual(listed.filter((name) => name !== "read_result").toSorted());
  });

  test("names the prompts of the pack", async () => {
    const { client } = await openWorkstation();
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
