import { createServer, pack, type Server, type ServerOptions, type Tool, tool } from "@toolwright/engine";

/** A tool that returns its name. */
export function namedTool(name: string, more: Partial<Tool> = {}): Tool {
  return { ...tool({ name, description: `Returns ${name}.`, run: () => name }), ...more };
}

const READ_ONLY = { annotations: { readOnlyHint: true } } as const;

const toolbox = pack({
  name: "toolbox",
  open: () => ({
    tools: [
      namedTool("read_file", { toolset: "files", ...READ_ONLY }),
      namedTool("write_file", { toolset: "files" }),
      namedTool("git_log", { toolset: "git", ...READ_ONLY }),
      namedTool("saw"),
    ],
  }),
});

/** A server with tools of several toolsets, one of them in none. */
export const createToolServer = (options: Partial<ServerOptions> = {}): Server =>
  createServer({
    name: "toolbox",
    version: "1.0.0",
    dynamic: true,
    tools: [namedTool("greet", READ_ONLY)],
    packs: [toolbox()],
    log: () => undefined,
    ...options,
  });

/** The names of all tools of that server. */
export const ALL_TOOLS = ["greet", "read_file", "write_file", "git_log", "saw"];

/** The names of tools. */
export const namesOf = (tools: readonly object[]): unknown[] => tools.map((one) => (one as { name: unknown }).name);
