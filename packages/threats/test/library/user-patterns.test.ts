import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import { describe, expect, test, vi } from "vitest";
import { createPack, makeFolder, openBench, putFile, samplePattern } from "../kit.js";

const LONG = 10_000;

interface Listed {
  readonly patterns: readonly { readonly id: string; readonly name: string; readonly origin: string }[];
  readonly diagnostics?: readonly { readonly file: string; readonly line: number; readonly message: string }[];
}

const own = ({ patterns }: Listed): string[] => patterns.filter(({ origin }) => origin === "user").map(({ id }) => id);
const diagnostics = (listed: Listed): string[] =>
  (listed.diagnostics ?? []).map(({ file, line, message }) => `${file.replace(/^.*\//, "")}:${line} ${message}`);

/** Opens the pack with a folder that contains these files. */
async function open(files: Readonly<Record<string, string>>) {
  const directory = await makeFolder();
  for (const [name, text] of Object.entries(files)) await putFile(directory, name, text);
  const bench = await openBench({ patternFolders: [directory] });
  const list = async (filter: JsonObject = {}) => (await bench.call("tmkb_list", filter)) as unknown as Listed;
  return { ...bench, directory, list };
}

describe("user patterns", () => {
  test("are added to the built-in ones, also from subfolders", async () => {
    const { list, call, directory } = await open({
      "a.yaml": await samplePattern(),
      "deep/er/b.yml": await samplePattern("TMKB-AUTHZ-901"),
      "README.md": "no pattern",
      ".hidden/c.yaml": "no pattern",
    });
    const listed = await list({ category: "authz" });
    expect(own(listed)).toEqual(["TMKB-AUTHZ-900", "TMKB-AUTHZ-901"]);
    expect(listed.patterns.length).toBeGreaterThan(10);
    expect(listed.diagnostics).toBeUndefined();
    const { pattern, listed: entry } = await call("tmkb_get", { id: "tmkb-authz-900" });
    expect(pattern).toMatchObject({ name: "Drafts are shown to everybody", tier: "B" });
    expect(entry).toMatchObject({ origin: "user", languages: ["python"], file: `${path.basename(directory)}/a.yaml` });
  });

  test("with the id of a built-in one replace it, which is logged", async () => {
    const { call, lines, list } = await open({ "own.yaml": await samplePattern("TMKB-AUTHZ-001") });
    expect(await call("tmkb_get", { id: "TMKB-AUTHZ-001" })).toMatchObject({
      pattern: { name: "Drafts are shown to everybody" },
      listed: { origin: "user", replaces_built_in: true },
    });
    const { patterns } = await list({ category: "authz" });
    expect(patterns.filter(({ id }) => id === "TMKB-AUTHZ-001")).toHaveLength(1);
    await vi.waitFor(
      () => expect(lines.join("\n")).toMatch(/own\.yaml replaces the built-in pattern TMKB-AUTHZ-001/),
      LONG,
    );
  });

  test("with errors are reported with their line, and do not affect others", async () => {
    const good = await samplePattern();
    const { list, lines, directory } = await open({
      "a.yaml": good,
      "b.yaml": good.replace("TMKB-AUTHZ-900", "TMKB-AUTHZ-901").replace("tier: B", "tier: C"),
      "c.yaml": good,
      "d.yaml": "",
      "e.yaml": good.replace("TMKB-AUTHZ-900", "TMKB-AUTHZ-902").replace("TMKB-AUTHZ-002", "TMKB-NOWHERE-001"),
    });
    const listed = await list();
    expect(own(listed)).toEqual(["TMKB-AUTHZ-900", "TMKB-AUTHZ-902"]);
    const expected = [
      'b.yaml:4 must be one of A, B, not "C".',
      `c.yaml:2 TMKB-AUTHZ-900 is also the id of ${path.basename(directory)}/a.yaml.`,
      "d.yaml:1 The file is empty.",
      "e.yaml:39 the pattern TMKB-NOWHERE-001 does not exist.",
    ];
    expect(diagnostics(listed)).toEqual(expected);
    expect(JSON.stringify(listed)).not.toContain(path.dirname(directory) + path.sep);
    await vi.waitFor(
      () => expect(lines.filter((line) => line.includes("b.yaml:4:9: error: threat_pattern.tier"))).toHaveLength(1),
      LONG,
    );
  });

  test("are not read through symbolic links", async () => {
    const { directory, list } = await open({ "a.yaml": await samplePattern() });
    const elsewhere = await makeFolder();
    await putFile(elsewhere, "secret.yaml", await samplePattern("TMKB-AUTHZ-950"));
    await symlink(path.join(elsewhere, "secret.yaml"), path.join(directory, "link.yaml"));
    await symlink(elsewhere, path.join(directory, "folder"));
    await vi.waitFor(
      async () => expect(diagnostics(await list())).toEqual(["link.yaml:1 It is not a regular file."]),
      LONG,
    );
    expect(own(await list())).toEqual(["TMKB-AUTHZ-900"]);
  });

  test("in an earlier folder have precedence", async () => {
    const [one, two] = [await makeFolder(), await makeFolder()];
    await putFile(one, "a.yaml", await samplePattern());
    await putFile(two, "b.yaml", (await samplePattern()).replace("Drafts are", "Later drafts are"));
    await putFile(two, "c.yaml", await samplePattern("TMKB-AUTHZ-901"));
    const { call } = await openBench({ patternFolders: [one, two] });
    const listed = (await call("tmkb_list", { category: "authz" })) as unknown as Listed;
    expect(own(listed)).toEqual(["TMKB-AUTHZ-900", "TMKB-AUTHZ-901"]);
    expect(diagnostics(listed)).toEqual([`b.yaml:2 TMKB-AUTHZ-900 is also the id of ${path.basename(one)}/a.yaml.`]);
    expect(listed.patterns.find(({ id }) => id === "TMKB-AUTHZ-900")?.name).toBe("Drafts are shown to everybody");
  });

  test("in a missing folder are a configuration error", async () => {
    const { createServer } = await import("@toolwright/engine");
    const { connectTestClient } = await import("@toolwright/engine/testing");
    const server = createServer({
      name: "x",
      version: "1.0.0",
      packs: [createPack({ patternFolders: ["/nowhere/at-all"] })],
    });
    await expect(connectTestClient(server)).rejects.toThrow(/settings\.patternFolders: cannot read the folder/);
  });
});

