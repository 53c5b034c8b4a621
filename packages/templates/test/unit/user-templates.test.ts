import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import { describe, expect, test, vi } from "vitest";
import { makeFolder, openTestServer, putFile } from "../kit.js";

const ABOUT = `
description: What our team puts at the top.
filename: HEADER.txt
parameters:
  - { name: owner, type: string, description: Who owns it., required: true, pattern: "^[a-z]+$" }
`;

/** A folder with one template, and the pack over it. */
async function open(files: Readonly<Record<string, string>> = {}) {
  const directory = await makeFolder();
  await putFile(directory, "header/rust/cli/template.yaml", ABOUT);
  await putFile(directory, "header/rust/cli/body.liquid", "Owned by {{ owner | upcase }}\n");
  for (const [name, text] of Object.entries(files)) await putFile(directory, name, text);
  const server = await openTestServer({
    settings: { directory },
    server: { dynamic: true, log: () => undefined },
    revision: "2025-11-25",
  });
  return { ...server, directory };
}

const HEADER = "template://header/rust/cli";
const uris = (listed: JsonObject): string[] => (listed["templates"] as { uri: string }[]).map(({ uri }) => uri);
const faults = (listed: JsonObject): string[] =>
  ((listed["errors"] ?? []) as { path: string; message: string }[]).map(({ path: at, message }) => `${at}: ${message}`);

describe("templates of the user", () => {
  test("are templates like all others", async () => {
    const { call, fail } = await open();
    const { templates } = await call("list_templates", { category: "header" });
    expect(templates).toMatchObject([
      { uri: HEADER, name: "Rust CLI header", origin: "user", parameters: [{ name: "owner", required: true }] },
    ]);
    const made = await call("generate_template", { resource_uri: HEADER, parameters: { owner: "ada" } });
    expect(made).toMatchObject({ filename: "HEADER.txt", content: "Owned by ADA\n" });
    const wrong = await fail("generate_template", { resource_uri: HEADER, parameters: { owner: "Ada" } });
    expect(wrong.text).toContain("owner must match ^[a-z]+$");
  });

  test("replace built-in templates", async () => {
    const { call } = await open({
      "makefile/rust/cli/template.yaml": "description: Ours.\nfilename: GNUmakefile\nbody: make.txt\nmode: '755'\n",
      "makefile/rust/cli/make.txt": "all:\n",
    });
    const made = await call("generate_template", { resource_uri: "template://makefile/rust/cli", parameters: {} });
    expect(made).toMatchObject({ filename: "GNUmakefile", content: "all:\n", mode: "755" });
    expect((await call("list_templates"))["count"]).toBe(5);
  });

  test("with errors are listed with all their errors, and the others are available", async () => {
    const { call, directory } = await open({
      "a/go/cli/template.yaml":
        "description: x\nfilname: y\nparameters:\n  - { name: Bad, type: text, description: x }\n  - { name: n, type: integer, description: x, default: no, maximum: 9 }\n",
      "a/go/cli/body.liquid": "",
      "b/go/cli/template.yaml": "description: [\n",
      "c/go/cli/template.yaml": "description: x\nfilename: y\n",
      "d/go/cli/template.yaml": "description: x\nfilename: y\n",
      "d/go/cli/body.liquid": "{{ nobody }} {% include 'x' %}",
      "e/go/cli/template.yaml": "description: x\nfilename: y\n",
      "e/go/cli/body.liquid": "{{ nobody }}",
      "f/go/cli/template.yaml": "description: x\nfilename: y\nbody: ../../../header/rust/cli/body.liquid\n",
      "g/stray.txt": "",
      "Up/go/cli/template.yaml": "description: x\nfilename: y\n",
      "Up/go/cli/body.liquid": "",
      "README.md": "files at the top are not looked at",
    });
    await putFile(directory, "h/go/cli/template.yaml", "description: x\nfilename: y\n");
    await symlink("/etc/hostname", path.join(directory, "h/go/cli/body.liquid"));
    const listed = await (await openTestServer({ settings: { directory }, server: { log: () => undefined } })).call(
      "list_templates",
    );
    expect(uris(listed)).toContain(HEADER);
    expect(listed["count"]).toBe(5);
    expect(faults(listed)).toEqual([
      'Up/go/cli: the folder name "Up" may only have lower-case letters, digits and single dashes',
      "a/go/cli: filname is unknown; did you mean filename?",
      "a/go/cli: filename must be text",
      "a/go/cli: parameter Bad: name must be in snake_case",
      "a/go/cli: parameter Bad: type must be one of string, boolean, integer, enum, array",
      "a/go/cli: parameter n: default must be an integer",
      expect.stringMatching(/^b\/go\/cli: template\.yaml: Flow sequence/),
      "c/go/cli: body.liquid is missing",
      "d/go/cli: _includes/x is missing",
      "e/go/cli: nobody is used, but is not a parameter",
      "f/go/cli: body must be the name of a file beside template.yaml",
      "g/stray.txt: it is not in a folder category/toolchain/variant",
      "h/go/cli: body.liquid is not a regular file",
    ]);
    expect(await call("list_templates", { category: "header" })).toMatchObject({ count: 1 });
  });
});

