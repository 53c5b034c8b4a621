import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { writeCommandsPage } from "./generated/commands-page.js";
import { writeConfigurationPage } from "./generated/configuration-page.js";
import { ENGINE_FAILURES, PACK_FAILURES } from "./generated/error-words.js";
import { writeErrorsPage } from "./generated/errors-page.js";
import { writeLimitsPage } from "./generated/limits-page.js";
import { writeToolsPage } from "./generated/tools-page.js";
import { root } from "./pages.js";

// These compare; `node docs/reference.mjs` writes.
describe("pages that are written from the sources are as the sources are:", () => {
  test("docs/reference/tools.md", { timeout: 120_000 }, async () => {
    await expect(await writeToolsPage()).toMatchFileSnapshot(`${root}docs/reference/tools.md`);
  });

  test("docs/reference/command-line.md", async () => {
    await expect(await writeCommandsPage()).toMatchFileSnapshot(`${root}docs/reference/command-line.md`);
  });

  test("docs/reference/configuration.md", async () => {
    await expect(await writeConfigurationPage()).toMatchFileSnapshot(`${root}docs/reference/configuration.md`);
  });

  test("packages/toolwright/toolwright.schema.json", () => {
    const main = `${root}packages/toolwright/dist/main.js`;
    const { stdout } = spawnSync(process.execPath, [main, "config", "schema"], { encoding: "utf8" });
    return expect(stdout).toMatchFileSnapshot(`${root}packages/toolwright/toolwright.schema.json`);
  });

  test("docs/reference/errors.md", async () => {
    await expect(writeErrorsPage()).toMatchFileSnapshot(`${root}docs/reference/errors.md`);
  });

  test("docs/reference/limits.md", async () => {
    await expect(await writeLimitsPage()).toMatchFileSnapshot(`${root}docs/reference/limits.md`);
  });
});

describe("codes of failures", () => {
  const sources = readdirSync(`${root}packages`)
    .map((name) => `packages/${name}/src`)
    .filter((folder) => existsSync(root + folder))
    .flatMap((folder) =>
      readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
        .map((name) => readFileSync(`${root}${folder}/${name}`, "utf8"))
        // Examples in doc comments are no codes of ours.
        .map((text) => text.replaceAll(/\/\*\*[\s\S]*?\*\//g, "")),
    );
  const inPage = [...ENGINE_FAILURES, ...PACK_FAILURES].map(([code]) => code);
  /** Codes of the system, and what the log and the client call an end that is no failure of a tool. */
  const isAnothers = (code: string) => /^E[A-Z]+$/.test(code) || code === "INPUT_REQUIRED";

  test("that the sources give are all in docs/reference/errors.md", () => {
    const given = sources.flatMap((text) =>
      [...text.matchAll(/\bcode: "([A-Z][A-Z_]+)"/g)].map(([, code = ""]) => code),
    );
    expect(given).toContain("INVALID_ARGUMENTS");
    expect([...new Set(given)].filter((code) => !isAnothers(code) && !inPage.includes(code)).toSorted()).toEqual([]);
  });

  test("that docs/reference/errors.md names are all given", () => {
    expect(inPage.filter((code) => !sources.some((text) => text.includes(`"${code}"`)))).toEqual([]);
  });
});
