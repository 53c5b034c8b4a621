import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { shownDefault } from "../../../../tests/docs/generated/configuration-page.js";
import { blocksOf, readPage, root, rowsOf, sectionOf } from "../../../../tests/docs/pages.js";
import { readConfigText } from "../../src/config/read-file.js";
import { variableOf } from "../../src/config/setting.js";
import { createTable } from "../../src/config/settings.js";
import { PACK_NAMES } from "../../src/packs.js";
import { main } from "../cli/listening.js";

const table = createTable(PACK_NAMES);
const page = readPage("docs/reference/configuration.md");
const packs = sectionOf(page, "Settings of packs");
const published = JSON.parse(readFileSync(`${root}packages/toolwright/toolwright.schema.json`, "utf8")) as object;

describe("docs/reference/configuration.md", () => {
  test("has every setting as the table of settings has it", () => {
    const rows = rowsOf(page.text.replace(packs, "")).filter(([first = ""]) => /^`[a-zA-Z.]+`$/.test(first));
    const expected = [...table].map(([key, setting]) => [
      `\`${key}\``,
      shownDefault(setting),
      setting.flag === undefined ? "" : `\`${setting.flag}\``,
      setting.isLive ? "yes" : "",
      setting.about,
    ]);
    expect(rows).toEqual(expected);
  });

  test("names the variables that are not called after their key", () => {
    const odd = [...table].flatMap(([key, setting]) => (setting.env === undefined ? [] : [variableOf(key, setting)]));
    expect(odd.filter((name) => !page.text.includes(`\`${name}\``))).toEqual([]);
  });

  test("shows files that are right", () => {
    const examples = blocksOf(page).filter(({ words }) => words[0] === "jsonc" || words[0] === "json");
    expect(examples.length).toBeGreaterThan(0);
    for (const { code } of examples)
      expect(readConfigText(code, { from: "file", name: "example" }, "/", table).faults).toEqual([]);
  });
});

describe("the published JSON Schema", () => {
  test("is in the package", () => {
    const { files } = JSON.parse(readFileSync(`${root}packages/toolwright/package.json`, "utf8")) as {
      files: string[];
    };
    expect(files).toContain("toolwright.schema.json");
  });

  const validate = new Ajv({ strict: true, strictTypes: false }).compile(published);

  test.each([
    {},
    { $schema: "./toolwright.schema.json", stdio: true },
    { http: { listen: "0.0.0.0:80", tls: { cert: "c", key: "k" }, limits: { sessions: 5 } }, ws: true },
    { packs: { basics: {}, workstation: { builds: true, commands: [["npm", "test"]] } } },
    { log: { level: "debug", format: "json" } },
    { redact: { names: ["a"], values: ["four"] }, audit: { file: "a", keep: 1, onFailure: "refuse" } },
  ])("and the reader accept %j", (content) => {
    expect(validate(content)).toBe(true);
    expect(readConfigText(JSON.stringify(content), { from: "file", name: "c" }, "/", table).faults).toEqual([]);
  });

  test.each([
    [],
    { htp: {} },
    { http: true },
    { http: { listen: 70_000 } },
    { http: { listen: 1.5 } },
    { stdio: "yes" },
    { limits: { pageSize: 0 } },
    { limits: { drainMs: -1 } },
    { log: { level: "loud" } },
    { packs: { other: true } },
    { packs: { basics: [] } },
    { auth: { scopes: ["read", ""] } },
    { redact: { values: ["abc"] } },
  ])("and the reader refuse %j", (content) => {
    expect(validate(content)).toBe(false);
    expect(readConfigText(JSON.stringify(content), { from: "file", name: "c" }, "/", table).faults).toHaveLength(1);
  });
});

test("the help of serve names every option that a setting has", () => {
  const { stdout } = spawnSync(process.execPath, [main, "serve", "--help"], { encoding: "utf8" });
  const flags = [...table.values()].flatMap(({ flag }) => flag ?? []);
  expect(flags.filter((flag) => !new RegExp(`^ +${flag}(?: |$)`, "m").test(stdout))).toEqual([]);
});
