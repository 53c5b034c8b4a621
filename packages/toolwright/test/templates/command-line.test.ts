import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { Child } from "../../../engine/test/stdio/child.js";
import { putFile } from "../../../templates/test/kit.js";
import { folder, main } from "../cli/listening.js";
import { findTerminal } from "../cli/pseudo-terminal.js";

/** Runs the command in a folder, with nobody at a terminal. */
function run(words: readonly string[], cwd = folder(), input = "") {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, SOURCE_DATE_EPOCH: "0" },
    input,
  });
  return { status, stdout, stderr };
}

/** A folder with one template of the user's. */
async function ownTemplates(): Promise<string> {
  const directory = folder();
  const about = `
description: Says who owns it.
filename: OWNER
parameters:
  - { name: owner, type: string, description: Who owns it., required: true }
  - { name: tags, type: array, description: Words about it., default: [] }
`;
  await putFile(directory, "owner/go/cli/template.yaml", about);
  await putFile(directory, "owner/go/cli/body.liquid", "{{ owner }} in {{ current_year }}: {{ tags | join: ' ' }}\n");
  return directory;
}

describe("toolwright template", () => {
  test("lists, shows, renders and validates templates, also those of the user", async () => {
    const cwd = folder();
    const own = ["--directory", await ownTemplates()];
    const listed = run(["template", "list", "--category", "owner", ...own], cwd);
    expect(listed).toEqual({ status: 0, stdout: "go\n  owner/go/cli  (yours) Says who owns it.\n", stderr: "" });
    expect(run(["template", "show", "owner/go/cli", ...own], cwd).stdout).toBe(
      [
        "Go CLI owner: Says who owns it.",
        "  template://owner/go/cli",
        "  file OWNER",
        "",
        "Parameters (* = required)",
        "  owner*  string  Who owns it.",
        "  tags    list    Words about it.",
        "",
      ].join("\n"),
    );
    const made = run(["template", "generate", "owner/go/cli", "owner=Ada", "tags=a,b", ...own], cwd);
    expect(made).toEqual({ status: 0, stdout: "Ada in 1970: a b\n", stderr: "" });
    const checked = run(["template", "validate", "owner/go/cli", "ownr=Ada", ...own], cwd);
    expect([checked.status, checked.stdout]).toEqual([
      1,
      "owner is required: Who owns it.\nownr is unknown; did you mean owner?\n",
    ]);
  });

  test("uses the directory of the configuration", async () => {
    const cwd = await ownTemplates();
    writeFileSync(
      path.join(cwd, "toolwright.config.json"),
      JSON.stringify({ packs: { templates: { directory: "." } } }),
    );
    expect(run(["template", "search", "who owns"], cwd).stdout).toBe(
      "  3  template://owner/go/cli  Go CLI owner: Says who owns it.\n",
    );
  });

  test("asks nothing without a terminal, and reports errors", () => {
    expect(run(["template", "generate", "makefile/rust/cli"])).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringContaining("project_name is required"),
    });
    expect(run(["template", "generate", "makefile/rust/clu", "project_name=x"])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("Did you mean template://makefile/rust/cli?"),
    });
    expect(run(["template", "shw"]).stderr).toContain('Unknown command "template shw"; did you mean show?');
    expect(run(["template", "show", "x", "--toolchain", "go"]).stderr).toContain("Unknown option --toolchain");
  });
});

test("toolwright serve has the error codes of compat.errors", () => {
  const params = { protocolVersion: "2024-11-05", capabilities: {}, clientInfo: { name: "old", version: "1" } };
  const uri = "template://makefile/rust/nothing";
  const messages = [
    { id: 1, method: "initialize", params },
    { method: "notifications/initialized" },
    {
      id: 2,
      method: "tools/call",
      params: { name: "generate_template", arguments: { resource_uri: uri, parameters: {} } },
    },
    { id: 3, method: "resources/read", params: { uri } },
  ];
  const input = messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
  const errors = { TEMPLATE_NOT_FOUND: { code: -32000 }, RESOURCE_NOT_FOUND: { code: -32000 } };
  const { stdout } = run(["serve", "--no-config", "--set", `compat.errors=${JSON.stringify(errors)}`], folder(), input);
  const answers = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { id?: number; error?: { code: number } });
  const codeOf = (id: number) => answers.find((answer) => answer.id === id)?.error?.code;
  expect([codeOf(2), codeOf(3)]).toEqual([-32000, -32000]);
});

