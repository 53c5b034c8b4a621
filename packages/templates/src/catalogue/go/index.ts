import type { TemplateSource } from "../../template.js";
import { contributing } from "../shared/contributing.js";
import { editorconfig } from "../shared/editorconfig.js";
import { gitignore } from "../shared/gitignore.js";
import { makefiles, ofServer, type Target, without } from "../shared/makefile.js";
import { templatesOf } from "../shared/of.js";
import { port, projectName } from "../shared/parameters.js";
import { precommit } from "../shared/precommit.js";
import { readmeOfProgram, readmesOfOthers } from "../shared/readme.js";
import { workflow } from "../shared/workflow.js";
import { sources } from "./sources.js";
import { go, goVersion, modulePrefix } from "./toolchain.js";

const template = templatesOf("go");
const { commands } = go;

const TARGETS: readonly Target[] = [
  { name: "build", about: "Build into bin", run: ["$(GO) build -trimpath -o bin/ ./..."] },
  { name: "run", about: "Run the program with ARGS", run: ["$(GO) run . $(ARGS)"] },
  { name: "test", about: "Run the tests", when: "has_tests", run: ["$(GO) test -shuffle=on ./..."] },
  { name: "race", about: "Run the tests and look for races", when: "has_tests", run: ["$(GO) test -race ./..."] },
  {
    name: "cover",
    about: "Say what the tests cover",
    when: "has_tests",
    run: ["$(GO) test -coverprofile=coverage.out ./...", "$(GO) tool cover -func=coverage.out"],
  },
  { name: "format", about: "Lay the code out", run: ["gofmt -w ."] },
  { name: "format-check", about: "Check the layout of the code", run: ['@test -z "$$(gofmt -l . | tee /dev/stderr)"'] },
  { name: "lint", about: "Look for mistakes", run: ["$(GO) vet ./..."] },
  { name: "tidy", about: "Bring go.mod and go.sum in order", run: ["$(GO) mod tidy"] },
  {
    name: "check",
    about: "Do all that the pipeline does",
    needs: "format-check lint{% if has_tests %} test{% endif %}",
  },
  { name: "install", about: "Install the program for this user", run: ["$(GO) install -trimpath ."] },
  { name: "clean", about: "Remove what was built", run: ["rm -rf bin coverage.out"] },
];

const MANIFEST = `module {{ module_prefix }}/{{ project_name | kebab }}

go {{ go_version }}
`;

const GOLANGCI = `# https://golangci-lint.run/docs/configuration/file/
version: "2"

linters:
  default: standard
  enable:
    - bodyclose
    - contextcheck
    - errorlint
    - gocritic
    - gosec
    - misspell
    - nilerr
    - revive
    - unconvert
    - unparam

formatters:
  enable:
    - gofmt
    - goimports
`;

const DOCKERFILE = `# syntax=docker/dockerfile:1
FROM golang:{{ go_version }}-bookworm AS build
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/go/pkg/mod \\
    --mount=type=cache,target=/root/.cache/go-build \\
    CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /program .

FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /program /program
USER nonroot
`;

const START = 'ENTRYPOINT ["/program"]\n';

/** Every template for Go. */
export const goTemplates: readonly TemplateSource[] = [
  ...makefiles(go, {
    cli: { settings: "GO ?= go\nARGS ?=", targets: TARGETS },
    lib: { settings: "GO ?= go", targets: without(TARGETS, "build", "run", "install") },
    service: { settings: "GO ?= go", targets: ofServer(without(TARGETS, "install"), "$(GO) run .") },
  }),
  readmeOfProgram(go),
  ...readmesOfOthers(go),
  gitignore(go, [["What go leaves behind", "/bin/", "*.exe", "*.test", "*.out", "go.work", "go.work.sum"]]),
  template("manifest", "default", {
    description: "Manifest of a Go module.",
    filename: "go.mod",
    parameters: [projectName, modulePrefix, goVersion],
    body: MANIFEST,
  }),
  template("lint", "default", {
    description: "Settings of golangci-lint for a Go project.",
    filename: ".golangci.yml",
    parameters: [],
    body: GOLANGCI,
  }),
  ...sources,
  template("dockerfile", "cli", {
    description: "Image of a Go program that is built in one stage and runs alone and without root in another.",
    filename: "Dockerfile",
    parameters: [goVersion],
    body: DOCKERFILE + START,
  }),
  template("dockerfile", "service", {
    description: "Image of a Go server that is built in one stage and runs alone and without root in another.",
    filename: "Dockerfile",
    parameters: [goVersion, port],
    body: `${DOCKERFILE}ENV HOST=0.0.0.0 PORT={{ port }}\nEXPOSE {{ port }}\n${START}`,
  }),
  workflow(go, {
    setup: "- uses: actions/setup-go@v6\n  with:\n    go-version-file: go.mod",
    check: [
      ["Layout", commands.formatCheck],
      ["Lint", commands.lint],
      ["Order of go.mod", "go mod tidy -diff"],
    ],
    test: [
      ["Build", commands.build],
      ["Test", "go test -race -shuffle=on ./..."],
    ],
  }),
  precommit(go, [
    { id: "gofmt", name: "gofmt", entry: `bash -c '${commands.formatCheck}'`, files: "\\.go$" },
    { id: "go-vet", name: "go vet", entry: commands.lint, files: "\\.go$" },
    { id: "go-mod-tidy", name: "go mod tidy", entry: "go mod tidy -diff", files: "^go\\.(mod|sum)$" },
  ]),
  editorconfig(go),
  contributing(go),
];
