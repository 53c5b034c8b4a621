import { blocksOf, type Page } from "../pages.js";

/** What is to be known of the commands of a page. */
export interface Script {
  /** Files that the reader has, beside those of every project, from the blocks of the page. */
  readonly files?: Readonly<Record<string, (page: Page) => string>>;
  /** What was done before the block with this line: words of a shell. */
  readonly before?: Readonly<Record<string, string>>;
  /** Names that the page has made up, and words of a shell that find the real ones. */
  readonly names?: Readonly<Record<string, string>>;
  /** Lines that end with another code than 0. */
  readonly codes?: Readonly<Record<string, number>>;
  /** What is said in the course of the page, in this order. */
  readonly says: readonly string[];
}

const codeOf = (page: Page, isMeant: (words: readonly string[], code: string) => boolean) => {
  const block = blocksOf(page).find(({ words, code }) => isMeant(words, code));
  if (block === undefined) throw new Error(`${page.file} does not have the block that is looked for`);
  return block.code;
};

const before = (page: Page) => codeOf(page, (words) => words.includes("before"));
const after = (page: Page) => codeOf(page, (words) => words.includes("after"));
const SHOP = ['"price"', '"text": "', "No faults."];

/** By page, what is needed for its commands and what comes of them. */
export const SCRIPTS: Readonly<Record<string, Script>> = {
  "docs/guides/analysis.md": {
    says: ["Hotspots of app", "Quality gate of app: passed"],
  },
  "docs/guides/claude-desktop.md": {
    says: ["added toolwright", "No faults.", "No faults.", "added notes", "updated notes"],
  },
  "docs/guides/dev.md": {
    before: { "toolwright dev server.mjs": "cp ../server.mjs ../my-server.mjs ../server.py ." },
    says: [
      "# pass 4",
      '"name":"greet"',
      "serving http://",
      '"name":"echo"',
      '"name":"echo"',
      "Hello, Ada!",
      "echo",
      "No faults.",
    ],
  },
  "docs/guides/doctor.md": {
    says: ["No faults.", "No faults.", "No faults.", "No faults."],
  },
  "docs/guides/http.md": {
    says: ['"tools":[{"name":"echo"'],
  },
  "docs/guides/install.md": {
    says: [
      "not installed",
      "added toolwright",
      "took toolwright out",
      "added notes",
      "added files",
      "added docs",
      "added tickets",
    ],
  },
  "docs/guides/knowledge.md": {
    files: {
      "golden.json": (page) => codeOf(page, (words, code) => words[0] === "json" && code.includes('"question"')),
    },
    before: {
      "toolwright kb versions docs":
        "for page in todo http; do echo More. >> docs/guides/$page.md; toolwright kb ingest docs; done",
    },
    names: {
      chk_0a1b2c3d4e5f60718293a4b5: `toolwright kb search "session timeout" --json | grep -o 'chk_[0-9a-f]*' | head -1`,
    },
    says: [
      "docs version 1 is active",
      "chk_",
      "confidence",
      "✓ verified",
      "collection  version",
      "handbook version 1 is active",
      "This was a dry run",
      "docs version 1 is up to date",
      "docs/guides/limits.md",
      "words (BM25)",
      "3  ● active",
      "Version 2 of docs is active instead of 3",
      "Version 3 of docs is pinned",
      "2 questions: ✓ passed",
      "ask_handbook is active in every server",
      "ask_handbook is no longer listed",
      "Wrote version 3 to docs.kbpack",
      "docs-copy version 1 is active",
    ],
  },
  "docs/guides/migrating-from-fastmcp.md": { files: { "new-server.mjs": after }, says: SHOP },
  "docs/guides/migrating-from-sdk-1.md": { files: { "old-server.mjs": before, "new-server.mjs": after }, says: SHOP },
  "docs/guides/migrating-from-sdk-2.md": { files: { "old-server.mjs": before, "new-server.mjs": after }, says: SHOP },
  "docs/guides/operations.md": { says: ["is serving"] },
  "docs/guides/packs.md": {
    says: ["greet"],
  },
  "docs/guides/profiles.md": {
    files: { "house.jsonc": (page) => codeOf(page, (words, code) => words[0] === "jsonc" && code.includes("house")) },
    says: ["added toolwright"],
  },
  "docs/guides/proxy.md": { says: ["is serving"] },
  "docs/guides/recording.md": {
    codes: { "toolwright replay session.jsonl -- node my-server.mjs": 1 },
    says: ["the same", "the same", "2 differ"],
  },
  "docs/guides/templates.md": {
    says: ["makefile/rust/cli", "demo/Cargo.toml", "my-server/package.json", "my-pack/package.json"],
  },
  "docs/guides/threats.md": {
    says: [
      "TMKB-",
      "No findings in 1 file",
      "No findings in 2 files",
      "No findings in 1 file",
      "No findings in 1 file",
    ],
  },
  "docs/guides/todo.md": {
    names: { "7k2p": 'toolwright task search "Fix the parser" --quiet' },
    says: ["pending", "Release it", "in progress", "completed", "Release it", "Wrote 2 tasks to tasks.jsonl"],
  },
  "docs/guides/tool-lists.md": { says: ["fs_read_file", "fs_read_file", "fs_read_file", "git_blame", "search_code"] },
  "docs/guides/using-servers.md": {
    says: [
      "github  cursor",
      "Tools (5)",
      "Usage",
      "Nothing has createServer language:ts.",
      "Read me first.",
      "Review src/main.ts.",
      "hello",
      "5 with a,b",
      "hello",
      '"text": "hello"',
    ],
  },
  "docs/guides/workstation.md": { says: ['"name":"fs_read_file"', '"name":"fs_read_file"'] },
  "docs/reference/command-line.md": {
    before: {
      "serve --http 0.0.0.0:8080 --api-key-file keys.txt": "toolwright key ada > keys.txt",
      "toolwright replay session.jsonl": "toolwright serve --record session.jsonl",
      "toolwright analyze gate": "rm -r my-server my-pack demo",
    },
    codes: {
      "toolwright doctor --html report.html -- npx -y @modelcontextprotocol/server-everything": 1,
      "toolwright replay session.jsonl https://tools.example/mcp --token-env TOKEN": 1,
      "toolwright replay session.jsonl --ignore '**.now' -- node my-server.mjs": 1,
    },
    says: [
      "ws://127.0.0.1:",
      "1 API key",
      "The API key of ada",
      "The API key of build-server",
      "API keys",
      "not installed",
      "added toolwright",
      "added docs",
      "added files",
      "took toolwright out",
      "No faults.",
      " faults.",
      "No faults.",
      '{"jsonrpc":"2.0","id":1,"result":{}}',
      "github ",
      "Tools (5)",
      "echo: Gives back the text",
      "Read me first.",
      "Review src/main.ts.",
      "hello",
      '"time_zone":"Europe/Paris"',
      "hello",
      "hello",
      "2 requests: 2 the same",
      "2 requests: 2 the same",
      "2 differ",
      "2 differ",
      '"name":"echo"',
      "serving http://",
      '"name":"echo"',
      "makefile/rust/cli",
      "my-server/package.json",
      "my-pack/package.json",
      "demo/Cargo.toml",
      "LICENSE",
      "Hotspots of app",
      "Quality gate of app: passed",
      ".TH",
    ],
  },
  "docs/reference/runtimes.md": { says: ["tests/runtimes/run.mjs"] },
  "examples/everything/README.md": { says: ['"tools":[{', "Everything is at http://127.0.0.1:", "Resources ("] },
};
