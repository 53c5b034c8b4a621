import type { TemplateSource } from "../../template.js";
import { templatesOf } from "../shared/of.js";
import { description, port, projectName } from "../shared/parameters.js";
import { SERVER, SERVER_TEST } from "./server-source.js";
import { PACKAGE } from "./toolchain.js";

const template = templatesOf("go");

const PROGRAM = `// Command {{ project_name | kebab }} greets everybody who is named.
{%- if description != "" %}
//
// {{ description }}
{%- endif %}
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	err := run(os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "{{ project_name | kebab }}:", err)
		os.Exit(1)
	}
}

// run does what the program does, away from the process.
func run(args []string, out, complaints io.Writer) error {
	flags := flag.NewFlagSet("{{ project_name | kebab }}", flag.ContinueOnError)
	flags.SetOutput(complaints)
	if err := flags.Parse(args); err != nil {
		return err
	}
	names := flags.Args()
	if len(names) == 0 {
		names = []string{"world"}
	}
	for _, name := range names {
		if _, err := fmt.Fprintln(out, greet(name)); err != nil {
			return fmt.Errorf("cannot print: %w", err)
		}
	}
	return nil
}

func greet(name string) string {
	return "Hello, " + name + "!"
}
`;

const TEST = `package main

import (
	"io"
	"strings"
	"testing"
)

func TestRunGreets(t *testing.T) {
	tests := map[string]struct {
		args []string
		want string
	}{
		"the world when nobody is named": {nil, "Hello, world!\\n"},
		"everybody who is named":         {[]string{"Ada", "Grace"}, "Hello, Ada!\\nHello, Grace!\\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			if err := run(test.args, &out, io.Discard); err != nil {
				t.Fatal(err)
			}
			if out.String() != test.want {
				t.Errorf("got %q, want %q", out.String(), test.want)
			}
		})
	}
}

func TestRunRefusesAnUnknownFlag(t *testing.T) {
	if run([]string{"-loud"}, io.Discard, io.Discard) == nil {
		t.Error("no error")
	}
}
`;

const LIBRARY = `// Package ${PACKAGE} greets.
{%- if description != "" %}
//
// {{ description }}
{%- endif %}
package ${PACKAGE}

// Greet greets somebody.
func Greet(name string) string {
	return "Hello, " + name + "!"
}
`;

const LIBRARY_TEST = `package ${PACKAGE}

import "testing"

func TestGreet(t *testing.T) {
	if got := Greet("Ada"); got != "Hello, Ada!" {
		t.Errorf("got %q", got)
	}
}
`;

/** The first code of a Go project. */
export const sources: readonly TemplateSource[] = [
  template("source", "cli", {
    description: "First code of a Go program.",
    filename: "main.go",
    parameters: [projectName, description],
    body: PROGRAM,
  }),
  template("source", "lib", {
    description: "First code of a Go library.",
    filename: `${PACKAGE}.go`,
    parameters: [projectName, description],
    body: LIBRARY,
  }),
  template("source", "service", {
    description: "First code of a Go server that answers HTTP and ends in good order.",
    filename: "main.go",
    parameters: [projectName, description, port],
    body: SERVER,
  }),
  template("test", "cli", {
    description: "First tests of a Go program.",
    filename: "main_test.go",
    parameters: [],
    body: TEST,
  }),
  template("test", "lib", {
    description: "First tests of a Go library.",
    filename: `${PACKAGE}_test.go`,
    parameters: [projectName],
    body: LIBRARY_TEST,
  }),
  template("test", "service", {
    description: "First tests of a Go server.",
    filename: "main_test.go",
    parameters: [],
    body: SERVER_TEST,
  }),
];
