import type { Client, ConfigLocation } from "./client.js";
import { codexEntry, defaultEntry, gooseEntry, opencodeEntry, programOnly, typedEntry } from "./entries.js";
import {
  applicationFolder,
  type ClientEnvironment,
  folderIn,
  inFolder,
  inHome,
  joinAt,
  roaming,
  xdgConfig,
} from "./environment.js";

const SERVERS = ["mcpServers"] as const;

/** Claude Code keeps its state in the same file, including the servers of single folders. */
const claudeCode: Client = {
  id: "claude-code",
  title: "Claude Code",
  format: "plain json",
  configLocations: (at) => {
    const file = joinAt(at, folderIn(at, "CLAUDE_CONFIG_DIR") ?? at.home, ".claude.json");
    return [
      { scope: "user", file, keys: SERVERS },
      { scope: "project", file: inFolder(at, ".mcp.json"), keys: SERVERS },
      { scope: "project", file, keys: ["projects", at.folder, ...SERVERS], use: "read" },
    ];
  },
  installPaths: (at) => [folderIn(at, "CLAUDE_CONFIG_DIR") ?? inHome(at, ".claude"), inHome(at, ".claude.json")],
  programs: ["claude"],
  write: typedEntry("http"),
  nextStep: "Start a new session of Claude Code.",
  projectNote: "It asks you to approve the servers of the project.",
};

const claudeDesktop: Client = {
  id: "claude-desktop",
  title: "Claude Desktop",
  format: "plain json",
  configLocations: (at) => desktopFolders(at).map((folder) => desktopConfig(at, folder)),
  installPaths: desktopFolders,
  programs: [],
  write: programOnly,
  nextStep: "Quit Claude Desktop and open it again.",
};

const desktopConfig = (at: ClientEnvironment, folder: string): ConfigLocation => ({
  scope: "user",
  file: joinAt(at, folder, "claude_desktop_config.json"),
  keys: SERVERS,
});

/** The version from the Microsoft Store has its own application folder. */
function desktopFolders(at: ClientEnvironment): readonly string[] {
  const usual = joinAt(at, applicationFolder(at), "Claude");
  if (at.platform !== "win32") return [usual];
  const local = folderIn(at, "LOCALAPPDATA") ?? inHome(at, "AppData", "Local");
  return [usual, joinAt(at, local, "Packages", "Claude_pzs8sxrjxfjjc", "LocalCache", "Roaming", "Claude")];
}

const codexHome = (at: ClientEnvironment): string => folderIn(at, "CODEX_HOME") ?? inHome(at, ".codex");

const codex: Client = {
  id: "codex",
  title: "Codex",
  format: "toml",
  configLocations: (at) => [
    { scope: "user", file: joinAt(at, codexHome(at), "config.toml"), keys: ["mcp_servers"] },
    { scope: "project", file: inFolder(at, ".codex", "config.toml"), keys: ["mcp_servers"] },
  ],
  installPaths: (at) => [codexHome(at)],
  programs: ["codex"],
  write: codexEntry,
  nextStep: "Start a new session of Codex.",
  projectNote: "It reads the file only in trusted projects.",
};

const geminiHome = (at: ClientEnvironment): string => joinAt(at, folderIn(at, "GEMINI_CLI_HOME") ?? at.home, ".gemini");

const gemini: Client = {
  id: "gemini",
  title: "Gemini CLI",
  format: "commented json",
  configLocations: (at) => [
    { scope: "user", file: joinAt(at, geminiHome(at), "settings.json"), keys: SERVERS },
    { scope: "project", file: inFolder(at, ".gemini", "settings.json"), keys: SERVERS },
  ],
  installPaths: (at) => [geminiHome(at)],
  programs: ["gemini"],
  write: (name, target) =>
    "url" in target && target.transport === "http"
      ? defaultEntry("httpUrl")(name, target)
      : defaultEntry()(name, target),
  nextStep: "Restart Gemini CLI.",
};

/** The folder that all Cline applications share; the VS Code extension used to have its own. */
function clineFile(at: ClientEnvironment): string {
  const root = folderIn(at, "CLINE_DIR") ?? inHome(at, ".cline");
  const folder = folderIn(at, "CLINE_DATA_DIR") ?? joinAt(at, root, "data");
  return folderIn(at, "CLINE_MCP_SETTINGS_PATH") ?? joinAt(at, folder, "settings", "cline_mcp_settings.json");
}

const clineExtension = (at: ClientEnvironment): string =>
  joinAt(at, applicationFolder(at), "Code", "User", "globalStorage", "saoudrizwan.claude-dev");

