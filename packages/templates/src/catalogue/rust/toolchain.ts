import type { Toolchain } from "../shared/toolchain.js";

/** Rust with cargo. */
export const rust: Toolchain = {
  name: "rust",
  title: "Rust",
  needs: ["Rust with cargo, rustfmt and clippy: <https://rustup.rs>", "make"],
  commands: {
    prepare: "cargo fetch",
    format: "cargo fmt --all",
    formatCheck: "cargo fmt --all -- --check",
    lint: "cargo clippy --all-targets -- -D warnings",
    build: "cargo build",
    test: "cargo test",
    run: "cargo run -- world",
    serve: "cargo run",
  },
  library: {
    install: "cargo add {{ project_name | kebab }}",
    language: "rust",
    example: 'assert_eq!({{ project_name | snake }}::greet("world"), "Hello, world!");',
  },
  indents: [
    { pattern: "*.rs", style: "space", size: 4, width: 100 },
    { pattern: "*.toml", style: "space", size: 4 },
  ],
};
