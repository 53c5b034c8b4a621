import { expect, test } from "vitest";
import { User } from "../use/shell.js";
import { fileOf } from "./examined.js";

const TIMEOUT = 200_000;
const SERVER = ["--", process.execPath, fileOf("packages/toolwright/test/doctor/servers/broken.mjs")];
const NAME = /^…?\S* ?\S*broken\.mjs$/;

test("--call with a name that the server does not have is refused with the nearest", { timeout: TIMEOUT }, async () => {
  const { code, stdout, stderr } = await new User().run(["doctor", "--only", "errors", "--call", "raed", ...SERVER]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  const [, name, words] = /^toolwright: --call raed: (.*) has no such tool(.*)\n$/.exec(stderr) ?? [];
  expect(name).toMatch(NAME);
  expect(words).toBe("; did you mean read?");
});

test("--only with parts that a server does not have is refused with those that it has", async () => {
  const { code, stdout, stderr } = await new User().run(["doctor", "--only", "http", ...SERVER]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(
    /^toolwright: --only http has no check for .*: a program has the groups start, handshake, wire, lists, schemas, errors, limits\n$/,
  );
});

test("reports what clients start, even if our own server does not start", { timeout: TIMEOUT }, async () => {
  const user = new User();
  user.keep("project", "toolwright.config.json", "{");
  user.keep("home", ".cursor/mcp.json", { mcpServers: { lost: { command: "/no/such/program" } } });
  const { code, stdout } = await user.run(["doctor", "--only", "handshake"]);
  expect(code).toBe(3);
  expect(stdout).toContain("✗ Not reached. toolwright serve did not start: ");
  expect(stdout).not.toContain("did not start: toolwright: ");
  expect(stdout).toContain("The program /no/such/program does not exist, or cannot be run.");
  expect(stdout).toContain("1 of 2 servers could not be reached.");
});
