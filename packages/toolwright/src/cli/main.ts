#!/usr/bin/env node
import { readFileSync } from "node:fs";

const HELP = `toolwright: an MCP server with tools for coding assistants

Usage
  toolwright serve       serve over stdin and stdout (what a client runs)
  toolwright --version   print the version
  toolwright --help      print this help

Examples
  toolwright serve
  printf '{"jsonrpc":"2.0","id":1,"method":"ping"}\\n' | toolwright serve
`;

const [command, ...rest] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};

if (command === "serve" && rest.length === 0) {
  const { serve } = await import("./commands/serve.js");
  await serve(version);
} else if (command === "--version" || command === "-v") {
  process.stdout.write(`${version}\n`);
} else if (
  command === undefined ||
  command === "help" ||
  [command, ...rest].some((word) => word === "--help" || word === "-h")
) {
  process.stdout.write(HELP);
} else {
  const unknown = command === "serve" ? rest[0] : command;
  process.stderr.write(`toolwright: "${unknown}" is unknown. Run "toolwright --help" for what there is.\n`);
  process.exitCode = 2;
}
