import type { TemplateSource } from "../../template.js";
import type { Toolchain } from "./toolchain.js";

/** One check that runs before a commit, with the tools of the project itself. */
export interface Hook {
  readonly id: string;
  readonly name: string;
  readonly entry: string;
  /** A regular expression for the files that set it off. */
  readonly files: string;
}

/** Checks before each commit: those for every file, and those of the toolchain in the version that the project uses. */
export function precommit({ name, title }: Toolchain, hooks: readonly Hook[]): TemplateSource {
  return {
    category: "precommit",
    toolchain: name,
    variant: "default",
    description: `Checks that pre-commit runs before each commit of a ${title} project.`,
    filename: ".pre-commit-config.yaml",
    parameters: [],
    body: `${COMMON}${hooks.map(toHook).join("")}`,
  };
}

const COMMON = `# https://pre-commit.com: \`pre-commit install\` once, \`pre-commit run --all-files\` at any time.
minimum_pre_commit_version: "3.2.0"
default_install_hook_types: [pre-commit]

repos:
  - repo: https://github.com/pre-commit/pre-commit-hooks
    rev: v6.0.0
    hooks:
      - id: check-added-large-files
      - id: check-case-conflict
      - id: check-merge-conflict
      - id: check-json
        exclude: ^(tsconfig.*|\\.devcontainer/.*)\\.json$
      - id: check-toml
      - id: check-yaml
      - id: detect-private-key
      - id: end-of-file-fixer
      - id: mixed-line-ending
        args: [--fix=lf]
      - id: trailing-whitespace
        args: [--markdown-linebreak-ext=md]

  - repo: local
    hooks:
`;

const toHook = ({ id, name, entry, files }: Hook): string => `      - id: ${id}
        name: ${name}
        entry: ${entry}
        language: system
        files: ${files}
        pass_filenames: false
`;
