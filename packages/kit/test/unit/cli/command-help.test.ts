import { expect, test } from "vitest";
import { defineCommand, JSON_OPTION, LIMIT_OPTION } from "../../../src/cli/command.js";
import { renderHelp } from "../../../src/cli/command-help.js";
import { createPaint } from "../../../src/terminal/screen.js";

const search = defineCommand({
  name: "search",
  summary: "Search documents",
  description: "Searches all collections of the knowledge base.\n\nThe best results come first.",
  args: {
    query: { required: true, multiple: true, description: "What to search for." },
    documentId: { description: "Searches one document only." },
  },
  options: {
    limit: { ...LIMIT_OPTION, default: 10 },
    mode: { type: "string", choices: ["hybrid", "keyword"], description: "How to search." },
    timeout: { type: "duration", default: 30_000, description: "Give up after this time." },
    collection: { type: "string", multiple: true, placeholder: "NAME", description: "Search this collection." },
    listen: { type: "string", implied: "3000", placeholder: "HOST:PORT", group: "Transports", description: "HTTP." },
    json: JSON_OPTION,
    internal: { type: "boolean", hidden: true, description: "Not shown." },
  },
  sections: [{ title: "Environment", text: "NO_COLOR   no colours" }],
  exitCodes: { 1: "Nothing was found." },
  examples: ["toolwright kb search 'idle sessions'"],
  run: () => undefined,
});

test("help is made of the declaration", () => {
  expect(renderHelp(search, ["kb", "search"])).toBe(`Search documents

Usage
  toolwright kb search QUERY... [DOCUMENT_ID] [options]

Searches all collections of the knowledge base.

The best results come first.

Arguments
  QUERY...       What to search for.
  [DOCUMENT_ID]  Searches one document only.

Transports
      --listen [HOST:PORT]  HTTP.

Options
  -n, --limit NUMBER         The maximum number of results. (default: 10)
      --mode hybrid|keyword  How to search.
      --timeout TIME         Give up after this time. (default: 30s)
      --collection NAME      Search this collection. (can be repeated)
      --json                 Print JSON.
  -h, --help                 Print this help.

Environment
  NO_COLOR   no colours

Exit codes
  1  Nothing was found.

Examples
  toolwright kb search 'idle sessions'
`);
});

test("a command with subcommands lists those that are not hidden", () => {
  const kb = defineCommand({
    name: "kb",
    summary: "Search documents and cite them",
    subcommands: [search, defineCommand({ name: "ids", summary: "Not shown", hidden: true })],
  });
  expect(renderHelp(kb, ["kb"])).toBe(`Search documents and cite them

Usage
  toolwright kb COMMAND [options]

Commands
  search  Search documents

Options
  -h, --help  Print this help.
`);
});

test("descriptions are wrapped to the width of the screen, and headings are bold", () => {
  const long = defineCommand({
    name: "long",
    summary: "A long one",
    options: {
      aVeryLongNameOfAnOption: { type: "string", placeholder: "TEXT", description: "Word ".repeat(20).trim() },
      mode: { type: "string", choices: ["first", "second", "third", "fourth"], description: "Which." },
    },
    run: () => undefined,
  });
  const plain = renderHelp(long, ["long"], { paint: createPaint(false), width: 60 }).split("\n");
  expect(plain.filter((line) => line.length > 60)).toEqual([]);
  const lines = renderHelp(long, ["long"], { paint: createPaint(true), width: 60 }).split("\n");
  expect(lines).toContain("\u{1b}[1mUsage\u{1b}[22m");
  expect(lines).toContain("      --a-very-long-name-of-an-option TEXT");
  expect(lines.join(" ")).toContain("(choices: first,");
});
