import type { TemplateSource } from "../../template.js";
import { templatesOf } from "../shared/of.js";
import { description, port, projectName } from "../shared/parameters.js";
import { SERVER, SERVER_TEST } from "./server-source.js";

const template = templatesOf("rust");

const PROGRAM = `//! {% if description != "" %}{{ description }}{% else %}The program \`{{ project_name | kebab }}\`.{% endif %}

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

const USAGE: &str = "Usage: {{ project_name | kebab }} [--help | --version | NAME...]";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match run(&arguments, &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", env!("CARGO_PKG_NAME"));
            ExitCode::FAILURE
        }
    }
}

/// Greets everybody who is named, or the world.
fn run(arguments: &[String], out: &mut impl Write) -> io::Result<()> {
    match arguments.first().map(String::as_str) {
        None => writeln!(out, "{}", greet("world")),
        Some("--help") => writeln!(out, "{USAGE}"),
        Some("--version") => writeln!(out, "{}", env!("CARGO_PKG_VERSION")),
        Some(option) if option.starts_with('-') => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("there is no option {option}\\n{USAGE}"),
        )),
        Some(_) => arguments
            .iter()
            .try_for_each(|name| writeln!(out, "{}", greet(name))),
    }
}

fn greet(name: &str) -> String {
    format!("Hello, {name}!")
}

#[cfg(test)]
mod tests {
    use super::run;

    fn say(arguments: &[&str]) -> std::io::Result<String> {
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        let mut out = Vec::new();
        run(&arguments, &mut out)?;
        Ok(String::from_utf8_lossy(&out).into_owned())
    }

    #[test]
    fn greets_the_world_and_everybody_named() -> std::io::Result<()> {
        assert_eq!(say(&[])?, "Hello, world!\\n");
        assert_eq!(say(&["Ada", "Grace"])?, "Hello, Ada!\\nHello, Grace!\\n");
        Ok(())
    }

    #[test]
    fn refuses_an_unknown_option() {
        assert!(say(&["--loud"]).is_err());
    }
}
`;

const LIBRARY = `//! {% if description != "" %}{{ description }}{% else %}The library \`{{ project_name | kebab }}\`.{% endif %}

/// Greets somebody.
///
/// \`\`\`
/// assert_eq!({{ project_name | snake }}::greet("world"), "Hello, world!");
/// \`\`\`
#[must_use]
pub fn greet(name: &str) -> String {
    format!("Hello, {name}!")
}

#[cfg(test)]
mod tests {
    use super::greet;

    #[test]
    fn greets_by_name() {
        assert_eq!(greet("Ada"), "Hello, Ada!");
    }
}
`;

const TEST = `//! Runs the program as a user would.

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> std::io::Result<Output> {
    Command::new(env!("CARGO_BIN_EXE_{{ project_name | kebab }}"))
        .args(arguments)
        .output()
}

#[test]
fn says_its_version() -> std::io::Result<()> {
    let output = run(&["--version"])?;
    assert!(output.status.success());
    assert_eq!(
        String::from_utf8_lossy(&output.stdout).trim(),
        env!("CARGO_PKG_VERSION")
    );
    Ok(())
}

#[test]
fn an_unknown_option_ends_it_with_a_failure() -> std::io::Result<()> {
    let output = run(&["--loud"])?;
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("there is no option --loud"));
    Ok(())
}
`;

const LIBRARY_TEST = `//! Uses the library as others would.

use {{ project_name | snake }}::greet;

#[test]
fn greets_by_name() {
    assert_eq!(greet("Ada"), "Hello, Ada!");
}
`;

/** The first code of a Rust project. */
export const sources: readonly TemplateSource[] = [
  template("source", "cli", {
    description: "First code of a Rust program, with its tests.",
    filename: "src/main.rs",
    parameters: [projectName, description],
    body: PROGRAM,
  }),
  template("source", "lib", {
    description: "First code of a Rust library, with its tests.",
    filename: "src/lib.rs",
    parameters: [projectName, description],
    body: LIBRARY,
  }),
  template("source", "service", {
    description: "First code of a Rust server that answers HTTP with nothing but the standard library.",
    filename: "src/main.rs",
    parameters: [projectName, description, port],
    body: SERVER,
  }),
  template("test", "cli", {
    description: "Test that runs a Rust program as a user would.",
    filename: "tests/cli.rs",
    parameters: [projectName],
    body: TEST,
  }),
  template("test", "lib", {
    description: "Test that uses a Rust library as others would.",
    filename: "tests/greet.rs",
    parameters: [projectName],
    body: LIBRARY_TEST,
  }),
  template("test", "service", {
    description: "Test that starts a Rust server and asks how it is.",
    filename: "tests/server.rs",
    parameters: [projectName],
    body: SERVER_TEST,
  }),
];
