import type { Client, Place } from "./client.js";
import { codexEntry, gooseEntry, opencodeEntry, programOnly, typedEntry, usualEntry } from "./entries.js";
import {
  applicationFolder,
  folderIn,
  inFolder,
  inHome,
  joinAt,
  roaming,
  type Surroundings,
  xdgConfig,
} from "./environment.js";

const SERVERS = ["mcpServers"] as const;

/** Claude Code keeps its state in the same file, including the servers of single folders. */
const claudeCode: Client = {
  id: "claude-code",
  title: "Claude Code",
  format: "plain json",
  places: (at) => {
    const file = joinAt(at, folderIn(at, "CLAUDE_CONFIG_DIR") ?? at.home, ".claude.json");
    return [
      { scope: "user", file, keys: SERVERS },
      { scope: "project", file: inFolder(at, ".mcp.json"), keys: SERVERS },
      { scope: "project", file, keys: ["projects", at.folder, ...SERVERS], use: "read" },
    ];
  },
  signs: (at) => [folderIn(at, "CLAUDE_CONFIG_DIR") ?? inHome(at, ".claude"), inHome(at, ".claude.json")],
  programs: ["claude"],
  write: typedEntry("http"),
  afterwards: "Start a new session of Claude Code.",
  inProject: "It asks you to approve the servers of the project.",
};

const claudeDesktop: Client = {
  id: "claude-desktop",
  title: "Claude Desktop",
  format: "plain json",
  places: (at) => desktopFolders(at).map((folder) => desktopPlace(at, folder)),
  signs: desktopFolders,
  programs: [],
  write: programOnly,
  afterwards: "Quit Claude Desktop and open it again.",
};

const desktopPlace = (at: Surroundings, folder: string): Place => ({
  scope: "user",
  file: joinAt(at, folder, "claude_desktop_config.json"),
  keys: SERVERS,
});

/** The version from the Microsoft Store has its own application folder. */
function desktopFolders(at: Surroundings): readonly string[] {
  const usual = joinAt(at, applicationFolder(at), "Claude");
  if (at.platform !== "win32") return [usual];
  const local = folderIn(at, "LOCALAPPDATA") ?? inHome(at, "AppData", "Local");
  return [usual, joinAt(at, local, "Packages", "Claude_pzs8sxrjxfjjc", "LocalCache", "Roaming", "Claude")];
}

const codexHome = (at: Surroundings): string => folderIn(at, "CODEX_HOME") ?? inHome(at, ".codex");

const codex: Client = {
  id: "codex",
  title: "Codex",
  format: "toml",
  places: (at) => [
    { scope: "user", file: joinAt(at, codexHome(at), "config.toml"), keys: ["mcp_servers"] },
    { scope: "project", file: inFolder(at, ".codex", "config.toml"), keys: ["mcp_servers"] },
  ],
  signs: (at) => [codexHome(at)],
  programs: ["codex"],
  write: codexEntry,
  afterwards: "Start a new session of Codex.",
  inProject: "It reads the file only in trusted projects.",
};

const geminiHome = (at: Surroundings): string => joinAt(at, folderIn(at, "GEMINI_CLI_HOME") ?? at.home, ".gemini");

const gemini: Client = {
  id: "gemini",
  title: "Gemini CLI",
  format: "commented json",
  places: (at) => [
    { scope: "user", file: joinAt(at, geminiHome(at), "settings.json"), keys: SERVERS },
    { scope: "project", file: inFolder(at, ".gemini", "settings.json"), keys: SERVERS },
  ],
  signs: (at) => [geminiHome(at)],
  programs: ["gemini"],
  write: (name, target) =>
    "url" in target && target.transport === "http" ? usualEntry("httpUrl")(name, target) : usualEntry()(name, target),
  afterwards: "Restart Gemini CLI.",
};

/** The folder that all Cline applications share; the VS Code extension used to have its own. */
function clineFile(at: Surroundings): string {
  const root = folderIn(at, "CLINE_DIR") ?? inHome(at, ".cline");
  const folder = folderIn(at, "CLINE_DATA_DIR") ?? joinAt(at, root, "data");
  return folderIn(at, "CLINE_MCP_SETTINGS_PATH") ?? joinAt(at, folder, "settings", "cline_mcp_settings.json");
}

const clineExtension = (at: Surroundings): string =>
  joinAt(at, applicationFolder(at), "Code", "User", "globalStorage", "saoudrizwan.claude-dev");

const cline: Client = {
  id: "cline",
  title: "Cline",
  format: "plain json",
  places: (at) => [
    { scope: "user", file: clineFile(at), keys: SERVERS },
    { scope: "user", file: joinAt(at, clineExtension(at), "settings", "cline_mcp_settings.json"), keys: SERVERS },
  ],
  signs: (at) => [folderIn(at, "CLINE_DIR") ?? inHome(at, ".cline"), clineExtension(at)],
  programs: ["cline"],
  write: (name, target) => ("url" in target ? typedEntry("streamableHttp")(name, target) : usualEntry()(name, target)),
  afterwards: "Cline loads it immediately.",
};

/** Version 2 nests the servers one level deeper, but still reads the form of version 1. */
const opencode: Client = {
  id: "opencode",
  title: "opencode",
  format: "json",
  places: (at) => {
    const files = (folder: string, scope: Place["scope"]): Place[] =>
      ["opencode.json", "opencode.jsonc"].flatMap((name): Place[] => [
        { scope, file: joinAt(at, folder, name), keys: ["mcp", "servers"], use: "found" },
        { scope, file: joinAt(at, folder, name), keys: ["mcp"] },
      ]);
    return [...files(joinAt(at, xdgConfig(at), "opencode"), "user"), ...files(at.folder, "project")];
  },
  signs: (at) => [joinAt(at, xdgConfig(at), "opencode")],
  programs: ["opencode"],
  write: opencodeEntry,
  afterwards: "Restart opencode.",
};

function gooseFolder(at: Surroundings): string {
  const root = folderIn(at, "GOOSE_PATH_ROOT");
  if (root !== undefined) return joinAt(at, root, "config");
  return at.platform === "win32"
    ? joinAt(at, roaming(at), "Block", "goose", "config")
    : joinAt(at, xdgConfig(at), "goose");
}

const goose: Client = {
  id: "goose",
  title: "Goose",
  format: "yaml",
  places: (at) => [{ scope: "user", file: joinAt(at, gooseFolder(at), "config.yaml"), keys: ["extensions"] }],
  signs: (at) => [gooseFolder(at)],
  programs: ["goose"],
  write: gooseEntry,
  afterwards: "Start a new session of Goose.",
};

/** Clients that are assistants. */
const ASSISTANTS: readonly Client[] = [claudeCode, claudeDesktop, codex, gemini, cline, opencode, goose];

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
  afterwards: "Enable it in Cursor: Settings, MCP.",
};

/** VS Code, VS Code Insiders and VSCodium. */
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
  afterwards: "Zed loads it immediately.",
};

/** Clients that are editors. */
const EDITORS: readonly Client[] = [cursor, vscode, windsurf, zed];

/** All supported clients, in display order. */
export const CLIENTS: readonly Client[] = [...ASSISTANTS, ...EDITORS];