describe("files in _includes", () => {
  const PLAIN = "description: x\nfilename: y\n";
  const made = async (files: Readonly<Record<string, string>>, parameters: JsonObject = {}) => {
    const { call } = await open(files);
    const listed = await call("list_templates", { toolchain: "go" });
    expect(faults(listed)).toEqual([]);
    return (await call("generate_template", { resource_uri: "template://a/go/cli", parameters }))["content"];
  };
  const faultsOf = async (files: Readonly<Record<string, string>>) => {
    const { call } = await open({ "a/go/cli/template.yaml": PLAIN, ...files });
    return faults(await call("list_templates", { toolchain: "go" }));
  };

  test("replace the tags that name them, without their last line feed", async () => {
    const parameters = "parameters:\n  - { name: word, type: string, description: x, required: true }\n";
    const files = {
      "a/go/cli/template.yaml": PLAIN + parameters,
      "a/go/cli/body.liquid": `{% include "head.txt" %}\n[{% include 'deep/tail.liquid' %}]\nend\n`,
      "_includes/head.txt": "first\n\nsecond\n",
      "_includes/deep/tail.liquid": '{{ word | upcase }}{% include "head.txt" %}',
    };
    expect(await made(files, { word: "hi" })).toBe("first\n\nsecond\n[HIfirst\n\nsecond]\nend\n");
  });

  test("have the delimiters of the template, and dashes trim white space", async () => {
    const files = {
      "a/go/cli/template.yaml": `${PLAIN}delimiters: angle\n`,
      "a/go/cli/body.liquid": 'one \n\n<%- include "x" -%>\n\n two {% include "x" %}\n',
      "_includes/x": "X<% if true %>Y<% endif %>\n",
    };
    expect(await made(files)).toBe('oneXYtwo {% include "x" %}\n');
  });

  test("define shared parameters", async () => {
    const { call } = await open({
      "a/go/cli/template.yaml": `${PLAIN}parameters: [owner, { name: more, type: boolean, description: x }, holder]\n`,
      "a/go/cli/body.liquid": "{{ owner }}{% if more %}{{ author }}{% endif %}\n",
      "_includes/parameters.yaml":
        "owner: { type: string, description: Who owns it., required: true, pattern: '^[a-z]+$' }\nholder: { name: author, type: string, description: x, default: me }\n",
    });
    const { templates } = await call("list_templates", { category: "a" });
    expect(templates).toMatchObject([
      { parameters: [{ name: "owner", required: true }, { name: "more" }, { name: "author" }] },
    ]);
  });

  test("that are missing, outside, nested too deep or too large are errors of the template", async () => {
    expect(await faultsOf({ "a/go/cli/body.liquid": '{% include "none" %}' })).toEqual([
      "a/go/cli: _includes/none is missing",
    ]);
    for (const name of ["../header/rust/cli/body.liquid", "/etc/hostname", ".hidden", "a//b", "a/../b", "a\\b"])
      expect(await faultsOf({ "a/go/cli/body.liquid": `{% include "${name}" %}` }), name).toEqual([
        `a/go/cli: ${JSON.stringify(name)} is not the name of a file in _includes`,
      ]);
    expect(await faultsOf({ "a/go/cli/body.liquid": '{% include "x" %}', "_includes/x": '{% include "x" %}' })).toEqual(
      ["a/go/cli: includes are nested deeper than 5 levels"],
    );
    const twice = (name: string) => `{% include "${name}" %}`.repeat(100);
    expect(
      await faultsOf({ "a/go/cli/body.liquid": twice("x"), "_includes/x": twice("y"), "_includes/y": "" }),
    ).toEqual(["a/go/cli: it has more than 200 includes"]);
    expect(
      await faultsOf({ "a/go/cli/body.liquid": '{% include "x" %}'.repeat(3), "_includes/x": "x".repeat(30_000) }),
    ).toEqual(["a/go/cli: with its includes it is larger than 65536 bytes"]);
    expect(
      await faultsOf({ "a/go/cli/template.yaml": `${PLAIN}parameters: [owner]\n`, "a/go/cli/body.liquid": "" }),
    ).toEqual(["a/go/cli: _includes/parameters.yaml is missing"]);
    expect(
      await faultsOf({
        "a/go/cli/template.yaml": `${PLAIN}parameters: [constructor]\n`,
        "a/go/cli/body.liquid": "",
        "_includes/parameters.yaml": "owner: { type: string, description: x }\n",
      }),
    ).toEqual(["a/go/cli: parameter constructor: not defined in _includes/parameters.yaml"]);
  });

  test("that are behind a link are rejected", async () => {
    const { call, directory } = await open({ "a/go/cli/template.yaml": PLAIN });
    await mkdir(path.join(directory, "_includes"));
    await symlink("/etc", path.join(directory, "_includes/etc"));
    await putFile(directory, "a/go/cli/body.liquid", '{% include "etc/hostname" %}');
    await vi.waitFor(
      async () =>
        expect(faults(await call("list_templates"))).toContain("a/go/cli: _includes/etc/hostname must not be a link"),
      10_000,
    );
  });
});

