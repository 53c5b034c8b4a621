import { readdir, symlink } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { openTestServer, putFile } from "../kit.js";
import { isThere, PROSE, run, TEMPLATES } from "./kit.js";

/** What the first builds of a compiler take on a busy machine. */
const PATIENCE = 240_000;
const VARIANTS = ["cli", "lib", "service"] as const;
const MODULES = fileURLToPath(new URL("../../../../node_modules", import.meta.url));

const [hasCargo, hasGo, hasPytest, hasJavac, hasMaven] = await Promise.all([
  isThere("make", "--version").then((hasMake) => hasMake && isThere("cargo", "clippy", "--version")),
  run("go", ["env", "GOVERSION"]).then(
    ({ output }) => Number(/^go1\.(\d+)/.exec(output)?.[1]) >= 25,
    () => false,
  ),
  isThere("python3", "-c", "import pytest, sys; sys.exit(sys.version_info < (3, 11))"),
  isThere("javac", "--release", "17", "-version"),
  isThere("mvn", "--version"),
]);

/** Makes a whole project on the disk, as a client would, and gives its folder. */
async function makeProject(toolchain: string, variant: string, more: JsonObject = {}): Promise<string> {
  const { call, root } = await openTestServer({ catalogue: TEMPLATES });
  const fitting = TEMPLATES.filter((template) => [toolchain, "any"].includes(template.toolchain));
  const templates = [...new Set(fitting.map(({ category }) => category))];
  const made = await call("scaffold_project", {
    toolchain,
    variant,
    templates: templates.filter((category) => variant !== "lib" || category !== "dockerfile"),
    parameters: { project_name: `my-2nd-${variant}App`, description: PROSE, author: "Ada", ...more },
    write: true,
    target: "project",
  });
  expect(made["errors"]).toEqual([]);
  return path.join(root, "project");
}

/** Runs a program in a project; a failure shows what it said. */
async function succeed(cwd: string, program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { status, output } = await run(program, args, { cwd, env });
  expect(status, `${program} ${args.join(" ")}\n${output}`).toBe(0);
  return output;
}

/** Checks whatever the settings of the project let biome see. */
async function pleaseBiome(folder: string): Promise<void> {
  const biome = ["check", "--vcs-enabled=false", "--error-on-warnings"];
  expect(await succeed(folder, path.join(MODULES, ".bin/biome"), biome)).not.toContain("Found");
}

describe.skipIf(!hasCargo)("a Rust project (needs make, and cargo with rustfmt and clippy)", () => {
  test.each(VARIANTS)(
    "%s is laid out, lints, builds and passes its tests",
    async (variant) => {
      const folder = await makeProject("rust", variant);
      const env = { CARGO_NET_OFFLINE: "true", CARGO_INCREMENTAL: "0", CARGO_TERM_COLOR: "never" };
      // `cargo test` of a library also builds and runs the examples of its documentation.
      await succeed(folder, "make", ["format-check", "lint", "test"], env);
    },
    PATIENCE,
  );
});

describe.skipIf(!hasGo)("Go projects (need go 1.25)", () => {
  test(
    "are laid out; a program and a library pass their tests, and a server does with TEMPLATES_FULL=1",
    async () => {
      const env = { GOFLAGS: "-mod=mod -vet=off", GOPROXY: "off", GOTOOLCHAIN: "local" };
      for (const variant of VARIANTS) {
        const folder = await makeProject("go", variant);
        expect(await succeed(folder, "gofmt", ["-l", "."])).toBe("");
        // A server needs net/http, which takes half a minute to compile for the first time.
        if (variant !== "service" || process.env["TEMPLATES_FULL"] === "1")
          await succeed(folder, "go", ["test", "./..."], env);
      }
    },
    PATIENCE,
  );
});

describe.skipIf(!hasPytest)("a Python project (needs python3.11 with pytest)", () => {
  test.each(VARIANTS)(
    "%s passes its tests",
    async (variant) => {
      const folder = await makeProject("python-uv", variant);
      await succeed(folder, "python3", ["-m", "pytest", "-q", "-p", "no:cacheprovider"]);
    },
    PATIENCE,
  );
});

describe("a Node project", () => {
  test.each(VARIANTS)(
    "%s pleases biome, builds and passes its tests",
    async (variant) => {
      const folder = await makeProject("node-ts", variant);
      await symlink(MODULES, path.join(folder, "node_modules"));
      await succeed(folder, "node_modules/.bin/tsc", []);
      const tests = (await readdir(path.join(folder, "dist"))).filter((name) => name.endsWith(".test.js"));
      expect(tests).toHaveLength(1);
      await succeed(folder, process.execPath, ["--test", ...tests.map((name) => `dist/${name}`)]);
      await pleaseBiome(folder);
    },
    PATIENCE,
  );
});

