import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { MAIN, makeFolder, PATIENCE } from "./kit.js";

/** A pack of somebody else, in the one form or the other. */
const packOf = (name: string, tool: string, how = "export const pack ="): string => `
import { pack as define, tool } from "@toolwright/engine";
const made = define({
  name: "${name}",
  settings: { type: "object", properties: { word: { type: "string", default: "none" } } },
  open: ({ word }) => ({
    tools: [tool({ name: "${tool}", description: "Tells.", input: { type: "object" }, run: () => "the word is " + word })],
  }),
});
${how} made;
`;

/** A pack with a tool that does this. */
const packThat = (deed: string): string => `
import { content, internalError, pack as define, text, tool, ToolError } from "@toolwright/engine";
const mine = tool({ name: "mine", description: "Does.", input: { type: "object" }, run: () => { ${deed}; } });
export const pack = define({ name: "mine", open: () => ({ tools: [mine] }) });
`;

const METHODS = [
  {
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/list" },
  { id: 3, method: "tools/call", params: { name: "mine", arguments: {} } },
];

/** Serves a client that lists the tools and calls one, and gives what both were told. */
async function serve(folder: string, words: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const state = ["--state", folder];
  const child = spawn(process.execPath, [MAIN, "serve", ...words, ...state], {
    cwd: folder,
    env: { ...process.env, ...env },
  });
  const told = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    told.stdout += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    told.stderr += String(chunk);
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(METHODS.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""));
  const code = await new Promise((resolve) => child.on("close", resolve));
  return { ...told, code };
}

const SETTINGS = JSON.stringify({ packModules: ["packs/mine.mjs"], packs: { mine: { word: "blue" } } });

describe("a pack of an outside author", () => {
  test.each(["export const pack =", "export default", "export const words ="])(
    "is served beside ours: %s",
    async (how) => {
      const folder = makeFolder({ "packs/mine.mjs": packOf("mine", "mine", how) });
      const { stdout } = await serve(folder, ["--pack", "packs/mine.mjs"]);
      expect(stdout).toContain("the word is none");
      expect(stdout).toContain('"name":"echo"');
    },
    PATIENCE,
  );

  test.each([
    ["fails", 'throw new ToolError("out of paint", { code: "EMPTY" })', '"text":"out of paint"'],
    [
      "gives blocks",
      'return content(text("one"), text("two"))',
      '[{"type":"text","text":"one"},{"type":"text","text":"two"}]',
    ],
    [
      "refuses the request",
      'throw internalError("no more today")',
      '"error":{"code":-32603,"message":"no more today"}',
    ],
  ])(
    "is understood when it %s with a copy of the engine that is its own",
    async (_, deed, said) => {
      const folder = makeFolder({ "packs/mine.mjs": packThat(deed) });
      expect((await serve(folder, ["--pack", "packs/mine.mjs"])).stdout).toContain(said);
    },
    PATIENCE,
  );

  test(
    "gets its settings from a file that was named, by a flag or by the environment",
    async () => {
      const folder = makeFolder({ "packs/mine.mjs": packOf("mine", "mine"), "my.json": SETTINGS });
      expect((await serve(folder, ["--config", "my.json"])).stdout).toContain("the word is blue");
      expect((await serve(folder, [], { TOOLWRIGHT_CONFIG: "my.json" })).stdout).toContain("the word is blue");
      const env = { TOOLWRIGHT_PACK_MODULES: "packs/mine.mjs", TOOLWRIGHT_PACKS_MINE: '{"word":"red"}' };
      expect((await serve(folder, [], env)).stdout).toContain("the word is red");
    },
    PATIENCE,
  );

  test(
    "is not loaded because a file that was merely found says so",
    async () => {
      const code = 'import { writeFileSync } from "node:fs"; writeFileSync("loaded", "");';
      const folder = makeFolder({ "packs/mine.mjs": code, "toolwright.config.json": SETTINGS });
      const { stdout, stderr, code: ending } = await serve(folder, []);
      const words =
        "packModules in toolwright.config.json:1 would run code, and toolwright.config.json was only found in this folder; if you trust it, start with --config toolwright.config.json";
      expect(stderr).toContain(words);
      expect(stdout).toContain("would run code");
      expect(ending).toBe(2);
      expect(readdirSync(folder)).not.toContain("loaded");
    },
    PATIENCE,
  );

  test.each([
    ["a pack of ours", packOf("todo", "mine"), `one of toolwright's own is called "todo" too`],
    ["a tool of ours", packOf("mine", "echo"), `its tool "echo" has the name of one of toolwright's own`],
    ["no pack", "export const pack = 7;", "it exports none; export what definePack({ … })"],
    ["a name that is none", packOf("My Pack", "mine"), '"My Pack" is no name'],
    ["a fault", "nonsense(;", "Cannot use the pack of packs/mine.mjs: Unexpected token"],
    ["settings that it does not know", undefined, "packs.mine"],
  ])(
    "that has %s is refused by the name of its module or pack",
    async (_, text, message) => {
      const folder = makeFolder({ "packs/mine.mjs": text ?? packOf("mine", "mine") });
      const more = text === undefined ? ["--set", 'packs.mine={"wrod":"blue"}'] : [];
      const { stderr, code } = await serve(folder, ["--pack", "packs/mine.mjs", ...more]);
      expect(stderr).toContain(message);
      expect(stderr).toContain("mine");
      expect(code).not.toBe(0);
    },
    PATIENCE,
  );
});
