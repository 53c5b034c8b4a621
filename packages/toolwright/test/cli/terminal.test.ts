import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { Child } from "../../../engine/test/stdio/child.js";
import { BASICS_ONLY } from "./listening.js";
import { findTerminal } from "./pseudo-terminal.js";

const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const terminal = findTerminal();

test.skipIf(terminal === undefined)(
  "on a terminal, serve says on stderr what it is, which tools it has and how to connect a client, and then serves",
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "toolwright-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const stdout = path.join(folder, "stdout");
    // Stdout goes to a file, so what shows on the terminal is stderr and the echo of what is typed.
    const [command, args] = (terminal as NonNullable<typeof terminal>)(
      `'${process.execPath}' '${main}' serve > '${stdout}'`,
    );
    const child = new Child(command, args);
    await child.until(() => child.lines.some((line) => line.startsWith("The answer is")), "its greeting");
    const greeting = child.lines.map((line) => line.trimEnd());
    expect(greeting[0]).toBe("toolwright 0.1.0, an MCP server, is waiting for a client on stdin.");
    expect(greeting.filter((line) => /^Tools \(\d+\)$/.test(line))).toHaveLength(1);
    expect(greeting).toContain("  basics       echo, current_time");
    expect(greeting.find((line) => line.startsWith("  workstation  "))).toContain("fs_");
    expect(Math.max(...greeting.slice(0, greeting.indexOf("  {")).map(({ length }) => length))).toBeLessThan(100);
    expect(greeting).toContain(`With Claude Code:  claude mcp add toolwright -- ${process.execPath} ${main} serve`);
    const from = greeting.indexOf("  {");
    const entry: unknown = JSON.parse(greeting.slice(from, greeting.indexOf("  }") + 1).join("\n"));
    expect(entry).toEqual({
      mcpServers: { toolwright: { command: process.execPath, args: [main, "serve", "--root", process.cwd()] } },
    });

    child.write('{"jsonrpc":"2.0","id":"typed","method":"ping"}\n');
    child.write("\u{4}");
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(readFileSync(stdout, "utf8")).toBe('{"jsonrpc":"2.0","id":"typed","result":{}}\n');
  },
);

test.skipIf(terminal === undefined)(
  "on a terminal, serve --http says after its block how to connect a client, and Ctrl-C ends it",
  async () => {
    const [command, args] = (terminal as NonNullable<typeof terminal>)(
      `'${process.execPath}' '${main}' serve --http 0`,
    );
    const child = new Child(command, args, BASICS_ONLY);
    await child.until(() => child.lines.some((line) => line.startsWith("Ctrl-C")), "its block");
    const lines = child.lines.map((line) => line.trimEnd());
    const url = /http:\S+/.exec(lines[1] ?? "")?.[0];
    expect(lines).toEqual([
      "toolwright 0.1.0 is serving",
      `  http    ${url}`,
      `  pages   ${new URL("/", url).href}`,
      "  packs   basics (3 tools)",
      "  speaks  MCP 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05",
      "",
      `With Claude Code:  claude mcp add --transport http toolwright ${url}`,
      "Ctrl-C stops it.",
    ]);
    child.write("\u{3}");
    expect(await child.ended).toEqual({ code: 0, signal: null });
  },
);
