import { spawn } from "node:child_process";
import { describe, expect, test } from "vitest";
import { codeOf, MAIN, makeFolder, makeProject, openV1, PATIENCE, put, textOf, until } from "./kit.js";

const versionOf = async (client: { callTool(wish: { name: string }): Promise<unknown> }): Promise<string> =>
  textOf(await client.callTool({ name: "version" }));

/** What the command says when it is given these words and lines. */
async function run(folder: string, words: readonly string[], input = "") {
  const child = spawn(process.execPath, [MAIN, "dev", ...words], { cwd: folder });
  const told = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    told.stdout += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    told.stderr += String(chunk);
  });
  child.stdin.end(input);
  const code = await new Promise((resolve) => child.on("close", resolve));
  return { ...told, code };
}

const INITIALIZE = `${JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
})}\n`;

describe("code that is broken", () => {
  test(
    "leaves the old code serving, says what is wrong and where, and is replaced when it is mended",
    async () => {
      const folder = makeProject(codeOf("v0"));
      const { client, heard } = await openV1(folder);
      put(folder, "src/server.ts", codeOf("v1").replace("const version: string =", "const version: string = = "));
      await until(() => heard.stderr.text.includes("the old code keeps serving: src/server.ts:8"));
      expect(await versionOf(client)).toBe("v0");
      put(folder, "src/wish.ts", 'export const folder: string = ".";\nthrow new Error("not yet");\n');
      put(folder, "src/server.ts", codeOf("v2"));
      await until(() => heard.stderr.text.includes("keeps serving: src/wish.ts:2:7: Error: not yet"));
      expect(await versionOf(client)).toBe("v0");
      put(folder, "src/wish.ts", "export interface Wish { readonly file?: string }\nexport const folder = '.';\n");
      await until(async () => (await versionOf(client)) === "v2");
    },
    PATIENCE,
  );

  test(
    "from the start answers requests with the cause",
    async () => {
      const folder = makeFolder({ "server.mjs": "\nconst a = ;\n" });
      const { stdout, stderr, code } = await run(folder, ["server.mjs"], INITIALIZE);
      const { id, error } = JSON.parse(stdout) as { id: number; error: { code: number; message: string } };
      expect(id).toBe(1);
      expect(error.code).toBe(-32603);
      expect(error.message).toContain("server.mjs:2: SyntaxError: Unexpected token ';'");
      expect(stderr).toContain("server.mjs:2");
      expect(code).toBe(0);
    },
    PATIENCE,
  );

  test(
    "that ends by itself is started again; the call that it took along is answered with the cause",
    async () => {
      const folder = makeProject(codeOf("v0"));
      const { client, heard } = await openV1(folder);
      for (const times of [1, 2]) {
        await expect(client.callTool({ name: "crash" })).rejects.toThrow("exited");
        await until(() => heard.stderr.text.split("restarted in").length === times + 1);
        expect(await versionOf(client)).toBe("v0");
      }
      expect(heard.changes).toEqual([]);
    },
    PATIENCE,
  );

  test(
    "that never finishes a call is ended after the time that was given",
    async () => {
      const folder = makeProject(codeOf("v0"));
      const { client } = await openV1(folder, ["src/server.ts", "--drain", "0.2"]);
      const call = client.callTool({ name: "wait", arguments: { file: "never" } });
      const failed = expect(call).rejects.toThrow("The code was replaced, and the request did not finish within 0.2 s");
      put(folder, "src/server.ts", codeOf("v1"));
      await failed;
      expect(await versionOf(client)).toBe("v1");
    },
    PATIENCE,
  );
});

describe("dev", () => {
  test(
    "keeps what the server prints by mistake off the wire",
    async () => {
      const code = codeOf("v0").replace("const input", 'process.stdout.write("hello\\n");\nconst input');
      const { stdout, stderr, code: ending } = await run(makeProject(code), ["src/server.ts"], INITIALIZE);
      expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { serverInfo: { name: "made" } } });
      expect(stderr).toContain("hello");
      expect(ending).toBe(0);
    },
    PATIENCE,
  );

  test(
    "runs any command, and gives a file what follows --",
    async () => {
      const server = `import { createServer, serveStdio } from "@toolwright/engine";
await serveStdio(createServer({ name: process.argv[2] ?? "none", version: "1.0.0" }));`;
      const folder = makeFolder({ "server.mjs": server });
      const ways = [
        ["server.mjs", "--", "first"],
        ["--", process.execPath, "server.mjs", "second"],
      ];
      const told = await Promise.all(ways.map((words) => run(folder, words, INITIALIZE)));
      expect(told.map(({ stdout }) => (JSON.parse(stdout) as never)["result"]["serverInfo"]["name"])).toEqual([
        "first",
        "second",
      ]);
    },
    PATIENCE,
  );

  test(
    "says of a command that is not there that it is not",
    async () => {
      const { stdout, code } = await run(makeFolder({}), ["--", "no-such-program"], INITIALIZE);
      expect(JSON.parse(stdout)).toMatchObject({
        id: 1,
        error: { message: expect.stringContaining("no-such-program") },
      });
      expect(code).toBe(0);
    },
    PATIENCE,
  );

  test.each([
    [[], 2, "dev needs a file"],
    [["server.py"], 2, "server.py is not a .ts, .mts, .js or .mjs file"],
    [["none.ts"], 2, "The file none.ts does not exist"],
    [["a.ts", "b.ts"], 2, 'Unexpected argument "b.ts"'],
    [["--drain", "soon", "a.ts"], 2, '--drain must be a time such as 90s, 15m or 2h, not "soon"'],
  ])("refuses %j", async (words, code, message) => {
    const told = await run(makeFolder({}), words);
    expect(told.stderr).toContain(message);
    expect(told.code).toBe(code);
  });
});
