import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** A folder for a server: `root` has the files that tools can read. */
export interface Workspace {
  readonly base: string;
  remove(): void;
}

/** Files that are expensive to read for who does not expect them. */
const FILES: Readonly<Record<string, string>> = {
  "readme.md": "# Inside\n\nPlain notes about a queue.\n",
  "package.json": '{ "name": "a", "scripts": { "build": "true" } }\n',
  "src/main.ts": "export function a(x: number) {\n  return x > 1 ? a : 1;\n}\n",
  ".github/workflows/keys.yml": "? ".repeat(500),
  ".github/workflows/brackets.yml": "[".repeat(100_000),
  ".github/workflows/lines.yml": Array.from({ length: 200 }, (_, depth) => `${" ".repeat(depth)}?\n`).join(""),
  ".github/workflows/aliases.yml": Array.from(
    { length: 30 },
    (_, level) =>
      `a${level}: &a${level} [${Array.from({ length: 9 }, () => (level === 0 ? "x" : `*a${level - 1}`)).join()}]\n`,
  ).join(""),
  "ignored/.gitignore": Array.from({ length: 20_000 }, (_, index) => `*a${index}*/**/b?\n`).join(""),
  "stars/.gitignore": `${"*a".repeat(400)}b\n${"a*".repeat(30_000)}\n`,
  [`stars/${"a".repeat(250)}`]: "a\n",
  ".gitattributes": Array.from({ length: 2000 }, (_, index) => `*a${index}* linguist-generated\n`).join(""),
  "long-line.txt": "a".repeat(2_000_000),
  "lines.txt": "a\n".repeat(300_000),
  "brackets.md": `${"[".repeat(200_000)}${"](".repeat(100_000)}`,
  "emphasis.md": "*a_ ".repeat(200_000),
  "tags.html": "<a ".repeat(200_000),
  "nested.json": `${"[".repeat(200_000)}${"]".repeat(200_000)}`,
  "quotes.csv": '","'.repeat(200_000),
  "deep.ts": `${"(".repeat(50_000)}1${")".repeat(50_000)}`,
  "slashes.ts": "/".repeat(500_000),
  "calls.py": `a${".b(lambda: 1)".repeat(30_000)}\n`,
  "pattern.yaml": "threat_pattern:\n  ? ? ? ? ? ? ? ? a\n",
};

/** Creates the folder, with a git repository that has long names. */
export function createWorkspace(): Workspace {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), "responsiveness-")));
  const root = path.join(base, "root");
  const write = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  };
  for (const [name, text] of Object.entries(FILES)) write(name, text);
  const folder = Array.from({ length: 12 }, () => "n".repeat(200)).join("/");
  for (let index = 0; index < 200; index += 1) write(`${folder}/${"m".repeat(200)}${index}`, "a\n");
  for (let index = 0; index < 500; index += 1) write(`ignored/xa${index}x/y/bc`, "a\n");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.com", ...args], {
      cwd: root,
      stdio: "ignore",
    });
  git("init", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--message=first");
  write("readme.md", "# Inside\n\nChanged.\n");
  return { base, remove: () => rmSync(base, { recursive: true, force: true, maxRetries: 3 }) };
}
