import { line } from "../shared/parameters.js";
import type { Toolchain } from "../shared/toolchain.js";

/** The file with which a program begins. */
export const entryPoint = {
  ...line("entry_point", "File with which the program begins.", "main.ts"),
  pattern: "^(?:[A-Za-z0-9_][A-Za-z0-9_.-]*/)*[A-Za-z0-9_][A-Za-z0-9_.-]*\\.[cm]?[jt]sx?$",
};

/** Deno, which is runtime, formatter, linter and test runner in one. */
export const deno: Toolchain = {
  name: "deno",
  title: "Deno",
  needs: ["Deno 2: <https://docs.deno.com/runtime/getting_started/installation/>", "make"],
  commands: {
    prepare: "deno install",
    format: "deno fmt",
    formatCheck: "deno fmt --check",
    lint: "deno lint",
    build: "make types",
    test: "make test",
    run: "make run",
    serve: "make run",
  },
  library: {
    install: "deno add jsr:@scope/{{ project_name | kebab }}",
    language: "ts",
    example: 'import { greet } from "@scope/{{ project_name | kebab }}";\n\nconsole.log(greet("world"));',
  },
  indents: [{ pattern: "*.{ts,tsx,js,jsx}", style: "space", size: 2, width: 100 }],
};
