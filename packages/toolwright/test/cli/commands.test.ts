import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { Child, call, initialize, ping, textOf } from "../../../engine/test/stdio/child.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const readJson = (path: string) => JSON.parse(readFileSync(root + path, "utf8")) as Record<string, unknown>;

function toolwright(...args: string[]): Child {
  return new Child(process.execPath, [`${root}packages/toolwright/dist/main.js`, ...args]);
}

async function outputOf(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = toolwright(...args);
  child.process.stdin.end();
  const { code } = await child.ended;
  return { code, stdout: child.lines.join("\n"), stderr: child.stderr };
}

describe("toolwright serve", () => {
  test("serves its tools over stdio, and says nothing on stderr to a client", async () => {
    const child = toolwright("serve");
    child.send(initialize(0), { jsonrpc: "2.0", method: "notifications/initialized" });
    expect(await child.answer(0)).toMatchObject({
      result: {
        protocolVersion: "2025-11-25",
        serverInfo: { name: "toolwright", title: "Toolwright", version: "0.1.0" },
      },
    });
    child.send({ jsonrpc: "2.0", id: 1, method: "tools/list" }, call(2, "echo", { text: "hello" }));
    const { tools } = (await child.answer(1))["result"] as { tools: { name: string }[] };
    const names = tools.map(({ name }) => name);
    expect([names.slice(0, 2), names.at(-1)]).toEqual([["echo", "current_time"], "read_result"]);
    expect(names).toContain("fs_read_file");
    expect(textOf(await child.answer(2))).toBe("hello");
    child.send(call(3, "current_time", { time_zone: "Europe/Paris" }), call(4, "current_time", { time_zone: "Mars" }));
    expect(await child.answer(3)).toMatchObject({ result: { structuredContent: { time_zone: "Europe/Paris" } } });
    expect(textOf(await child.answer(4))).toBe(
      'Unknown time zone "Mars". Give an IANA name such as Europe/Paris or America/New_York.',
    );
    child.process.stdin.end();
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(child.stderr).toBe("");
  });

  test("answers the example of its help", async () => {
    const child = toolwright("serve");
    child.send(ping(1));
    child.process.stdin.end();
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(child.lines).toEqual(['{"jsonrpc":"2.0","id":1,"result":{}}']);
  });
});

describe("toolwright", () => {
  test.each([["--help"], ["-h"], ["help"], []])("%s prints the help and ends with code 0", async (...args) => {
    const { code, stdout, stderr } = await outputOf(...args.filter((word) => word !== undefined));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^toolwright: an MCP server/);
    for (const line of ["  serve  ", "  key  ", "-v, --version  ", "-h, --help  "]) {
      expect(stdout).toContain(line);
    }
    expect(stderr).toBe("");
  });

  test.each([["--version"], ["-v"]])("%s prints the version of the package", async (flag) => {
    const { version } = readJson("packages/toolwright/package.json");
    expect(await outputOf(flag)).toEqual({ code: 0, stdout: version, stderr: "" });
  });

  test.each([["--help"], ["-h"], ["--http", "--help"]])("serve %s prints the help on serving", async (...args) => {
    const { code, stdout, stderr } = await outputOf("serve", ...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Serve tools to MCP clients/);
    expect(stdout).toContain("\nExamples\n");
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
  });

  test.each([
    [["frobnicate"], 'Unknown command "frobnicate"', "toolwright"],
    [["--port", "80"], 'Unknown command "--port"', "toolwright"],
    [["serve", "--port"], "Unknown option --port", "toolwright serve"],
    [["serve", "--state", "folder", "--port"], "Unknown option --port", "toolwright serve"],
    [["serve", "--api-key=tw_secret"], "Unknown option --api-key", "toolwright serve"],
    [["serve", "--state"], "--state needs a value: --state FOLDER", "toolwright serve"],
    [["serve", "--sse"], "--sse needs --http beside it", "toolwright serve"],
    [["serve", "--http", "--http"], "--http is given twice", "toolwright serve"],
    [["key"], "Missing argument NAME", "toolwright key"],
    [
      ["key", "#ada"],
      '"#ada" is not a valid name or scope: use letters, digits and punctuation, no spaces',
      "toolwright key",
    ],
  ])("%j is refused with code 2 and a hint", async (args, fault, help) => {
    expect(await outputOf(...args)).toEqual({
      code: 2,
      stdout: "",
      stderr: `toolwright: ${fault}. Run "${help} --help" for usage.\n`,
    });
  });
});

