import { expect, test } from "vitest";
import { main } from "../cli/listening.js";
import { User } from "./shell.js";

/** A server whose answers to some methods are written here as JavaScript. */
function script(user: User, answers: string): string[] {
  const file = user.keep(
    "home",
    "strange.mjs",
    `import readline from "node:readline";
     const EVIL = "\\u001b]0;PWNED\\u0007\\u001b[2J";
     const hands = { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "strange", version: "1" } };
     const tool = { name: "read", inputSchema: { type: "object" } };
     const answers = { initialize: { result: hands }, "tools/list": { result: { tools: [tool] } }, ${answers} };
     readline.createInterface({ input: process.stdin }).on("line", (line) => {
       const { id, method } = JSON.parse(line);
       const answer = answers[method] ?? { error: { code: -32601, message: "Method not found" } };
       if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...answer }) + "\\n");
     });`,
  );
  return ["--", process.execPath, file];
}

test.each([
  ["an error message", ["call", "read"], '"tools/call": { error: { code: 1, message: EVIL } }'],
  ["a revision", ["list"], "initialize: { result: { ...hands, protocolVersion: EVIL } }"],
  [
    "the name of an argument",
    ["call", "read"],
    '"tools/list": { result: { tools: [{ ...tool, inputSchema: { type: "object", properties: { [EVIL]: {} }, required: [EVIL] } }] } }',
  ],
  ["its last words", ["call", "read"], "get initialize() { console.error(EVIL); process.exit(1); }"],
])("the escape codes of a server reach no terminal through %s", async (_name, words, answers) => {
  const user = new User();
  const { code, stderr } = await user.run([...words, ...script(user, answers)]);
  expect(code).toBeGreaterThan(0);
  expect(stderr).toContain("␛]0;PWNED␇␛[2J");
  expect(stderr).not.toContain("\u0007");
  expect(stderr).not.toContain("\u001b");
});

test("a list with entries that are none shows the others", async () => {
  const user = new User();
  const strange = script(user, '"tools/list": { result: { tools: [null, 7, tool] } }');
  const { code, stdout } = await user.run(["list", "tools", ...strange]);
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Tools \(1\)\n.*\n {2}read/) });
});

test("a list whose pages never end is refused in words", async () => {
  const user = new User();
  const endless =
    '"tools/list": { get result() { return { tools: [tool], nextCursor: String(process.hrtime.bigint()) }; } }';
  const { code, stderr } = await user.run(["list", ...script(user, endless)]);
  expect({ code, stderr }).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("toolwright: Cannot list tools/list: more pages follow after 1001 entries"),
  });
});

test("a block of content that is none is shown as what it is", async () => {
  const user = new User();
  const strange = script(user, '"tools/call": { result: { content: [null, { type: "text", text: "beside" }] } }');
  expect(await user.run(["call", "read", ...strange])).toEqual({ code: 0, stdout: "[null]\nbeside\n", stderr: "" });
});

test.each([
  ["list", 0, 'No client has a configuration file. "toolwright install" adds a server to clients.\n'],
  ["dev", 1, "toolwright: The current folder does not exist any more; go to another one\n"],
])("%s in a folder that is gone does what can be done there", async (command, code, stderr) => {
  const user = new User();
  const words = [user.project, process.execPath, main, command, ...(command === "dev" ? ["--", "node", "x"] : [])];
  const child = user.start("sh", ["-c", 'rmdir "$1" && shift && exec "$@"', "sh", ...words]);
  child.process.stdin.end();
  expect({ code: (await child.ended).code, stderr: child.stderr }).toEqual({ code, stderr });
});
