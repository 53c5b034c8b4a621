// The sizes of the ready server, as rows of the table that `npm run measure:path` prints: its source files and lines of code by package,
// the tokens of its tool lists, and its settings. Needs a build.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { getEncoding } from "js-tiktoken";
import { getFormattedTokens } from "sucrase";

const packages = fileURLToPath(new URL("../packages", import.meta.url));
const main = path.join(packages, "toolwright/dist/main.js");

/** The TypeScript files below a folder. */
export function sourceFiles(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
}

export async function serverSizes() {
  const sizes = readdirSync(packages)
    .filter((name) => name !== "engine" && existsSync(path.join(packages, name, "src")))
    .map((name) => ({ name, ...sizeOf(path.join(packages, name, "src")) }));
  const sum = (member) => sizes.reduce((total, size) => total + size[member], 0);
  const { packSettings, sections } = countSettings();
  return [
    ["source files of all packages but the engine", sum("files"), "≤ 750"],
    ["lines of code of these, without blank lines and comments", sum("code"), ""],
    ["the same without data: tables of literals of more than 10 lines", sum("code") - sum("data"), "≤ 75000"],
    ...sizes.map(({ name, files, code, data }) => [
      `  ${name} (files; code; data in it)`,
      `${files}; ${code}; ${data}`,
      "",
    ]),
    ["tokens of the default tool list (tools)", await listCost([]), "≤ 5500"],
    ["tokens of the progressive tool list (tools)", await listCost(["--progressive"]), "≤ 500"],
    ["settings of packs", packSettings, "≤ 35"],
    ["settings at the top level of the configuration", sections, ""],
  ];
}

function sizeOf(folder) {
  const files = sourceFiles(folder);
  const texts = files.map((file) => readFileSync(path.join(folder, file), "utf8"));
  const sum = (count) => texts.reduce((total, text) => total + count(text), 0);
  return { files: files.length, code: sum(linesOfCode), data: sum(linesOfData) };
}

/** Counts the lines that a token of the language is on. */
function linesOfCode(text) {
  const lines = new Set();
  const tokens = getFormattedTokens(text, { transforms: ["typescript"] });
  for (const [, from, to] of tokens.matchAll(/^(\d+):\d+-(\d+):\d+\s+(?!\s|eof)/gm)) {
    for (let line = Number(from); line <= Number(to); line++) lines.add(line);
  }
  return lines.size;
}

const TABLE = /^(?:export )?const \w+[^\n=]*= .*[[{]\n(?:[ \n].*\n|\n)+?[\]}].*$/gm;
const LITERAL =
  /"(?:\\.|[^"\\])*"|'[^'\n]*'|`[^`$]*`|\/(?![/*])(?:\\.|\[[^\]]*\]|[^/\n])+\/[a-z]*|\b(?:true|false|null|as const)\b/g;

/** Counts the lines of top-level constants that consist of literals only, such as words, patterns and SQL. */
function linesOfData(text) {
  const tables = (text.match(TABLE) ?? []).filter((table) => {
    const inside = table.split("\n").slice(1, -1).join("\n");
    return /^[\s,[\]{}\d._-]*$/.test(inside.replaceAll(LITERAL, "").replaceAll(/[\w$]+\s*:/g, ""));
  });
  const sizes = tables.map((table) => table.split("\n").filter((line) => line.trim() !== "").length);
  return sizes.filter((size) => size > 10).reduce((sum, size) => sum + size, 0);
}

/** What a model pays for the list of `toolwright serve` with these options: name, description and input schema in cl100k_base. */
async function listCost(options) {
  const folder = mkdtempSync(path.join(tmpdir(), "measure-sizes-"));
  const args = [main, "serve", "--no-config", "--root", folder, "--state", path.join(folder, "state"), ...options];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const clientInfo = { name: "measure-sizes", version: "1.0.0" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    send(child, { id: 0, method: "initialize", params });
    send(child, { method: "notifications/initialized" });
    send(child, { id: 1, method: "tools/list" });
    for (;;) {
      const { value } = await lines.next();
      const { id, result } = JSON.parse(value);
      if (id === 1) return `${tokensOf(result.tools)} (${result.tools.length})`;
    }
  } finally {
    child.kill();
    await new Promise((resolve) => child.once("exit", resolve));
    rmSync(folder, { recursive: true, force: true });
  }
}

const send = (child, message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

function tokensOf(tools) {
  const encoding = getEncoding("cl100k_base");
  return tools.reduce(
    (sum, { name, description, inputSchema }) =>
      sum + encoding.encode(JSON.stringify({ name, description, inputSchema })).length,
    0,
  );
}

/** Counts settings in the published schema. */
function countSettings() {
  const { properties } = JSON.parse(readFileSync(path.join(packages, "toolwright/toolwright.schema.json"), "utf8"));
  const packs = Object.values(properties.packs.properties).map((pack) =>
    [pack, ...(pack.anyOf ?? [])].find((branch) => branch.properties !== undefined),
  );
  return {
    packSettings: packs.reduce((sum, pack) => sum + Object.keys(pack?.properties ?? {}).length, 0),
    sections: Object.keys(properties).filter((name) => name !== "$schema").length,
  };
}
