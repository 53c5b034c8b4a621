import { line, versionOf } from "../shared/parameters.js";
import type { Toolchain } from "../shared/toolchain.js";

/** The Go that the project is for. */
export const goVersion = { ...versionOf("go_version", "Go that is needed at least", "1.25"), pattern: "^1\\.\\d+$" };

/** Where the module is found, without its own name. */
export const modulePrefix = {
  ...line("module_prefix", "Path of the module without its last part, such as github.com/ada.", "example.com"),
  pattern: "^[a-z0-9][a-z0-9-]*(?:\\.[a-z0-9-]+)*(?:/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$",
};

/** The name of the package of a library: packages have no dashes and no underscores. */
export const PACKAGE = '{{ project_name | snake | replace: "_", "" }}';

/** Go with its own tools. */
export const go: Toolchain = {
  name: "go",
  title: "Go",
  needs: ["Go: <https://go.dev/dl/>", "make"],
  commands: {
    prepare: "go mod download",
    format: "gofmt -w .",
    formatCheck: 'test -z "$(gofmt -l .)"',
    lint: "go vet ./...",
    build: "go build ./...",
    test: "go test ./...",
    run: "go run . world",
    serve: "go run .",
  },
  library: {
    install: "go get example.com/{{ project_name | kebab }}",
    language: "go",
    example: `import "example.com/{{ project_name | kebab }}"\n\nfmt.Println(${PACKAGE}.Greet("world"))`,
  },
  indents: [{ pattern: "*.{go,mod}", style: "tab", size: 4 }],
};
