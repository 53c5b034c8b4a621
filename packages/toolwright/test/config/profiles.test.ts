import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "../../../../tests/docs/pages.js";
import { initialize } from "../../../engine/test/stdio/child.js";
import { Configured } from "./configured.js";

type Shown = Readonly<Record<string, { readonly value: unknown; readonly source: string; readonly at?: string }>>;

const show = (configured: Configured, words: string, env: NodeJS.ProcessEnv = {}): Shown => {
  const { stdout, stderr } = configured.run(`config show --json${words}`, env);
  expect(stderr).toBe("");
  return (JSON.parse(stdout) as { settings: Shown }).settings;
};

const HOUSE = `// a profile
{
  "server": { "name": "house", "version": "2.0.0" },
  "files": { "roots": ["rooms"] },
  "limits": { "pageSize": 3, "drainMs": 3 },
}`;

function withHouse(content: object = {}): Configured {
  const configured = new Configured(content);
  writeFileSync(path.join(configured.folder, "house.jsonc"), HOUSE);
  mkdirSync(path.join(configured.folder, "rooms"));
  return configured;
}

test("a profile is weaker than the file, the environment and options", () => {
  const configured = withHouse({ limits: { pageSize: 4 } });
  const settings = show(configured, " --profile ./house.jsonc", { TOOLWRIGHT_SERVER_VERSION: "3.0.0" });
  expect(settings["profile"]).toEqual({ value: "./house.jsonc", source: "flag", at: "--profile" });
  expect(settings["server.name"]).toEqual({ value: "house", source: "profile", at: "house.jsonc:3" });
  expect(settings["server.version"]?.value).toBe("3.0.0");
  expect(settings["limits.pageSize"]).toMatchObject({ value: 4, source: "file" });
  expect(settings["limits.drainMs"]?.value).toBe(3);
  expect(settings["files.roots"]?.value).toEqual([path.join(configured.folder, "rooms")]);
});

test("an object of a stronger place changes single members of that of the profile", () => {
  const configured = withHouse({ profile: "pack.jsonc", packs: { todo: { leaseSeconds: 60 }, threats: true } });
  const profile = { packs: { todo: { priority: 2, leaseSeconds: 30 }, threats: { tokenBudget: 300 } } };
  writeFileSync(path.join(configured.folder, "pack.jsonc"), JSON.stringify(profile));
  const settings = show(configured, "");
  expect(settings["packs.todo"]).toMatchObject({ value: { priority: 2, leaseSeconds: 60 }, source: "file" });
  expect(settings["packs.threats"]).toMatchObject({ value: true, source: "file" });
});

test("the file and the environment name a profile, too", () => {
  const inFile = withHouse({ profile: "house.jsonc" });
  expect(show(inFile, "")["server.name"]?.value).toBe("house");
  expect(show(inFile, "")["profile"]?.value).toBe(path.join(inFile.folder, "house.jsonc"));
  expect(show(withHouse(), "", { TOOLWRIGHT_PROFILE: "tmkb" })["server.name"]?.value).toBe("tmkb");
});

test("config show and config check say what comes from the profile", () => {
  const configured = withHouse();
  expect(configured.run("config show --profile house.jsonc").stdout).toMatch(
    /^server\.name +house +profile house\.jsonc:3$/m,
  );
  expect(configured.run("config check --profile house.jsonc").stdout).toContain(
    "  profile  house.jsonc (5 settings)\n",
  );
});

test.each([
  ["--profile tmbk", '--profile: there is no profile "tmbk"; did you mean tmkb?'],
  ["--profile other", '--profile: there is no profile "other"; the profiles are '],
  ["--profile ./none.json", "none.json: there is no such file"],
])("serve %s is refused", (words, message) => {
  const { status, stderr } = new Configured().run(`serve ${words}`);
  expect(status).toBe(2);
  expect(stderr).toContain(message);
});

test("a profile with a fault is refused, with the line of it", () => {
  const configured = new Configured();
  const profile = path.join(configured.folder, "bad.jsonc");
  writeFileSync(profile, `{\n"server": { "nam": "x" },\n"compat": { "batch": "often" },\n"packModules": ["x.js"] }`);
  const { stderr } = configured.run("serve --profile bad.jsonc");
  expect(stderr).toContain("server.nam in profile bad.jsonc:2 is unknown; did you mean name?\n");
  expect(stderr).toContain('compat.batch in profile bad.jsonc:3 must be auto, always or never, not "often"\n');
  expect(stderr).toContain("packModules in profile bad.jsonc:4 cannot be set there\n");
});

test("the server is what its profile says", async () => {
  const child = new Configured().serve("--profile tmkb");
  child.send(initialize(1));
  expect((await child.answer(1))["result"]).toMatchObject({ serverInfo: { name: "tmkb", version: "0.1.0" } });
});

test("install passes the profile on", () => {
  const configured = withHouse();
  const { stdout } = configured.run("install json --profile ./house.jsonc");
  expect(stdout).toContain(`"--profile",\n        "${path.join(configured.folder, "house.jsonc")}"`);
  expect(configured.run("install json --profile tmkb").stdout).toContain('"--profile",\n        "tmkb"');
  const { status, stderr } = configured.run("install json --profile tmkb --name docs -- npx docs");
  expect([status, stderr]).toEqual([2, expect.stringContaining("--profile is for this server")]);
});

test.each(readdirSync(`${root}packages/toolwright/profiles`))("profile %s is valid", (file) => {
  const { stdout, stderr } = new Configured().run(`config check --profile ${file.replace(".jsonc", "")}`);
  expect([stderr, stdout]).toEqual(["", expect.stringContaining("The configuration is right")]);
});
