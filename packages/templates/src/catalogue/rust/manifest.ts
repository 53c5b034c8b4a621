import type { TemplateParameter, TemplateSource } from "../../template.js";
import { templatesOf, type Variant } from "../shared/of.js";
import { author, choice, description, license, projectName, version, versionOf } from "../shared/parameters.js";

const template = templatesOf("rust");

const parameters: readonly TemplateParameter[] = [
  projectName,
  description,
  author,
  license,
  version,
  choice("edition", "Edition of the language, of which 2024 needs Rust 1.85 or newer.", ["2021", "2024"]),
  versionOf("rust_version", "Rust that is needed at least", "1.75"),
];

const PACKAGE = `[package]
name = "{{ project_name | kebab }}"
version = "{{ version }}"
edition = "{{ edition }}"
rust-version = "{{ rust_version }}"
{%- if description != "" %}
description = {{ description | json }}
{%- endif %}
{%- if author != "" %}
authors = [{{ author | json }}]
{%- endif %}
license = "{{ license }}"
readme = "README.md"
`;

const LINTS = `
[dependencies]

[lints.rust]
unsafe_code = "forbid"
unused_qualifications = "warn"
`;

const CLIPPY = `
[lints.clippy]
all = { level = "warn", priority = -1 }
pedantic = { level = "warn", priority = -1 }
doc_markdown = "allow"
`;

// A program is built once and run often.
const RELEASE = `
[profile.release]
lto = "thin"
codegen-units = 1
strip = true
`;

const manifest = (variant: Variant, what: string, body: string): TemplateSource =>
  template("manifest", variant, {
    description: `Manifest for cargo of ${what}.`,
    filename: "Cargo.toml",
    parameters,
    body,
  });

/** What cargo is told of a Rust project. */
export const manifests: readonly TemplateSource[] = [
  manifest("cli", "a Rust program", PACKAGE + LINTS + CLIPPY + RELEASE),
  manifest("lib", "a Rust library", `${PACKAGE}${LINTS}missing_docs = "warn"\n${CLIPPY}`),
  manifest(
    "service",
    "a Rust server, which is never published",
    `${PACKAGE}publish = false\n${LINTS}${CLIPPY}${RELEASE}`,
  ),
];
