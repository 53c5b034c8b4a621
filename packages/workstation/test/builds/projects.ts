import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Whether a program is on the PATH; without it the tests that need it are skipped. */
export function has(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args.length > 0 ? args : ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** The packages of this repository, for projects that use the tools among them. */
export const OWN_PACKAGES: string = fileURLToPath(new URL("../../../../node_modules", import.meta.url));

/** A Rust library with a test that passes, one that fails and one that is left out. */
export const RUST = {
  "Cargo.toml": '[package]\nname = "tiny"\nversion = "0.1.0"\nedition = "2021"\n',
  "src/lib.rs": `pub fn twice(x: i32) -> i32 {
    x * 2
}

#[cfg(test)]
mod tests {
    #[test]
    fn doubles() {
        assert_eq!(super::twice(2), 4);
    }

    #[test]
    fn triples() {
        assert_eq!(super::twice(2), 6);
    }

    #[test]
    #[ignore]
    fn sleeps() {}
}
`,
};

/** A Go module with a package inside it, and a test that fails in each way. */
export const GO = {
  "go.mod": "module example.com/tiny\n\ngo 1.18\n",
  "tiny.go": "package tiny\n\n// Twice doubles.\nfunc Twice(x int) int { return x * 2 }\n",
  "tiny_test.go": `package tiny

import "testing"

func TestDoubles(t *testing.T) {
	if Twice(2) != 4 {
		t.Fatal("no")
	}
}

func TestSkipped(t *testing.T) { t.Skip("later") }
`,
  "inner/inner.go": "package inner\n",
  "inner/inner_test.go": `package inner

import "testing"

func TestTable(t *testing.T) {
	t.Run("right", func(t *testing.T) {})
	t.Run("wrong", func(t *testing.T) {
		t.Errorf("got %d, want %d", 4, 6)
	})
}
`,
};

/** A Python package with tests for pytest and unittest alike. */
export const PYTHON = {
  "pyproject.toml": '[project]\nname = "tiny"\nversion = "0.1.0"\n',
  "tiny.py": "def twice(x):\n    return x * 2\n",
  "test_tiny.py": `import unittest

from tiny import twice


class TestTwice(unittest.TestCase):
    def test_doubles(self):
        self.assertEqual(twice(2), 4)

    def test_triples(self):
        self.assertEqual(twice(2), 6, "not three times")

    @unittest.skip("later")
    def test_later(self):
        pass
`,
};