describe("toolwright template without a match", () => {
  test.each([
    [["list", "--toolchain", "nope"], "", "No template matches"],
    [["list", "--toolchain", "nope", "--json"], "[]\n", "No template matches"],
    [["search", "zzzz"], "", 'No template has "zzzz"'],
    [["search", "zzzz", "--json"], "[]\n", 'No template has "zzzz"'],
  ])("%j ends with 1", (words, stdout, said) => {
    expect(run(["template", ...words])).toEqual({ status: 1, stdout, stderr: expect.stringContaining(said) });
  });
});

describe("toolwright new", () => {
  const MAKE = ["new", "go", "demo", "--templates", "makefile,gitignore"];

  test("makes a project named after its folder, and updates it", () => {
    const cwd = folder();
    expect(run(MAKE, cwd)).toMatchObject({ status: 0, stdout: "demo/Makefile\ndemo/.gitignore\n", stderr: "" });
    expect(readFileSync(path.join(cwd, "demo/Makefile"), "utf8")).toContain("demo");
    expect(run(["new", "--update", "demo"], cwd)).toMatchObject({ status: 0, stdout: "" });
    writeFileSync(path.join(cwd, "demo/Makefile"), "mine\n");
    const kept = run(MAKE, cwd);
    expect([kept.status, kept.stderr]).toEqual([1, expect.stringContaining("demo/Makefile already exists")]);
    expect(kept.stderr).toContain("Use --on-conflict skip to keep");
    const unsaid = run([...MAKE, "--dry-run"], cwd);
    expect([unsaid.status, unsaid.stderr]).toEqual([0, "exists    demo/Makefile\n"]);
    const shown = run([...MAKE, "--dry-run", "--on-conflict", "overwrite"], cwd);
    expect([shown.status, shown.stdout.split("\n")[0]]).toEqual([0, "--- a/demo/Makefile"]);
    expect(readFileSync(path.join(cwd, "demo/Makefile"), "utf8")).toBe("mine\n");
  });

  test("an update reports deleted files and unresolved conflicts", () => {
    const cwd = folder();
    const make = ["new", "go", "demo", "--templates", "readme,gitignore", "author=Ada", "description=One."];
    expect(run(make, cwd).status).toBe(0);
    const readme = path.join(cwd, "demo/README.md");
    rmSync(path.join(cwd, "demo/.gitignore"));
    writeFileSync(readme, readFileSync(readme, "utf8").replaceAll("One.", "Mine."));
    const update = (text: string) => run(["new", "--update", "demo", `description=${text}`], cwd).stderr;
    expect(update("Two.")).toBe(
      "conflict  demo/README.md (1 to resolve)\nleft      demo/.gitignore (you deleted it; it is not restored)\n",
    );
    expect(update("Three.")).toContain("left      demo/README.md (1 to resolve first)\n");
  });

  test("writes nothing if parameters are missing or the toolchain is unknown", () => {
    const cwd = folder();
    const refused = run(["new", "rust", "demo"], cwd);
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringMatching(/description=…[^]*author=…/)]);
    expect(run(["new", "rst", "demo"], cwd)).toMatchObject({
      status: 2,
      stderr: 'toolwright: There is no toolchain "rst"; did you mean rust?\n',
    });
    expect(run(["new", "rust"], cwd)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("new needs a folder"),
    });
    expect(existsSync(path.join(cwd, "demo"))).toBe(false);
  });
});