describe("while the server runs", () => {
  test("a file in _includes that is added and changed is noticed", async () => {
    const { call, directory } = await open({
      "a/go/cli/template.yaml": "description: x\nfilename: y\n",
      "a/go/cli/body.liquid": '{% include "deep/x" %}\n',
    });
    const says = (text: string) =>
      vi.waitFor(async () => {
        const made = await call("generate_template", { resource_uri: "template://a/go/cli", parameters: {} });
        expect(made["content"]).toBe(text);
      }, 10_000);
    await putFile(directory, "_includes/deep/x", "one");
    await says("one\n");
    await writeFile(path.join(directory, "_includes/deep/x"), "two");
    await says("two\n");
  });

  test("a template that is added, changed, broken, fixed and removed is noticed, and clients are notified", async () => {
    const { call, client, directory } = await open();
    const seen = async (wanted: string[], wrong: string[] = []) =>
      vi.waitFor(async () => {
        const listed = await call("list_templates", { toolchain: "go" });
        expect([uris(listed), faults(listed)]).toEqual([wanted, wrong]);
      }, 10_000);
    await seen([]);
    await putFile(directory, "note/go/cli/body.liquid", "one\n");
    await putFile(directory, "note/go/cli/template.yaml", "description: x\nfilename: note\n");
    await seen(["template://note/go/cli"]);
    await vi.waitFor(() => expect(client.received("notifications/resources/list_changed")).toHaveLength(1), 10_000);

    await writeFile(path.join(directory, "note/go/cli/body.liquid"), "two\n");
    await vi.waitFor(async () => {
      const made = await call("generate_template", { resource_uri: "template://note/go/cli", parameters: {} });
      expect(made["content"]).toBe("two\n");
    }, 10_000);

    await writeFile(path.join(directory, "note/go/cli/template.yaml"), "filename: note\n");
    await seen([], ["note/go/cli: description must be text"]);
    await writeFile(path.join(directory, "note/go/cli/template.yaml"), "description: y\nfilename: note\n");
    await seen(["template://note/go/cli"]);

    await mkdir(path.join(directory, "other/go"), { recursive: true });
    await rename(path.join(directory, "note/go/cli"), path.join(directory, "other/go/lib"));
    await seen(["template://other/go/lib"]);
    await rm(path.join(directory, "other"), { recursive: true });
    await seen([]);
  });

  test("a folder that is replaced is watched, and so is a directory that is removed and created again", async () => {
    const { call, directory } = await open();
    const body = path.join(directory, "header/rust/cli/body.liquid");
    const put = async (text: string): Promise<void> => {
      await putFile(directory, "header/rust/cli/template.yaml", ABOUT);
      await writeFile(body, text);
    };
    const says = (text: string) =>
      vi.waitFor(async () => {
        const made = await call("generate_template", { resource_uri: HEADER, parameters: { owner: "ada" } });
        expect(made["content"]).toBe(text);
      }, 10_000);
    await says("Owned by ADA\n");
    await rm(path.join(directory, "header"), { recursive: true });
    await put("two\n");
    await says("two\n");
    await writeFile(body, "three\n");
    await says("three\n");

    await rm(directory, { recursive: true });
    await vi.waitFor(async () => {
      expect(faults(await call("list_templates"))).toEqual([expect.stringContaining("the directory cannot be read")]);
    }, 10_000);
    await put("four\n");
    await says("four\n");
    await writeFile(body, "five\n");
    await says("five\n");
  });

  test("a server with static lists sends no notifications, and serves the current templates", async () => {
    const directory = await makeFolder();
    const lines: string[] = [];
    const { call } = await openTestServer({
      settings: { directory },
      server: { log: ({ message }) => void lines.push(message) },
    });
    expect((await call("list_templates"))["count"]).toBe(4);
    await putFile(directory, "note/go/cli/body.liquid", "one\n");
    await putFile(directory, "note/go/cli/template.yaml", "description: x\nfilename: note\n");
    await vi.waitFor(async () => expect((await call("list_templates"))["count"]).toBe(5), 10_000);
    expect(lines).toContain("templates: cannot notify clients of changed templates");
  });
});
