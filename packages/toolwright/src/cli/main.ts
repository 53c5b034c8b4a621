#!/usr/bin/env node
import { readFileSync } from "node:fs";

const HELP = `toolwright: an MCP server with tools for coding assistants

Usage
  toolwright serve       serve over stdin and stdout (what a client runs)
      --state DIR        keep tasks and long results there, not in the user's folder for state
  toolwright --version   print the version
  toolwright --help      print this help

Examples
  toolwright serve
  toolwright serve --state ./state
  printf '{"jsonrpc":"2.0","id":1,"method":"ping"}\\n' | toolwright serve
`;

const [command, ...rest] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};

const [option, state, ...more] = rest;
const isServe = command === "serve" && (option === undefined || (option === "--state" && state !== undefined));

if (isServe && more.length === 0) {
  const { serve } = await import("./commands/serve.js");
  await serve({ version, state });
} else if (command === "--version" || command === "-v") {
  process.stdout.write(`${version}\n`);
} else if (
  command === undefined ||
  command === "help" ||
  [command, ...rest].some((word) => word === "--help" || word === "-h")
) {
  process.stdout.write(HELP);
} else {
  const [unknown] = command === "serve" ? (isServe ? more : rest) : [command];
  const fault = unknown === "--state" ? "--state needs a folder" : `"${unknown}" is unknown`;
  process.stderr.write(`toolwright: ${fault}. Run "toolwright --help" for what there is.\n`);
  process.exitCode = 2;
}