describe("what serve keeps", () => {
  const folders: string[] = [];
  const folder = (): string => {
    const made = mkdtempSync(join(tmpdir(), "toolwright-state-"));
    folders.push(made);
    return join(made, "state");
  };
  afterAll(() => {
    for (const made of folders) rmSync(made, { recursive: true });
  });
  const open = (state: string, ...options: readonly string[]): Child => {
    const child = toolwright("serve", "--state", state, ...options);
    child.send(initialize(0), { jsonrpc: "2.0", method: "notifications/initialized" });
    return child;
  };
  const end = async (child: Child): Promise<void> => {
    child.process.stdin.end();
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(child.stderr).toBe("");
  };

  test("makes no file before something has to be kept", async () => {
    const state = folder();
    const child = open(state);
    child.send(call(1, "echo", { text: "short" }));
    expect(textOf(await child.answer(1))).toBe("short");
    await end(child);
    expect(existsSync(state)).toBe(false);
  });

  test("a long result can be read on by its handle", async () => {
    const child = open(folder(), "--set", "limits.argumentLength=1000000");
    child.send(call(1, "echo", { text: `${"line\n".repeat(100_000)}the end` }));
    const cut = await child.answer(1);
    expect(JSON.stringify(cut).length).toBeLessThan(80_000);
    const { handle } =
      (cut["result"] as { _meta: Record<string, { handle: string }> })._meta["toolwright/result"] ?? {};
    child.send(call(2, "read_result", { handle, search: "the end" }));
    expect(textOf(await child.answer(2))).toContain("100001: the end");
    await end(child);
  });

  test("tasks are looked for in a database that only this user can read", async () => {
    const state = folder();
    const child = open(state);
    child.send({ jsonrpc: "2.0", id: 1, method: "tasks/list" });
    expect(await child.answer(1)).toEqual({ jsonrpc: "2.0", id: 1, result: { tasks: [] } });
    await end(child);
    expect(statSync(join(state, "tasks.db")).mode & 0o777).toBe(0o600);
  });

  test("a state folder that cannot be used costs the tasks, not the server", async () => {
    const state = folder();
    writeFileSync(state, "a file, no folder");
    const child = open(state);
    child.send({ jsonrpc: "2.0", id: 1, method: "tasks/list" }, call(2, "echo", { text: "still here" }));
    expect(await child.answer(1)).toMatchObject({ error: { code: -32603 } });
    expect(textOf(await child.answer(2))).toBe("still here");
    child.process.stdin.end();
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(child.stderr).toContain("tasks.db");
  });
});

describe.skipIf(!existsSync(`${root}README.md`))("the README", () => {
  const text = existsSync(`${root}README.md`) ? readFileSync(`${root}README.md`, "utf8") : "";
  const blocks = [...text.matchAll(/^```(?:sh|bash|shell|console)\n([\s\S]*?)^```/gm)].map(([, block]) => block ?? "");
  const commands = blocks
    .flatMap((block) => block.split(/\n|&&|\||;/))
    .map((line) => line.replace(/^\s*\$?\s*/, "").trim());

  test("shows commands", () => expect(commands.some((command) => command.startsWith("npm "))).toBe(true));

  test("names only scripts that exist", () => {
    const { scripts } = readJson("package.json") as { scripts: Record<string, string> };
    const named = commands.flatMap((command) => /^npm (?:run )?([\w:-]+)/.exec(command)?.[1] ?? []);
    const builtIn = new Set(["ci", "install", "i", "exec", "pack", "publish", "run"]);
    expect(named.filter((name) => !builtIn.has(name) && !(name in scripts))).toEqual([]);
  });

  test("names only commands of toolwright that exist", () => {
    const named = commands.flatMap((command) => /^(?:npx )?toolwright(?: ([\w-]+))?/.exec(command)?.[1] ?? []);
    const known = new Set("serve key install doctor list call dev new task --help --version help".split(" "));
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  test("names only files that exist", () => {
    const named = commands.flatMap((command) => /^node (?:--\S+ )*(\S+\.m?js)/.exec(command)?.[1] ?? []);
    expect(named.filter((path) => !path.includes("/dist/") && !existsSync(root + path))).toEqual([]);
  });
});
