import type { TemplateSource } from "../../template.js";
import { makefiles, ofServer, type Target, without } from "../shared/makefile.js";
import { flag, line, list } from "../shared/parameters.js";
import { rust } from "./toolchain.js";

const target = {
  ...line("target", "Triple of the platform to build for, such as x86_64-unknown-linux-musl."),
  pattern: "^[A-Za-z0-9_.-]*$",
};
const features = list("features", "Features of the crate to build with.", [], "^[A-Za-z0-9_][A-Za-z0-9_+.:?/-]*$");
const hasBenchmarks = flag("has_benchmarks", "Whether there are benchmarks to run.", false);
// A backslash at the end would take the next line of the Makefile along.
const defaultArguments = {
  ...line("default_args", "Arguments with which `make run` starts the program."),
  pattern: "^[^\\u0000-\\u001f\\u007f\\u2028\\u2029]*(?<!\\\\)$",
};

const FLAGS = `CARGO ?= cargo
FLAGS :={% if target != "" %} --target {{ target }}{% endif %}{% if features.size > 0 %} --features {{ features | join: "," }}{% endif %}`;

const ARGUMENTS = `
ARGS ?={% if default_args != "" %} {{ default_args | make }}{% endif %}`;

const TARGETS: readonly Target[] = [
  { name: "build", about: "Build for development", run: ["$(CARGO) build $(FLAGS)"] },
  { name: "release", about: "Build for release", run: ["$(CARGO) build --release --locked $(FLAGS)"] },
  { name: "run", about: "Run the program with ARGS", run: ["$(CARGO) run $(FLAGS) -- $(ARGS)"] },
  { name: "test", about: "Run the tests", when: "has_tests", run: ["$(CARGO) test $(FLAGS)"] },
  { name: "bench", about: "Run the benchmarks", when: "has_benchmarks", run: ["$(CARGO) bench $(FLAGS)"] },
  { name: "format", about: "Lay the code out", run: ["$(CARGO) fmt --all"] },
  { name: "format-check", about: "Check the layout of the code", run: ["$(CARGO) fmt --all -- --check"] },
  { name: "lint", about: "Look for mistakes", run: ["$(CARGO) clippy --all-targets $(FLAGS) -- -D warnings"] },
  {
    name: "check",
    about: "Do all that the pipeline does",
    needs: "format-check lint{% if has_tests %} test{% endif %}",
  },
  { name: "doc", about: "Write the documentation", run: ["$(CARGO) doc --no-deps $(FLAGS)"] },
  { name: "install", about: "Install the program for this user", run: ["$(CARGO) install --locked --path ."] },
  { name: "clean", about: "Remove what was built", run: ["$(CARGO) clean"] },
];

/** What `make` does in a Rust project. */
export const makefilesOfRust: readonly TemplateSource[] = makefiles(rust, {
  cli: {
    parameters: [hasBenchmarks, target, features, defaultArguments],
    settings: FLAGS + ARGUMENTS,
    targets: TARGETS,
  },
  lib: {
    parameters: [hasBenchmarks, target, features],
    settings: FLAGS,
    targets: [
      ...without(TARGETS, "run", "install"),
      { name: "package", about: "Try what publishing would do", run: ["$(CARGO) publish --dry-run"] },
    ],
  },
  service: {
    parameters: [hasBenchmarks, target, features],
    settings: FLAGS,
    targets: ofServer(without(TARGETS, "install"), "$(CARGO) run $(FLAGS)"),
  },
});
