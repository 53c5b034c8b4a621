import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { connect } from "@toolwright/engine/client";
import { expect, onTestFinished, test } from "vitest";
import { blocksOf, readPage } from "../../../../tests/docs/pages.js";
import { folder, main, serve, stop, urlOf } from "../cli/listening.js";

/** The pack of the guide in a project that has installed the built package. */
function install(): { readonly project: string; readonly module: string } {
  const project = folder();
  const [code] = blocksOf(readPage("docs/guides/packs.md")).flatMap(({ words, code: text }) =>
    words[0] === "js" ? [text] : [],
  );
  const module = path.join(project, "notes.mjs");
  writeFileSync(module, code ?? "");
  mkdirSync(path.join(project, "node_modules"));
  symlinkSync(fileURLToPath(new URL("../..", import.meta.url)), path.join(project, "node_modules/toolwright"));
  mkdirSync(path.join(project, "notes"));
  writeFileSync(path.join(project, "notes/plan.md"), "# Plan\n");
  writeFileSync(path.join(project, "notes/secret.md"), "# Secret\n");
  return { project, module };
}

const run = (project: string, ...words: readonly string[]) =>
  spawnSync(process.execPath, [main, ...words], {
    cwd: project,
    encoding: "utf8",
    env: { ...process.env, XDG_STATE_HOME: path.join(project, "state") },
  });

async function open(project: string, ...words: readonly string[]) {
  const args = [main, "serve", "--pack", "notes.mjs", "--toolsets", "notes", ...words];
  const env = { ...process.env, XDG_STATE_HOME: path.join(project, "state") };
  const client = await connect({ command: process.execPath, args, cwd: project, env });
  onTestFinished(() => client.close());
  return client;
}

test("the pack of the guide brings tools and resources, under the file policy of the server", async () => {
  const { project } = install();
  const client = await open(project, "--hide", "notes/secret.md");
  expect((await client.listTools()).map(({ name }) => name)).toEqual(["read_note", "write_note", "read_result"]);
  expect(await client.callTool("write_note", { name: "next", text: "# Next\n" })).toMatchObject({
    content: [{ text: "Saved next." }],
  });
  expect(readFileSync(path.join(project, "notes/next.md"), "utf8")).toBe("# Next\n");
  expect(await client.callTool("read_note", { name: "plan" })).toMatchObject({ content: [{ text: "# Plan\n" }] });
  expect(await client.callTool("read_note", { name: "secret" })).toMatchObject({ isError: true });
  expect(await client.callTool("write_note", { name: "secret", text: "x" })).toMatchObject({ isError: true });
  const uris = (await client.listResources()).map(({ uri }) => uri);
  expect(uris.filter((uri) => uri.startsWith("note:"))).toEqual(["note://next", "note://plan"]);
  expect(await client.readResource("note://plan")).toMatchObject({ contents: [{ text: "# Plan\n" }] });
  await expect(client.readResource("note://secret")).rejects.toThrow();
});

test("its resources go with its tool, and its settings are validated", async () => {
  const { project } = install();
  const client = await open(project, "--without-tools", "read_note");
  await expect(client.readResource("note://plan")).rejects.toThrow();
  const wrong = run(project, "serve", "--pack", "notes.mjs", "--set", 'packs.notes={"folder":1}');
  expect(wrong).toMatchObject({ status: 2, stderr: expect.stringContaining("folder") });
});

test("its command runs with its settings, and is listed in the help", () => {
  const { project } = install();
  expect(run(project, "--pack", "notes.mjs", "notes").stdout).toBe("plan\nsecret\n");
  const configured = { files: { hidden: ["**/secret.md"] }, packModules: ["notes.mjs"], packs: { notes: {} } };
  writeFileSync(path.join(project, "my.json"), JSON.stringify(configured));
  const found = spawnSync(process.execPath, [main, "notes", "--json"], {
    cwd: project,
    encoding: "utf8",
    env: { ...process.env, TOOLWRIGHT_CONFIG: "my.json" },
  });
  expect(found).toMatchObject({ stderr: "", stdout: '["plan"]\n' });
  expect(run(project, "--pack=notes.mjs", "--help").stdout).toContain("List the notes of this project");
  expect(run(project, "--pack", "notes.mjs", "notes", "--help").stdout).toContain("--json");
  expect(run(project, "notes")).toMatchObject({ status: 2, stderr: expect.stringContaining("notes") });
});

test("its page is on the dashboard", async () => {
  const { project, module } = install();
  const child = serve(`--http 127.0.0.1:0 --pack ${module} --root ${project} --state ${path.join(project, "state")}`);
  const url = new URL("/notes", await urlOf("pages", child));
  const page = await (await fetch(url)).text();
  expect(page).toContain("<li>plan</li>");
  await stop(child);
});

test("the declarations of toolwright/pack are complete", () => {
  const { project } = install();
  const source = [
    'import { definePack, type FileAccess, type PackHost, READ, tool } from "toolwright/pack";',
    "export const read = async (access: FileAccess): Promise<string> => access.readText('a.md');",
    "export default definePack({",
    '  name: "typed", summary: "s",',
    '  settings: { type: "object", properties: { depth: { type: "integer", default: 1 } } },',
    "  open({ depth }, host: PackHost) {",
    "    const level: number | undefined = depth;",
    '    return { tools: [tool({ name: "a", description: "d", annotations: READ, run: () => `${level} ${host.stateFolder}` })] };',
    "  },",
    "});",
  ];
  writeFileSync(path.join(project, "typed.mts"), source.join("\n"));
  const compiler = fileURLToPath(new URL("../../../../node_modules/typescript/bin/tsc", import.meta.url));
  const types = fileURLToPath(new URL("../../../../node_modules/@types", import.meta.url));
  const options = [
    "--noEmit",
    "--strict",
    "--module",
    "nodenext",
    "--target",
    "es2023",
    "--typeRoots",
    types,
    "--types",
    "node",
  ];
  expect(execFileSync(process.execPath, [compiler, ...options, "typed.mts"], { cwd: project, encoding: "utf8" })).toBe(
    "",
  );
});
