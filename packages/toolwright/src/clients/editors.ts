import type { Client } from "./client.js";
import { typedEntry, usualEntry } from "./entry-forms.js";
import { applicationFolder, inFolder, inHome, joinAt, roaming, type Surroundings, xdgConfig } from "./surroundings.js";

const cursor: Client = {
  id: "cursor",
  title: "Cursor",
  format: "json",
  places: (at) => [
    { scope: "user", file: inHome(at, ".cursor", "mcp.json"), keys: ["mcpServers"] },
    { scope: "project", file: inFolder(at, ".cursor", "mcp.json"), keys: ["mcpServers"] },
  ],
  signs: (at) => [inHome(at, ".cursor")],
  programs: ["cursor", "cursor-agent"],
  write: usualEntry(),
  afterwards: "Switch it on in Cursor: Settings, MCP.",
};

/** VS Code itself, its early edition, and the one without Microsoft's parts. */
const codeFolders = (at: Surroundings): readonly string[] =>
  ["Code", "Code - Insiders", "VSCodium"].map((name) => joinAt(at, applicationFolder(at), name, "User"));

const vscode: Client = {
  id: "vscode",
  title: "VS Code",
  format: "json",
  places: (at) => [
    ...codeFolders(at).map((folder) => ({
      scope: "user" as const,
      file: joinAt(at, folder, "mcp.json"),
      keys: ["servers"],
    })),
    { scope: "project", file: inFolder(at, ".vscode", "mcp.json"), keys: ["servers"] },
  ],
  signs: codeFolders,
  programs: ["code", "code-insiders", "codium"],
  write: typedEntry("http"),
  afterwards: 'Run "MCP: List Servers" in VS Code, and start it there.',
};

const windsurf: Client = {
  id: "windsurf",
  title: "Windsurf",
  format: "json",
  places: (at) => [
    { scope: "user", file: inHome(at, ".codeium", "windsurf", "mcp_config.json"), keys: ["mcpServers"] },
  ],
  signs: (at) => [inHome(at, ".codeium", "windsurf")],
  programs: ["windsurf"],
  write: usualEntry("serverUrl"),
  afterwards: "Refresh the servers in Windsurf: Cascade, MCP.",
};

const zedFolder = (at: Surroundings): string =>
  at.platform === "win32" ? joinAt(at, roaming(at), "Zed") : joinAt(at, xdgConfig(at), "zed");

const zed: Client = {
  id: "zed",
  title: "Zed",
  format: "json",
  places: (at) => [
    { scope: "user", file: joinAt(at, zedFolder(at), "settings.json"), keys: ["context_servers"] },
    { scope: "project", file: inFolder(at, ".zed", "settings.json"), keys: ["context_servers"] },
  ],
  signs: (at) => [zedFolder(at)],
  programs: ["zed", "zeditor"],
  write: usualEntry(),
  afterwards: "Zed sees it at once.",
};

/** The clients that are editors. */
export const EDITORS: readonly Client[] = [cursor, vscode, windsurf, zed];
