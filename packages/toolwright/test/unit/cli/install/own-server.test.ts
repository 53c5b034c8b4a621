import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseCommandLine } from "@toolwright/kit/cli";
import { afterAll, expect, test } from "vitest";
import { install } from "../../../../src/cli/commands/install.js";
import { type InstallInput, readInstallOptions } from "../../../../src/cli/install/options.js";
import { targetOf, warningsOf } from "../../../../src/cli/install/own-server.js";

const FOLDER = realpathSync(mkdtempSync(path.join(os.tmpdir(), "toolwright-own-")));
afterAll(() => rmSync(FOLDER, { recursive: true }));

const RUNNING = { node: "/usr/bin/node", script: "/lib/toolwright/dist/main.js" };
const target = (...words: readonly string[]): Promise<unknown> => {
  const { input } = parseCommandLine(install, ["cursor", ...words]);
  return targetOf(readInstallOptions(input as unknown as InstallInput, { KEY: "v" }), RUNNING, FOLDER);
};

test("what a client starts is this program, with the options behind --", async () => {
  expect(await target()).toEqual({ command: "/usr/bin/node", args: ["/lib/toolwright/dist/main.js", "serve"] });
  expect(await target("--env", "KEY", "--env", "B=c=d", "--", "--root", FOLDER)).toEqual({
    command: "/usr/bin/node",
    args: ["/lib/toolwright/dist/main.js", "serve", "--root", FOLDER],
    env: { KEY: "v", B: "c=d" },
  });
});

test("gets --root for a project, unless another is given", async () => {
  expect(await target("--scope", "project")).toMatchObject({ args: [RUNNING.script, "serve", "--root", FOLDER] });
  for (const own of [`--root=${os.tmpdir()}`, `--set=files.roots=["${os.tmpdir()}"]`])
    expect(await target("--scope", "project", "--", own)).toMatchObject({ args: [RUNNING.script, "serve", own] });
});

test("paths are whole: a client starts the server in a folder of its own", async () => {
  writeFileSync(path.join(FOLDER, "tw.json"), '{ "log": { "level": "debug" } }');
  const own = ["--root", ".", "--state=s", "--config", "./tw.json", "--set", 'packs.knowledge={"database":"k"}'];
  expect(await target("--", ...own, "--set=audit.keep=2", "--set=audit.file=a", "--log-level=info")).toMatchObject({
    args: [
      RUNNING.script,
      "serve",
      "--root",
      FOLDER,
      `--state=${path.join(FOLDER, "s")}`,
      "--config",
      path.join(FOLDER, "tw.json"),
      "--set",
      `packs.knowledge={"database":"${path.join(FOLDER, "k")}"}`,
      "--set=audit.keep=2",
      `--set=audit.file=${path.join(FOLDER, "a")}`,
      "--log-level=info",
    ],
  });
});

test.each([
  [["--rot", "x"], "Unknown option --rot; did you mean --root?"],
  [["--help"], "Unknown option --help"],
  [["--log-level", "loud"], "--log-level must be"],
  [["--root", "gone"], "gone is no folder"],
  [["--config", "gone.json"], "Cannot read gone.json (--config): there is no such file"],
  ...["--http", "--http=3000", "--ws", "--socket=./x", "--set=http.listen=true", "--set=socket=x"].map(
    (word) => [[word], "speaks to it over stdin and stdout"] as const,
  ),
  [["--stdio", "--http"], "speaks to it over stdin and stdout"],
] as const)("options with which no client gets a server are refused: %j", async (words, fault) => {
  await expect(target("--", ...words)).rejects.toThrow(fault);
});

test("variables with which it would listen are refused too", async () => {
  await expect(target("--env", "TOOLWRIGHT_HTTP=3000")).rejects.toThrow("speaks to it over stdin and stdout");
});

test("paths in variables are written whole", async () => {
  const { env } = (await target("--env", "TOOLWRIGHT_STATE=kept", "--env", "OTHER=./x")) as { env: object };
  expect(env).toEqual({ TOOLWRIGHT_STATE: path.join(FOLDER, "kept"), OTHER: "./x" });
});

test("another program or an address takes its place", async () => {
  expect(await target("--name", "x", "--", "./bin/x", "-v")).toEqual({ command: path.resolve("bin/x"), args: ["-v"] });
  expect(await target("--url", "http://127.0.0.1:3000/mcp")).toEqual({
    url: "http://127.0.0.1:3000/mcp",
    transport: "http",
  });
});

test("warns of programs that may be removed", () => {
  expect(warningsOf(RUNNING)).toEqual([]);
  const cached = { ...RUNNING, script: "/home/ada/.npm/_npx/1a2b/node_modules/toolwright/dist/main.js" };
  expect(warningsOf(cached)[0]).toContain("npm install --global toolwright");
  const brief = { ...RUNNING, node: path.join(os.tmpdir(), "node/bin/node") };
  expect(warningsOf(brief)[0]).toContain("a folder for temporary files");
  const owned = { ...RUNNING, node: "/home/ada/.nvm/versions/node/v22.1.0/bin/node" };
  expect(warningsOf(owned)[0]).toContain("belongs to nvm");
});
