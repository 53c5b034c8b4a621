import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { readInstallWords } from "./options.js";
import { targetOf, warningsOf } from "./own-server.js";

const RUNNING = { node: "/usr/bin/node", script: "/lib/toolwright/dist/main.js" };
const target = (...words: readonly string[]): unknown =>
  targetOf(readInstallWords(["cursor", ...words], { KEY: "v" }), RUNNING, "/work/app");

test("what a client starts is this program, with the options behind --", () => {
  expect(target()).toEqual({ command: "/usr/bin/node", args: ["/lib/toolwright/dist/main.js", "serve"] });
  expect(target("--env", "KEY", "--env", "B=c=d", "--", "--root", "/x")).toEqual({
    command: "/usr/bin/node",
    args: ["/lib/toolwright/dist/main.js", "serve", "--root", "/x"],
    env: { KEY: "v", B: "c=d" },
  });
});

test("for a project it is told the folder, unless another is", () => {
  expect(target("--scope", "project")).toMatchObject({ args: [RUNNING.script, "serve", "--root", "/work/app"] });
  expect(target("--scope", "project", "--", "--root=/x")).toMatchObject({
    args: [RUNNING.script, "serve", "--root=/x"],
  });
});

test("another program or an address takes its place", () => {
  expect(target("--name", "x", "--", "./bin/x", "-v")).toEqual({ command: path.resolve("bin/x"), args: ["-v"] });
  expect(target("--url", "http://127.0.0.1:3000/mcp")).toEqual({ url: "http://127.0.0.1:3000/mcp", transport: "http" });
});

test("what may go away is told of", () => {
  expect(warningsOf(RUNNING)).toEqual([]);
  const cached = { ...RUNNING, script: "/home/ada/.npm/_npx/1a2b/node_modules/toolwright/dist/main.js" };
  expect(warningsOf(cached)[0]).toContain("npm install --global toolwright");
  const brief = { ...RUNNING, node: path.join(os.tmpdir(), "node/bin/node") };
  expect(warningsOf(brief)[0]).toContain("a folder for temporary files");
  const owned = { ...RUNNING, node: "/home/ada/.nvm/versions/node/v22.1.0/bin/node" };
  expect(warningsOf(owned)[0]).toContain("belongs to nvm");
});