describe("while the server runs", () => {
  test("changes of pattern files are applied, and clients are notified", async () => {
    const { list, client, directory, call } = await open({});
    const seen = (ids: string[], wrong: string[] = []) =>
      vi.waitFor(async () => {
        const listed = await list();
        expect([own(listed), diagnostics(listed)]).toEqual([ids, wrong]);
      }, LONG);
    await seen([]);
    await client.request("resources/subscribe", { uri: "threat://TMKB-AUTHZ-900" });
    await client.request("resources/subscribe", { uri: "threats://index" });
    await putFile(directory, "new/a.yaml", await samplePattern());
    await seen(["TMKB-AUTHZ-900"]);
    await vi.waitFor(() => {
      expect(client.received("notifications/resources/list_changed").length).toBeGreaterThan(0);
      expect(
        client.received("notifications/resources/updated").map(({ params }) => (params as JsonObject)["uri"]),
      ).toEqual(expect.arrayContaining(["threat://TMKB-AUTHZ-900", "threats://index"]));
    }, LONG);

    const place = path.join(directory, "new/a.yaml");
    await writeFile(place, (await samplePattern()).replace("Drafts are", "Notes are"));
    await vi.waitFor(async () => {
      const { pattern } = await call("tmkb_get", { id: "TMKB-AUTHZ-900" });
      expect((pattern as JsonObject)["name"]).toBe("Notes are shown to everybody");
    }, LONG);

    await writeFile(place, (await samplePattern()).replace("severity: high", "severity: hihg"));
    await seen([], ['a.yaml:6 must be one of critical, high, medium, low, not "hihg".']);
    await writeFile(place, await samplePattern());
    await seen(["TMKB-AUTHZ-900"]);

    await mkdir(path.join(directory, "other"));
    await rename(place, path.join(directory, "other/b.yaml"));
    await seen(["TMKB-AUTHZ-900"]);
    await rm(path.join(directory, "other"), { recursive: true });
    await seen([]);
  });

  test("a folder that was deleted and created again is watched again", async () => {
    const { list, directory } = await open({ "a.yaml": await samplePattern() });
    await vi.waitFor(async () => expect(own(await list())).toEqual(["TMKB-AUTHZ-900"]), LONG);
    await rm(directory, { recursive: true });
    await vi.waitFor(async () => {
      const listed = await list();
      expect(own(listed)).toEqual([]);
      expect(diagnostics(listed).join()).toContain("Cannot read the folder");
    }, LONG);
    await putFile(directory, "b.yaml", await samplePattern("TMKB-AUTHZ-901"));
    await vi.waitFor(async () => expect(own(await list())).toEqual(["TMKB-AUTHZ-901"]), LONG);
    await putFile(directory, "c.yaml", await samplePattern("TMKB-AUTHZ-902"));
    await vi.waitFor(async () => expect(own(await list())).toEqual(["TMKB-AUTHZ-901", "TMKB-AUTHZ-902"]), LONG);
  });
});
