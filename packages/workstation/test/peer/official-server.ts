import { createRequire } from "node:module";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

/** What the official file server answered. */
interface Answered {
  readonly isError: boolean;
  /** The text of the first block; empty where it has none. */
  readonly text: string;
  readonly blocks: readonly { readonly type: string; readonly data?: string; readonly mimeType?: string }[];
}

/** The official file server over a folder, with the official client. */
export interface OfficialServer {
  ask(tool: string, args: Record<string, unknown>): Promise<Answered>;
  close(): Promise<void>;
}

/** Starts the official file server; who starts it closes it. */
export async function startOfficialServer(root: string): Promise<OfficialServer> {
  const program = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-filesystem/dist/index.js");
  const client = new Client({ name: "peer-test", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [program, root], stderr: "ignore" }),
  );
  return {
    async ask(tool, args) {
      const { content, isError } = await client.callTool({ name: tool, arguments: args });
      const blocks = content as (Answered["blocks"][number] & { readonly text?: string })[];
      return { isError: isError === true, text: blocks[0]?.text ?? "", blocks };
    },
    close: () => client.close(),
  };
}
