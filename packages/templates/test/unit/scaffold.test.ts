import { chmod, chown, mkdir, readdir, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { makeFolder, openTestServer } from "../kit.js";
import { samples } from "../samples.js";

const ASK = { toolchain: "rust", templates: ["makefile", "readme"], parameters: { project_name: "demo" } };
const paths = (result: JsonObject): string[] => (result["files"] as { path: string }[]).map((file) => file.path);

describe("scaffold_project", () => {
  test("returns the files and writes nothing", async () => {
    const { call, root } = await openTestServer();
    const made = await call("scaffold_project", ASK);
    expect(made).toMatchObject({ errors: [], skipped: [], written: [] });
    expect(made["files"]).toMatchObject([
      { path: "demo/Makefile", template: "template://makefile/rust/cli", content: expect.stringContaining("# demo\n") },
      { path: "demo/README.md", template: "template://readme/any/default", content: "# Demo\n\nMade in 2031.\n" },
    ]);
    expect(await readdir(root)).toEqual([]);
  });

  test("a template that is unknown or fails does not prevent the others", async () => {
    const { call } = await openTestServer();
    const made = await call("scaffold_project", {
      ...ASK,
      templates: ["makefil", "readme", "makefile/lib", "makefile", "template://script/deno/cli", "template://a/b"],
      parameters: { project_name: "demo", tagine: "typo" },
    });
    expect(paths(made)).toEqual(["demo/README.md", "demo/Makefile"]);
    expect(made["errors"]).toEqual([
      {
        template: "makefil",
        code: "TEMPLATE_NOT_FOUND",
        error: 'There is no template "makefil" for rust; did you mean "makefile"?',
      },
      {
        template: "makefile/lib",
        code: "TEMPLATE_NOT_FOUND",
        error: 'There is no "makefile/lib" for rust; did you mean "makefile/cli"?',
      },
      {
        template: "template://a/b",
        code: "INVALID_TEMPLATE_URI",
        error: expect.stringContaining("it has 2 parts instead of three"),
      },
      {
        template: "*",
        code: "INVALID_ARGUMENTS",
        error: "parameters.tagine is not a parameter of these templates; did you mean tagline?",
      },
      {
        template: "template://script/deno/cli",
        code: "INVALID_ARGUMENTS",
        error: expect.stringContaining("note is required here"),
      },
    ]);
  });

  test("a name with three parts is a URI without the scheme, one with more is invalid", async () => {
    const { call } = await openTestServer();
    const made = await call("scaffold_project", {
      ...ASK,
      templates: ["makefile/rust/cli", "makefile/cli/zzz", "makefile/cli/../../etc"],
    });
    expect(paths(made)).toEqual(["demo/Makefile"]);
    expect(made["errors"]).toMatchObject([
      { template: "makefile/cli/zzz", code: "TEMPLATE_NOT_FOUND" },
      { template: "makefile/cli/../../etc", code: "INVALID_TEMPLATE_URI" },
    ]);
  });

  test("parameters are shared: one that only other templates have is not an error", async () => {
    const bare = { category: "bare", toolchain: "rust", variant: "cli", description: "x", parameters: [], body: "" };
    const { call } = await openTestServer({ catalogue: [...samples, { ...bare, filename: "bare" }] });
    const made = await call("scaffold_project", {
      toolchain: "rust",
      templates: ["bare"],
      parameters: { project_name: "demo", tagline: "A demo." },
    });
    expect([paths(made), made["errors"]]).toEqual([["demo/bare"], []]);
  });

  test("an unknown toolchain is an error", async () => {
    const { call } = await openTestServer();
    const made = await call("scaffold_project", { ...ASK, toolchain: "pyton", templates: ["makefile"] });
    expect(made["files"]).toEqual([]);
    expect(made["errors"]).toMatchObject([{ error: 'There is no toolchain "pyton"; known: rust, deno, any.' }]);
  });

  test("writes into the folder of the project or into a target, with modes and an answers file", async () => {
    const { call, read, root } = await openTestServer();
    const parameters = { project_name: "demo", note: "it's on" };
    const made = await call("scaffold_project", {
      toolchain: "deno",
      templates: ["script", "readme"],
      parameters,
      write: true,
      target: "here/there",
    });
    expect(made).toMatchObject({ errors: [], written: ["here/there/run.sh", "here/there/README.md"] });
    expect(await read("here/there/run.sh")).toBe("#!/bin/sh\necho 'it'\\''s on'\n");
    expect((await stat(path.join(root, "here/there/run.sh"))).mode & 0o777).toBe(0o755);
    const answers = JSON.parse((await read("here/there/.toolwright-answers.json")) ?? "");
    expect(answers).toMatchObject({ format: 1, toolchain: "deno", made_at: "2031-05-06T07:08:09.000Z", parameters });
    expect(Object.keys(answers.files)).toEqual(["run.sh", "README.md"]);
    expect(answers.pending).toBeUndefined();
    await call("scaffold_project", { ...ASK, write: true });
    expect(await read("demo/Makefile")).toContain("# demo");
  });

  test("writes nothing if other files exist, and names all of them", async () => {
    const { fail, put, read } = await openTestServer();
    await put("demo/Makefile", "mine\n");
    const failed = await fail("scaffold_project", { ...ASK, write: true });
    expect([failed.code, failed.details["paths"]]).toEqual(["ALREADY_EXISTS", ["demo/Makefile"]]);
    expect(await read("demo/Makefile")).toBe("mine\n");
    expect(await read("demo/README.md")).toBeUndefined();
    expect(await read("demo/.toolwright-answers.json")).toBeUndefined();
  });

  test("keeps or replaces existing files with on_conflict", async () => {
    const { call, put, read } = await openTestServer();
    await put("demo/Makefile", "mine\n");
    const kept = await call("scaffold_project", { ...ASK, write: true, on_conflict: "skip" });
    expect(kept).toMatchObject({ skipped: ["demo/Makefile"], written: ["demo/README.md"] });
    expect(await read("demo/Makefile")).toBe("mine\n");
    const replaced = await call("scaffold_project", { ...ASK, write: true, on_conflict: "overwrite" });
    expect(replaced).toMatchObject({ unchanged: ["demo/README.md"], written: ["demo/Makefile"] });
    expect(await read("demo/Makefile")).toContain("cargo");
    const again = await call("scaffold_project", { ...ASK, write: true });
    expect(again).toMatchObject({ unchanged: ["demo/Makefile", "demo/README.md"], written: [] });
  });

  test("returns a diff and changes nothing with dry_run", async () => {
    const { call, put, read } = await openTestServer();
    await put("demo/Makefile", "# demo\nmine\n");
    const shown = await call("scaffold_project", {
      ...ASK,
      templates: ["makefile", "readme"],
      dry_run: true,
      write: true,
      on_conflict: "overwrite",
    });
    expect(shown["written"]).toEqual([]);
    expect(shown["diff"]).toBe(
      [
        "--- a/demo/Makefile",
        "+++ b/demo/Makefile",
        "@@ -1,2 +1,6 @@",
        " # demo",
        "-mine",
        "+build:",
        "+\tcargo build",
        "+",
        "+test:",
        "+\tcargo test",
        "--- /dev/null",
        "+++ b/demo/README.md",
        "@@ -0,0 +1,3 @@",
        "+# Demo",
        "+",
        "+Made in 2031.",
        "",
      ].join("\n"),
    );
    expect(await read("demo/README.md")).toBeUndefined();
    expect(await read("demo/Makefile")).toBe("# demo\nmine\n");
  });

  test("returns the diff of existing files, too, and names them", async () => {
    const { call, put, read } = await openTestServer();
    await put("demo/Makefile", "mine\n");
    const shown = await call("scaffold_project", { ...ASK, dry_run: true });
    expect(shown).toMatchObject({ conflicts: ["demo/Makefile"], written: [], errors: [] });
    expect(shown["diff"]).toContain("-mine\n+# demo\n");
    expect(shown["diff"]).toContain("+++ b/demo/README.md\n");
    expect(await read("demo/Makefile")).toBe("mine\n");
  });

  test("two templates that render the same file are an error", async () => {
    const { call } = await openTestServer({
      catalogue: ["a", "b"].map((category) => ({
        category,
        toolchain: "go",
        variant: "cli",
        description: "x",
        filename: category === "a" ? "File" : "file",
        parameters: [],
        body: category,
      })),
    });
    const made = await call("scaffold_project", { toolchain: "go", templates: ["a", "b"], parameters: {} });
    expect(paths(made)).toEqual(["project/File"]);
    expect(made["errors"]).toMatchObject([{ template: "b", code: "CONFLICT", error: "It renders file, as a does" }]);
  });

  test("returns the files that fit a result, and a cursor for the rest", async () => {
    const catalogue = ["a", "b", "c"].map((category) => ({
      category,
      toolchain: "go",
      variant: "cli",
      description: "x",
      filename: category,
      parameters: [],
      body: category.repeat(15_000),
    }));
    const { call } = await openTestServer({ catalogue });
    const made = await call("scaffold_project", { toolchain: "go", templates: ["a", "b", "c"], parameters: {} });
    expect([paths(made), made["next_cursor"]]).toEqual([["project/a", "project/b"], "2"]);
    const rest = await call("scaffold_project", {
      toolchain: "go",
      templates: ["a", "b", "c"],
      parameters: {},
      cursor: "2",
    });
    expect([paths(rest), rest["next_cursor"]]).toEqual([["project/c"], undefined]);
  });
});

describe("writing stays inside the roots", () => {
  test.each(["..", "../x", "/etc/x", "a/../../x"])("the target %j is refused", async (target) => {
    const { fail } = await openTestServer();
    expect((await fail("scaffold_project", { ...ASK, write: true, target })).code).toBe("FORBIDDEN_PATH");
  });

  test("a target outside is rejected, also if nothing is written", async () => {
    const { call, fail } = await openTestServer();
    expect((await fail("scaffold_project", { ...ASK, target: "../../etc" })).code).toBe("FORBIDDEN_PATH");
    expect(paths(await call("scaffold_project", { ...ASK, target: "new/here" }))[0]).toBe("new/here/Makefile");
  });

  test("a link out of the root is rejected, and nothing is written behind it", async () => {
    const { fail, root } = await openTestServer();
    const outside = await makeFolder();
    await symlink(outside, path.join(root, "demo"));
    expect((await fail("scaffold_project", { ...ASK, write: true })).code).toBe("FORBIDDEN_PATH");
    expect(await readdir(outside)).toEqual([]);
  });

  test("nothing is written into .git", async () => {
    const { fail, root } = await openTestServer();
    await mkdir(path.join(root, ".git"));
    const failed = await fail("scaffold_project", { ...ASK, write: true, target: ".git/hooks" });
    expect(failed.code).toBe("FORBIDDEN_PATH");
    expect(await readdir(path.join(root, ".git"))).toEqual([]);
  });

  test("a server that only reads writes nothing, and still returns files", async () => {
    const { fail, call, root } = await openTestServer({ files: { readOnly: ["**"] } });
    expect((await fail("scaffold_project", { ...ASK, write: true })).code).toBe("FORBIDDEN_PATH");
    expect(await readdir(root)).toEqual([]);
    expect(paths(await call("scaffold_project", ASK))).toHaveLength(2);
  });

  test("a hidden file is neither shown nor replaced", async () => {
    const { call, fail, put, read } = await openTestServer({ files: { hidden: ["**/Makefile"] } });
    await put("demo/Makefile", "secret\n");
    const made = await call("scaffold_project", { ...ASK, write: true, on_conflict: "overwrite" });
    expect(JSON.stringify(made)).not.toContain("secret");
    expect(await read("demo/Makefile")).toBe("secret\n");
    expect((await fail("scaffold_project", { ...ASK, write: true, target: "demo/Makefile" })).text).not.toContain(
      "secret",
    );
  });

  test("a file that cannot be written is an error; the others are written", async () => {
    const { call, root, put } = await openTestServer();
    await put("demo/.github/keep", "");
    await chmod(path.join(root, "demo/.github"), 0o555);
    // Root may write everywhere, so it becomes nobody for the moment.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) for (const place of [root, path.join(root, "demo")]) await chown(place, 65_534, 65_534);
    if (isRoot) process.seteuid?.(65_534);
    try {
      const made = await call("scaffold_project", { ...ASK, templates: ["ci-github", "makefile"], write: true });
      expect(made).toMatchObject({ written: ["demo/Makefile"], errors: [{ code: "FORBIDDEN_PATH" }] });
    } finally {
      if (isRoot) process.seteuid?.(0);
      await chmod(path.join(root, "demo/.github"), 0o755);
    }
  });

  test("a folder with the name of a file is an error that names it", async () => {
    const { fail, root } = await openTestServer();
    await mkdir(path.join(root, "demo/Makefile"), { recursive: true });
    await writeFile(path.join(root, "demo/Makefile/x"), "");
    expect((await fail("scaffold_project", { ...ASK, write: true })).text).toContain("Makefile");
  });
});

describe("an entry that cannot be replaced does not prevent the others", () => {
  const ODD: readonly [string, (place: string) => Promise<unknown>, string][] = [
    ["a folder", (place) => mkdir(place), "INVALID_ARGUMENT"],
    ["a link out of the root", (place) => symlink("/etc/hostname", place), "FORBIDDEN_PATH"],
    ["what is no text", (place) => writeFile(place, Buffer.from([0xff, 0xfe, 0])), "ALREADY_EXISTS"],
  ];

  test.each(ODD)("%s", async (_, put, code) => {
    const { call, root } = await openTestServer();
    await mkdir(path.join(root, "demo"));
    await put(path.join(root, "demo/Makefile"));
    const replaced = await call("scaffold_project", { ...ASK, write: true, on_conflict: "overwrite" });
    expect(replaced).toMatchObject({ written: ["demo/README.md"], errors: [{ template: "makefile", code }] });
    const kept = await call("scaffold_project", { ...ASK, write: true, on_conflict: "skip" });
    expect(kept).toMatchObject({ skipped: ["demo/Makefile"], unchanged: ["demo/README.md"], errors: [] });
  });
});
