import type { Toolchain } from "../shared/toolchain.js";
import { TYPESCRIPT_INDENT } from "../shared/typescript.js";

/** Bun, which is runtime, bundler and test runner in one. */
export const bun: Toolchain = {
  name: "bun",
  title: "Bun",
  needs: ["Bun: <https://bun.sh>", "make"],
  commands: {
    prepare: "bun install",
    format: "bun run format",
    formatCheck: "bunx biome format",
    lint: "bun run lint",
    build: "bun run build",
    test: "bun test",
    run: "bun run start world",
    serve: "bun run start",
  },
  library: {
    install: "bun add {{ project_name | kebab }}",
    language: "ts",
    example: 'import { greet } from "{{ project_name | kebab }}";\n\nconsole.log(greet("world"));',
  },
  indents: [TYPESCRIPT_INDENT],
};
