import { expect, test } from "vitest";
import { pickServer } from "../../../../src/cli/use/find-server.js";
import type { KnownServer } from "../../../../src/clients/configured-servers.js";

const server = (client: string, name: string, command: string, scope: "user" | "project" = "user"): KnownServer => ({
  name,
  client,
  file: `/${scope}/${client}.json`,
  scope,
  target: { command, args: [] },
});

const servers = [
  server("cursor", "github", "a"),
  server("codex", "github", "b"),
  server("cursor", "files", "c"),
  server("codex", "files", "c"),
  server("cursor", "files", "d", "project"),
  server("vscode", "build", "e", "project"),
];
const searched = { servers, files: ["/user/cursor.json"], faults: [] };
const pick = (name: string, isOfProject = false) => pickServer({ name, isOfProject }, searched).target;

test("a name, or one with its client, leads to a server", () => {
  expect(pick("codex:github")).toEqual({ command: "b", args: [] });
  expect(pick("build", true)).toEqual({ command: "e", args: [] });
});

test("the same server of two clients is one", () => {
  expect(pick("files")).toEqual({ command: "c", args: [] });
});

test("a file of the project is used only where it is asked for, or where no other has the name", () => {
  expect(pick("files", true)).toEqual({ command: "d", args: [] });
  expect(pickServer({ name: "build", isOfProject: false }, searched).scope).toBe("project");
  expect(() => pick("github", true)).toThrow(
    'No file of this project has a server "github", but a file of yours has. Leave out --project',
  );
});

test("a name that several servers have is refused with all of them", () => {
  expect(() => pick("github")).toThrow(
    [
      'Several different servers are named "github". Add the client:',
      "  cursor:github  /user/cursor.json",
      "  codex:github  /user/codex.json",
    ].join("\n"),
  );
});

test("an unknown name is refused with the nearest, and with where was looked", () => {
  expect(() => pick("gitub")).toThrow(
    [
      'No client has a server "gitub" in its configuration; did you mean github?',
      "Files read:",
      "  /user/cursor.json",
      'Give a URL, -- COMMAND, or one of the names that "toolwright list" shows.',
    ].join("\n"),
  );
  const faults = [{ file: "/user/zed.json", reason: "line 1" }];
  expect(() => pickServer({ name: "x", isOfProject: false }, { servers: [], files: [], faults })).toThrow(
    "No client has a configuration file\nFiles that cannot be read:\n  /user/zed.json: line 1",
  );
});