const cline: Client = {
  id: "cline",
  title: "Cline",
  format: "plain json",
  configLocations: (at) => [
    { scope: "user", file: clineFile(at), keys: SERVERS },
    { scope: "user", file: joinAt(at, clineExtension(at), "settings", "cline_mcp_settings.json"), keys: SERVERS },
  ],
  installPaths: (at) => [folderIn(at, "CLINE_DIR") ?? inHome(at, ".cline"), clineExtension(at)],
  programs: ["cline"],
  write: (name, target) =>
    "url" in target ? typedEntry("streamableHttp")(name, target) : defaultEntry()(name, target),
  nextStep: "Cline loads it immediately.",
};

/** Version 2 nests the servers one level deeper, but still reads the form of version 1. */
const opencode: Client = {
  id: "opencode",
  title: "opencode",
  format: "json",
  configLocations: (at) => {
    const files = (folder: string, scope: ConfigLocation["scope"]): ConfigLocation[] =>
      ["opencode.json", "opencode.jsonc"].flatMap((name): ConfigLocation[] => [
        { scope, file: joinAt(at, folder, name), keys: ["mcp", "servers"], use: "found" },
        { scope, file: joinAt(at, folder, name), keys: ["mcp"] },
      ]);
    return [...files(joinAt(at, xdgConfig(at), "opencode"), "user"), ...files(at.folder, "project")];
  },
  installPaths: (at) => [joinAt(at, xdgConfig(at), "opencode")],
  programs: ["opencode"],
  write: opencodeEntry,
  nextStep: "Restart opencode.",
};

function gooseFolder(at: ClientEnvironment): string {
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
  configLocations: (at) => [{ scope: "user", file: joinAt(at, gooseFolder(at), "config.yaml"), keys: ["extensions"] }],
  installPaths: (at) => [gooseFolder(at)],
  programs: ["goose"],
  write: gooseEntry,
  nextStep: "Start a new session of Goose.",
};

/** Clients that are assistants. */
const ASSISTANTS: readonly Client[] = [claudeCode, claudeDesktop, codex, gemini, cline, opencode, goose];

const cursor: Client = {
  id: "cursor",
  title: "Cursor",
  format: "json",
  configLocations: (at) => [
    { scope: "user", file: inHome(at, ".cursor", "mcp.json"), keys: ["mcpServers"] },
    { scope: "project", file: inFolder(at, ".cursor", "mcp.json"), keys: ["mcpServers"] },
  ],
  installPaths: (at) => [inHome(at, ".cursor")],
  programs: ["cursor", "cursor-agent"],
  write: defaultEntry(),
  nextStep: "Enable it in Cursor: Settings, MCP.",
};

/** VS Code, VS Code Insiders and VSCodium. */
const codeFolders = (at: ClientEnvironment): readonly string[] =>
  ["Code", "Code - Insiders", "VSCodium"].map((name) => joinAt(at, applicationFolder(at), name, "User"));

const vscode: Client = {
  id: "vscode",
  title: "VS Code",
  format: "json",
  configLocations: (at) => [
    ...codeFolders(at).map((folder) => ({
      scope: "user" as const,
      file: joinAt(at, folder, "mcp.json"),
      keys: ["servers"],
    })),
    { scope: "project", file: inFolder(at, ".vscode", "mcp.json"), keys: ["servers"] },
  ],
  installPaths: codeFolders,
  programs: ["code", "code-insiders", "codium"],
  write: typedEntry("http"),
  nextStep: 'Run "MCP: List Servers" in VS Code, and start it there.',
};

const windsurf: Client = {
  id: "windsurf",
  title: "Windsurf",
  format: "json",
  configLocations: (at) => [
    { scope: "user", file: inHome(at, ".codeium", "windsurf", "mcp_config.json"), keys: ["mcpServers"] },
  ],
  installPaths: (at) => [inHome(at, ".codeium", "windsurf")],
  programs: ["windsurf"],
  write: defaultEntry("serverUrl"),
  nextStep: "Refresh the servers in Windsurf: Cascade, MCP.",
};

const zedFolder = (at: ClientEnvironment): string =>
  at.platform === "win32" ? joinAt(at, roaming(at), "Zed") : joinAt(at, xdgConfig(at), "zed");

const zed: Client = {
  id: "zed",
  title: "Zed",
  format: "json",
  configLocations: (at) => [
    { scope: "user", file: joinAt(at, zedFolder(at), "settings.json"), keys: ["context_servers"] },
    { scope: "project", file: inFolder(at, ".zed", "settings.json"), keys: ["context_servers"] },
  ],
  installPaths: (at) => [zedFolder(at)],
  programs: ["zed", "zeditor"],
  write: defaultEntry(),
  nextStep: "Zed loads it immediately.",
};

/** Clients that are editors. */
const EDITORS: readonly Client[] = [cursor, vscode, windsurf, zed];

/** All supported clients, in display order. */
export const CLIENTS: readonly Client[] = [...ASSISTANTS, ...EDITORS];
