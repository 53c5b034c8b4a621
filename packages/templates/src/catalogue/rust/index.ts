import type { TemplateSource } from "../../template.js";
import { contributing } from "../shared/contributing.js";
import { editorconfig } from "../shared/editorconfig.js";
import { templatesOf } from "../shared/of.js";
import { port, projectName, versionOf } from "../shared/parameters.js";
import { precommit } from "../shared/precommit.js";
import { workflow } from "../shared/workflow.js";
import { gitignoreOfRust } from "./gitignore.js";
import { makefilesOfRust } from "./makefile.js";
import { manifests } from "./manifest.js";
import { readmes } from "./readme.js";
import { sources } from "./sources.js";
import { rust } from "./toolchain.js";

const template = templatesOf("rust");
const image = versionOf("rust_image", "the image of Rust that builds it", "1.85");

const DOCKERFILE = `# syntax=docker/dockerfile:1
FROM rust:{{ rust_image }}-slim-bookworm AS build
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry \\
    --mount=type=cache,target=/src/target \\
    cargo build --release --locked \\
    && cp target/release/{{ project_name | kebab }} /program

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /program /usr/local/bin/{{ project_name | kebab }}
USER nonroot
`;

const START = 'ENTRYPOINT ["/usr/local/bin/{{ project_name | kebab }}"]\n';

const { commands } = rust;

const RUNNERS = `- name: Install Rust
  run: rustup toolchain install stable --profile minimal --component rustfmt,clippy && rustup default stable
- uses: Swatinem/rust-cache@v2`;

/** Every template for Rust. */
export const rustTemplates: readonly TemplateSource[] = [
  ...makefilesOfRust,
  ...readmes,
  gitignoreOfRust,
  ...manifests,
  ...sources,
  template("dockerfile", "cli", {
    description: "Image of a Rust program that is built in one stage and runs without root in another.",
    filename: "Dockerfile",
    parameters: [projectName, image],
    body: DOCKERFILE + START,
  }),
  template("dockerfile", "service", {
    description: "Image of a Rust server that is built in one stage and runs without root in another.",
    filename: "Dockerfile",
    parameters: [projectName, image, port],
    body: `${DOCKERFILE}ENV HOST=0.0.0.0 PORT={{ port }}\nEXPOSE {{ port }}\n${START}`,
  }),
  workflow(rust, {
    setup: RUNNERS,
    check: [
      ["Layout", commands.formatCheck],
      ["Lint", commands.lint],
      ["Documentation", "cargo doc --no-deps"],
    ],
    test: [
      ["Build", "cargo build --locked"],
      ["Test", "cargo test --locked"],
    ],
  }),
  precommit(rust, [
    { id: "cargo-fmt", name: "cargo fmt", entry: commands.formatCheck, files: "\\.rs$" },
    { id: "cargo-clippy", name: "cargo clippy", entry: commands.lint, files: "(\\.rs|Cargo\\.(toml|lock))$" },
  ]),
  editorconfig(rust),
  contributing(rust),
];
