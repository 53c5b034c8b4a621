import { createServer, pack, type Server, type ServerOptions, type Tool, tool } from "@toolwright/engine";

/** A tool that says its name. */
export function saying(name: string, more: Partial<Tool> = {}): Tool {
  return { ...tool({ name, description: `Says ${name}.`, run: () => name }), ...more };
}

const READ_ONLY = { annotations: { readOnlyHint: true } } as const;

const workshop = pack({
  name: "workshop",
  open: () => ({
    tools: [
      saying("read_file", { toolset: "files", ...READ_ONLY }),
      saying("write_file", { toolset: "files" }),
      saying("git_log", { toolset: "git", ...READ_ONLY }),
      saying("saw"),
    ],
  }),
});

/** A server with tools of several toolsets, one of them in none. */
export const createWorkshop = (options: Partial<ServerOptions> = {}): Server =>
  createServer({
    name: "workshop",
    version: "1.0.0",
    dynamic: true,
    tools: [saying("greet", READ_ONLY)],
    packs: [workshop()],
    log: () => undefined,
    ...options,
  });

/** The names of all tools of that server. */
export const ALL_TOOLS = ["greet", "read_file", "write_file", "git_log", "saw"];

/** What tools are called. */
export const namesOf = (tools: readonly object[]): unknown[] => tools.map((one) => (one as { name: unknown }).name);
