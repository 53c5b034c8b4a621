import { CODES, NAMED_REACH, NAMED_TARGETS, REACH } from "../client-help.js";

/** What `toolwright list --help` prints. */
export const LIST_HELP = `toolwright list: lists what a server has, or the servers that clients know

Usage
  toolwright list                          the servers in the configuration files of clients
  toolwright list SERVER [LIST]            what a server has; LIST is tools, resources, templates
                                           or prompts
  toolwright list [LIST] -- COMMAND [ARG …]

Of a server it prints its name, version and revision, what it tells models of itself, and its lists.
Of the servers that clients know it prints what they start or where they are, without secrets.

${NAMED_TARGETS}

Options
  --json                 print everything as JSON, as the server gives it
${NAMED_REACH}${REACH}

Exit codes
  0  done
  1  the server refuses
${CODES}

Examples
  toolwright list
  toolwright list github
  toolwright list http://127.0.0.1:3000/mcp prompts
  toolwright list --json -- npx -y @modelcontextprotocol/server-everything
`;

/** What `toolwright read --help` prints. */
export const READ_HELP = `toolwright read: reads a resource of any MCP server

Usage
  toolwright read SERVER URI
  toolwright read URI -- COMMAND [ARG …]
  toolwright read SERVER                   which resources there are

Text and bytes go to stdout as they are. Bytes are not written to a terminal: send stdout elsewhere,
or use --output. The parts of a resource that has several follow each other.

${NAMED_TARGETS}

Options
  --output FILE          write there, and not to stdout
  --json                 print the parts of the resource as JSON, with bytes in base64
${NAMED_REACH}${REACH}

Exit codes
  0  done
  1  the server refuses; what is near to the URI is named
${CODES}

Examples
  toolwright read http://127.0.0.1:3000/mcp docs://readme
  toolwright read --output logo.png test://static-binary -- npm run everything
`;

/** What `toolwright prompt --help` prints. */
export const PROMPT_HELP = `toolwright prompt: fills in a prompt of any MCP server, and prints its messages

Usage
  toolwright prompt SERVER NAME [NAME=VALUE …]
  toolwright prompt NAME [NAME=VALUE …] -- COMMAND [ARG …]
  toolwright prompt SERVER NAME --help     what the prompt takes, with an example
  toolwright prompt SERVER                 which prompts there are

What the prompt requires and nobody has given is asked on the terminal.

${NAMED_TARGETS}

Options
  --json                 print the messages as JSON, as the server gives them
${NAMED_REACH}${REACH}

Exit codes
  0  done
  1  the server refuses
${CODES}

Examples
  toolwright prompt http://127.0.0.1:3000/mcp review file=src/main.ts
  toolwright prompt review --json -- node my-server.mjs
`;
