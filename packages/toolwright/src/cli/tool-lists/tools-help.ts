import { CODES, NAMED_REACH, NAMED_TARGETS, REACH } from "../client-help.js";

/** What `toolwright tools --help` prints. */
export const TOOLS_HELP = `toolwright tools: lists the tools of any MCP server, and what they cost a model

Usage
  toolwright tools [OPTIONS OF SERVE]
  toolwright tools SERVER
  toolwright tools -- COMMAND [ARG …]

Without a server it lists what "toolwright serve" would list with the same options, such as
--toolsets, --all-tools or --config.

${NAMED_TARGETS}

Options
  --json                 print JSON: the list as the server gives it, or what the tools cost
  --tokens               print what each tool costs a model, in tokens, the heaviest first
  --budget N             the same, and end with code 1 where all of them cost more than N tokens
${NAMED_REACH}${REACH}

Exit codes
  0  done
  1  the server refuses, or the tools cost more than --budget
${CODES}

Examples
  toolwright tools
  toolwright tools --toolsets files,git --tokens
  toolwright tools http://127.0.0.1:3000/mcp
  toolwright tools --socket ./mcp.sock --json
  toolwright tools --budget 10000 -- npx -y @modelcontextprotocol/server-everything
`;