describe("toolwright new rejects unknown values, and writes nothing", () => {
  const ALL = ["new", "rust", "demo", "author=Ada", "description=A demo."];

  test.each([
    [[...ALL, "--variant", "clu"], 'There is no variant "clu"; did you mean cli?'],
    [[...ALL, "--without", "makefil"], 'There is no category "makefil"; did you mean makefile?'],
    [[...ALL, "--templates", "makefile,nope"], 'nope: There is no template "nope" for rust'],
    [["new", "--update", "demo", "--on-conflict", "skip"], "--update cannot be used together with --on-conflict"],
  ])("%j", (words, said) => {
    const cwd = folder();
    expect(run(words, cwd)).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining(said) });
    expect(existsSync(path.join(cwd, "demo"))).toBe(false);
  });

  test.each([
    [["new", "server", "my.server"], "project_name=my.server  must match", "project_name=my-server"],
    [["new", "go", "1 Düne", "--templates", "makefile"], "project_name=1 Düne  must match", "project_name=Dune"],
  ])("%j, whose folder is no valid name, and suggests one", (words, said, hint) => {
    const cwd = folder();
    const refused = run(words, cwd);
    expect([refused.status, refused.stdout]).toEqual([2, ""]);
    expect(refused.stderr).toContain(said);
    expect(refused.stderr).toContain(`The name of the folder is the default. To use another one: ${hint}\n`);
    expect(existsSync(path.join(cwd, words[2] ?? ""))).toBe(false);
    expect(run([...words, hint], cwd)).toMatchObject({ status: 0, stderr: "" });
  });

  test("the hint for a folder without answers is a command", () => {
    expect(run(["new", "--update", "nowhere"]).stderr).toContain(
      "To make the project from templates, run: toolwright new",
    );
  });
});

const terminal = findTerminal();

describe.skipIf(terminal === undefined)("on a terminal, toolwright new", () => {
  /** Runs the command at a terminal, and types answers to its questions. */
  function open(cwd: string, words: string) {
    const line = `env -C '${cwd}' '${process.execPath}' '${main}' ${words}`;
    const [command, args] = (terminal as NonNullable<typeof terminal>)(line);
    const child = new Child(command, args);
    const screen = (): string => [...child.lines, child.unfinished].join("\n");
    const type = async (question: string, answer: string): Promise<void> => {
      await child.until(() => screen().includes(question), question);
      child.write(answer);
    };
    return { child, screen, type };
  }

  test("asks for what is missing, and before it writes", async () => {
    const cwd = folder();
    const { child, type } = open(cwd, "new --templates readme --variant cli");
    await type("toolchain*: ", "rust\r");
    await type("folder*: ", "demo\r");
    await type("description*: ", "A demo.\r");
    await type("Write these 1 files?", "yes\r");
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(readFileSync(path.join(cwd, "demo/README.md"), "utf8")).toContain("A demo.");
  });

  test("asks before it updates", async () => {
    const cwd = folder();
    run(["new", "go", "demo", "--templates", "makefile,license", "author=Ada"], cwd);
    const place = path.join(cwd, "demo/LICENSE");
    const [said, wish] = [(): string => readFileSync(place, "utf8"), "new --update demo author=Grace"];
    const refused = open(cwd, wish);
    await refused.type("Write these changes?", "no\r");
    expect(await refused.child.ended).toEqual({ code: 1, signal: null });
    expect([said().includes("Ada"), refused.screen().includes("updated   demo/LICENSE")]).toEqual([true, true]);
    const agreed = open(cwd, wish);
    await agreed.type("Write these changes?", "yes\r");
    expect(await agreed.child.ended).toEqual({ code: 0, signal: null });
    expect(said()).toContain("Grace");
  });

  test("does not ask if a file exists", async () => {
    const cwd = folder();
    await putFile(cwd, "demo/Makefile", "mine\n");
    const { child, screen } = open(cwd, "new go demo --templates makefile");
    expect(await child.ended).toEqual({ code: 1, signal: null });
    expect(screen()).toContain("demo/Makefile already exists");
    expect(screen()).not.toContain("Write these");
  });
});