describe("Bun and Deno projects", () => {
  test(
    "please the compiler, with what the runtimes give declared, and those of Bun please biome",
    async () => {
      const wanted = ["bun", "deno"].flatMap((toolchain) => VARIANTS.map((variant) => [toolchain, variant] as const));
      const folders = await Promise.all(wanted.map(([toolchain, variant]) => makeProject(toolchain, variant)));
      for (const folder of folders.slice(0, VARIANTS.length)) await pleaseBiome(folder);
      const [first = ""] = folders;
      await putFile(first, "runtime.d.ts", RUNTIMES);
      const files = (await Promise.all(folders.map((folder) => filesOf(folder, ".ts")))).flat();
      expect(files).toHaveLength(13);
      const options = ["--strict", "--noUncheckedIndexedAccess", "--noUnusedLocals", "--target", "esnext", "--noEmit"];
      options.push("--module", "preserve", "--lib", "esnext,dom", "--types", "", "--allowImportingTsExtensions");
      await succeed(first, path.join(MODULES, ".bin/tsc"), [...options, "--ignoreConfig", ...files]);
    },
    PATIENCE,
  );
});

describe.skipIf(!hasJavac)("Java projects (need javac 17)", () => {
  test(
    "compile without a warning, and their tests pass",
    async () => {
      const made = VARIANTS.map((variant) => makeProject("java", variant, { java_version: "17" }));
      const folders = await Promise.all(made);
      const [first = ""] = folders;
      for (const [name, text] of Object.entries(JUNIT)) await putFile(first, `junit/${name}.java`, text);
      const files = (await Promise.all(folders.map((folder) => filesOf(folder, ".java")))).flat();
      expect(files).toHaveLength(9);
      await succeed(first, "javac", ["-Xlint:all", "-Werror", "--release", "17", "-d", "out", ...files]);
      const names = files.flatMap((file) => /\/src\/test\/java\/(.*)\.java$/.exec(file)?.[1] ?? []);
      const classes = names.map((name) => name.replaceAll("/", "."));
      expect(await succeed(first, "java", ["-cp", "out", "junit.Runner", ...classes])).toBe("6 passed\n");
    },
    PATIENCE,
  );

  test.skipIf(!hasMaven)(
    "have manifests that Maven understands (needs mvn)",
    async () => {
      const folder = await makeProject("java", "cli");
      await succeed(folder, "mvn", ["--offline", "--batch-mode", "--quiet", "validate"]);
    },
    PATIENCE,
  );
});

const filesOf = async (folder: string, ending: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true }))
    .filter((name) => name.endsWith(ending))
    .map((name) => path.join(folder, name));

/** As much of the runtimes as the first code of a project uses. */
const RUNTIMES = `
interface ImportMeta { readonly main: boolean }
declare const Deno: {
  readonly args: readonly string[];
  readonly env: { get(name: string): string | undefined };
  readonly stdout: { write(bytes: Uint8Array): Promise<number> };
  test(name: string, body: () => void): void;
  serve(options: { port: number }, handler: (request: Request) => Response): { shutdown(): Promise<void> };
  addSignalListener(signal: "SIGINT", handler: () => void): void;
};
declare const Bun: {
  readonly argv: string[];
  readonly env: Record<string, string | undefined>;
  readonly stdout: { readonly brand: unique symbol };
  write(to: typeof Bun.stdout, text: string): Promise<number>;
  serve(options: { hostname: string; port: number; fetch(request: Request): Response }): { readonly url: URL };
};
declare module "@std/assert" { export function assertEquals(actual: unknown, expected: unknown): void }
declare module "bun:test" {
  export function test(name: string, body: () => void): void;
  export function expect(value: unknown): { toBe(value: unknown): void; toEqual(value: unknown): void };
}
`;

/** As much of JUnit as the first tests of a project use, and something that runs them: JUnit itself is not on every machine. */
const JUNIT = {
  Test: `package org.junit.jupiter.api;
@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
public @interface Test {}
`,
  Assertions: `package org.junit.jupiter.api;
public final class Assertions {
  private Assertions() {}
  public static void assertEquals(Object expected, Object actual) {
    if (!expected.equals(actual)) throw new AssertionError("expected " + expected + ", got " + actual);
  }
}
`,
  Runner: `package junit;
public final class Runner {
  private Runner() {}
  public static void main(String[] args) throws Exception {
    int passed = 0;
    for (var name : args) {
      var constructor = Class.forName(name).getDeclaredConstructor();
      constructor.setAccessible(true);
      for (var method : Class.forName(name).getDeclaredMethods()) {
        if (!method.isAnnotationPresent(org.junit.jupiter.api.Test.class)) continue;
        method.setAccessible(true);
        method.invoke(constructor.newInstance());
        passed++;
      }
    }
    System.out.println(passed + " passed");
  }
}
`,
};
