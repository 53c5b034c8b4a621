const TARGETS = `Where the server is (one of these)
  URL                    http://…, https://…, ws://… or wss://…
  --sse URL              HTTP+SSE, for servers of the oldest revision
  --socket PATH          a Unix socket; on Windows a named pipe
  -- COMMAND [ARG …]     a program that is started, and spoken to over its stdin and stdout`;

const REACH = `  --token-env NAME       send the token (or API key) that is in this environment variable
  --revision DATE        speak this revision of MCP only; the newest that both know
  --timeout SECONDS      give up after so long without a word of the server; 60
  --help                 print this help`;

const CODES = `  2  the command line is wrong
  3  the server cannot be reached, dies, or takes too long`;

/** What `toolwright tools --help` prints. */
export const TOOLS_HELP = `toolwright tools: lists the tools of any MCP server

Usage
  toolwright tools URL
  toolwright tools -- COMMAND [ARG …]

${TARGETS}

Options
  --json                 print the list as the server gives it
${REACH}

Exit codes
  0  done
  1  the server refuses
${CODES}

Examples
  toolwright tools http://127.0.0.1:3000/mcp
  toolwright tools --socket ./mcp.sock --json
  toolwright tools -- npx -y @modelcontextprotocol/server-everything
`;

/** What `toolwright call --help` prints. */
export const CALL_HELP = `toolwright call: calls a tool of any MCP server and prints what it gives

Usage
  toolwright call URL TOOL [NAME=VALUE …]
  toolwright call TOOL [NAME=VALUE …] -- COMMAND [ARG …]

Values are read as the tool's schema has them: numbers, true and false, arrays and objects in JSON,
and text. "toolwright tools" shows what a tool takes.

${TARGETS}

Options
  --json ARGS            arguments in JSON; - reads them from stdin; NAME=VALUE beside it wins
  --json-output          print the structured content as JSON; without one, the blocks of content
${REACH}

The result goes to stdout; progress, log lines and the program's stderr to stderr. What the server
asks is asked on the terminal; where stdin is none, the answer is no. Ctrl-C cancels the call.

Exit codes
  0  done
  1  the tool failed, or the server refuses the call
${CODES}
  130, 143  cancelled by Ctrl-C (SIGINT) or SIGTERM

Examples
  toolwright call http://127.0.0.1:3000/mcp echo text=hello
  toolwright call current_time time_zone=Europe/Paris -- toolwright serve
  toolwright call --socket ./mcp.sock echo --json '{"text":"hello"}'
  toolwright call https://tools.example/mcp search limit=5 tags='["a","b"]' --token-env TOKEN
`;
