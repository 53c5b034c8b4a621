import type { Deed, Ecosystem } from "../ecosystem.js";
import { cargo } from "../parsers/cargo.js";

const ARGS: Readonly<Record<Deed, readonly string[]>> = {
  build: ["build", "--message-format=json", "--all-targets"],
  test: ["test", "--message-format=json", "--no-fail-fast"],
  restore: ["fetch"],
  lint: ["check", "--message-format=json", "--all-targets"],
};

/** Rust, with cargo. */
export const rust: Ecosystem = {
  name: "rust",
  markIn: (names) => (names.has("Cargo.toml") ? "Cargo.toml" : undefined),
  async plan(deed, project) {
    const hasClippy = deed === "lint" && (await project.has("cargo-clippy"));
    const args = hasClippy ? ["clippy", ...ARGS.lint.slice(1)] : [...ARGS[deed]];
    if (deed === "restore" && project.names.has("Cargo.lock")) args.push("--locked");
    if (deed === "test" && project.test !== undefined) args.push("--", project.test);
    return {
      program: "cargo",
      args,
      env: { CARGO_TERM_COLOR: "never", RUST_BACKTRACE: "0", ...(!project.isOnline && { CARGO_NET_OFFLINE: "true" }) },
      parsers: [cargo],
      install: "Install Rust from https://rustup.rs",
    };
  },
};
