import { showCommand } from "@toolwright/kit/processes";
import { describe, expect, it } from "vitest";
import { choosePlan } from "../../../src/builds/choose-plan.js";
import type { BuildAction, Project } from "../../../src/builds/ecosystem.js";

/** A project that is there in words only; the programs on the PATH are those that are named. */
function project(files: Record<string, string>, more: { path?: string[]; test?: string; file?: string } = {}): Project {
  return {
    folder: "/p",
    names: new Set(Object.keys(files).map((name) => name.split("/")[0] ?? "")),
    file: more.file,
    test: more.test,
    isOnline: true,
    read: async (name) => files[name],
    hasOwn: async (program) => program.replace("./", "") in files,
    has: async (program) => more.path?.includes(program) ?? false,
  };
}

const scripts = (given: object, more: object = {}): Record<string, string> => ({
  "package.json": JSON.stringify({ scripts: given, ...more }),
});

const BUILD = scripts({ build: "x" });
const PYPROJECT = { "pyproject.toml": "" };
const GRADLE = { "build.gradle.kts": "" };

describe("choosePlan", () => {
  it.each<[BuildAction, Record<string, string>, Parameters<typeof project>[1], string]>([
    ["build", BUILD, {}, "npm run build"],
    ["build", { ...BUILD, "pnpm-lock.yaml": "" }, {}, "pnpm run build"],
    ["build", { ...BUILD, "yarn.lock": "" }, {}, "yarn run build"],
    ["build", { ...BUILD, "bun.lock": "" }, {}, "bun run build"],
    ["build", { ...scripts({ build: "x" }, { packageManager: "pnpm@9.0.0" }), "yarn.lock": "" }, {}, "pnpm run build"],
    [
      "build",
      { ...scripts({}), "tsconfig.json": "", "node_modules/.bin/tsc": "" },
      {},
      "./node_modules/.bin/tsc --noEmit --pretty false",
    ],
    ["restore", { ...BUILD, "package-lock.json": "" }, {}, "npm ci"],
    ["restore", BUILD, {}, "npm install"],
    ["restore", { ...BUILD, "yarn.lock": "", ".yarnrc.yml": "" }, {}, "yarn install --immutable"],
    ["restore", { ...BUILD, "bun.lockb": "" }, {}, "bun install --frozen-lockfile"],
    ["test", scripts({ test: 'echo "Error: no test specified" && exit 1' }), {}, "node --test"],
    [
      "test",
      { ...scripts({}), "node_modules/.bin/jest": "" },
      { test: "adds" },
      "./node_modules/.bin/jest --testNamePattern=adds",
    ],
    [
      "test",
      { ...scripts({ test: "mocha --recursive" }), "yarn.lock": "" },
      { test: "a b" },
      "yarn run test '--grep=a b'",
    ],
    ["test", scripts({ test: "node --test" }), { test: "adds" }, "npm run test -- --test-name-pattern=adds"],
    ["lint", { ...scripts({}), "node_modules/.bin/oxlint": "" }, {}, "./node_modules/.bin/oxlint --format=github"],
    ["test", PYPROJECT, { path: ["python3"] }, "python3 -m unittest discover -v"],
    [
      "test",
      PYPROJECT,
      { path: ["python3", "pytest"], test: "a.py::b" },
      "pytest -rfE --tb=short --color=no -p no:cacheprovider -- a.py::b",
    ],
    [
      "test",
      { ...PYPROJECT, ".venv/bin/pytest": "" },
      { path: ["pytest"] },
      "./.venv/bin/pytest -rfE --tb=short --color=no -p no:cacheprovider",
    ],
    ["restore", { ...PYPROJECT, "uv.lock": "" }, { path: ["uv"] }, "uv sync --frozen"],
    [
      "restore",
      { "requirements.txt": "", "venv/bin/python": "" },
      {},
      "./venv/bin/python -m pip install --no-input -r requirements.txt",
    ],
    ["lint", PYPROJECT, { path: ["mypy", "ruff"] }, "ruff check --output-format=concise --no-fix ."],
    ["lint", { "Cargo.toml": "" }, { path: ["cargo-clippy"] }, "cargo clippy --message-format=json --all-targets"],
    ["restore", { "Cargo.toml": "", "Cargo.lock": "" }, {}, "cargo fetch --locked"],
    ["test", { "go.mod": "module m" }, { test: "TestA" }, "go test -json '-run=^TestA$' ./..."],
    ["build", { "pom.xml": "" }, {}, "mvn --batch-mode --no-transfer-progress test-compile"],
    [
      "test",
      { "pom.xml": "", mvnw: "" },
      { test: "a.ATest.adds" },
      "./mvnw --batch-mode --no-transfer-progress test '-Dtest=a.ATest#adds'",
    ],
    [
      "test",
      { ...GRADLE, gradlew: "" },
      { test: "ATest > b()" },
      "./gradlew --console=plain --no-daemon test --tests=ATest.b",
    ],
    ["build", GRADLE, {}, "gradle --console=plain --no-daemon assemble testClasses"],
    ["build", { "App.sln": "", "a.txt": "" }, { file: "App.sln" }, "dotnet build App.sln --nologo"],
    ["test", { "App.csproj": "" }, { test: "A.B(x: 1)" }, "dotnet test --nologo --filter 'FullyQualifiedName~A.B'"],
    ["build", { Makefile: "first: a\n" }, {}, "make --keep-going -f Makefile"],
    [
      "test",
      PYPROJECT,
      { path: ["python3"], test: "a.T.b" },
      "python3 -m unittest discover -v -k '*a.T.b' -k '*a.T.b.*'",
    ],
    ["test", { makefile: "all: x\ncheck: y\n" }, {}, "make --keep-going -f makefile check"],
  ])("%s in %j with %j: %s", async (deed, files, more, command) => {
    const { plan } = await choosePlan(deed, project(files, more), "auto");
    expect(showCommand([plan.program, ...plan.args])).toBe(command);
  });

  it("takes the first ecosystem that knows how", async () => {
    const files = { ...BUILD, Makefile: "test: x\nlint: y\n", "pyproject.toml": "" };
    expect(await choosePlan("build", project(files), "auto")).toMatchObject({
      ecosystem: "node",
      found: ["node", "python", "make"],
    });
    expect(await choosePlan("lint", project(files), "auto")).toMatchObject({ ecosystem: "make" });
    expect(await choosePlan("test", project(files), "make")).toMatchObject({ ecosystem: "make" });
  });

  it.each<[BuildAction, Record<string, string>, string]>([
    ["lint", { "pom.xml": "" }, "Maven has no linter"],
    ["lint", PYPROJECT, "None of ruff, flake8 and mypy is installed"],
    ["restore", { "conftest.py": "" }, "There is no requirements.txt, pyproject.toml or setup.py"],
    ["restore", { Makefile: "" }, "Makefile has no target restore or deps"],
    ["test", { Makefile: "test: x" }, "make cannot select one test"],
    ["test", scripts({ test: "a && b" }), "Cannot test the project"],
  ])("says why there is no way to %s %j", async (deed, files, reason) => {
    await expect(choosePlan(deed, project(files, { test: "x" }), "auto")).rejects.toThrow(reason);
  });

  it("fetches nothing where it may not", async () => {
    const offline = async (files: Record<string, string>) =>
      (await choosePlan("test", { ...project(files), isOnline: false }, "auto")).plan;
    expect((await offline({ "Cargo.toml": "" })).env).toMatchObject({ CARGO_NET_OFFLINE: "true" });
    expect((await offline({ "go.mod": "" })).env).toMatchObject({ GOPROXY: "off" });
    expect((await offline(scripts({ test: "x" }))).env).toMatchObject({ npm_config_offline: "true" });
    expect((await offline({ "pom.xml": "" })).args).toContain("--offline");
    expect((await offline(GRADLE)).args).toContain("--offline");
    expect((await offline({ "a.csproj": "" })).args).toContain("--no-restore");
  });
});
