const TARGETS = `Where the server is (one of these)
  URL                    http://…, https://…, ws://… or wss://…
  --sse URL              HTTP+SSE, for servers of the oldest revision
  --socket PATH          a Unix socket; on Windows a named pipe
  -- COMMAND [ARG …]     a program that is started, and spoken to over its stdin and stdout`;

/** Where the server of a command is that also knows servers by their names. */
export const NAMED_TARGETS = TARGETS.replace(
  "\n",
  `
  NAME, CLIENT:NAME      a server of a client, such as Cursor or Claude Code, from its own
                         configuration file; "toolwright list" shows them
`,
);

/** The options of all commands that know servers by their names. */
export const NAMED_REACH = `  --project              NAME is in a file of this project, which is trusted to start it
  --quiet                no progress, no log lines, no notes; questions and errors stay
`;

/** The options of all commands that talk to a server. */
export const REACH = `  --token-env NAME       send the token (or API key) that is in this environment variable
  --revision DATE        speak this revision of MCP only; the newest that both know
  --timeout SECONDS      give up after so long without a word of the server; 60
  --help                 print this help`;

/** The exit codes of all commands that talk to a server. */
export const CODES = `  2  the command line is wrong
  3  the server cannot be reached, dies, or takes too long`;

/** What `toolwright call --help` prints. */
export const CALL_HELP = `toolwright call: calls a tool of any MCP server and prints what it gives

Usage
  toolwright call SERVER TOOL [NAME=VALUE …]
  toolwright call TOOL [NAME=VALUE …] -- COMMAND [ARG …]
  toolwright call SERVER TOOL --help       what the tool takes, with an example
  toolwright call SERVER                   which tools there are

Values are read as the tool's schema has them: numbers, true and false, arrays and objects in JSON,
and text. What a tool requires and nobody has given is asked on the terminal. A mistyped name is
corrected where only one is near and the tool is marked read-only; otherwise it is refused.

${NAMED_TARGETS}

Options
  --json ARGS            arguments in JSON; - reads them from stdin; NAME=VALUE beside it wins
  --json-output          print the structured content as JSON; without one, the blocks of content
${NAMED_REACH}${REACH}

The result goes to stdout; progress, log lines and the program's stderr to stderr. What the server
asks is asked on the terminal; where stdin is none, the answer is no. Ctrl-C cancels the call.

Exit codes
  0  done
  1  the tool failed, or the server refuses the call
${CODES}
  130, 143  cancelled by Ctrl-C (SIGINT) or SIGTERM

Examples
  toolwright call http://127.0.0.1:3000/mcp echo text=hello
  toolwright call cursor:github search_code --help
  toolwright call current_time time_zone=Europe/Paris -- toolwright serve
  toolwright call --socket ./mcp.sock echo --json '{"text":"hello"}'
  toolwright call https://tools.example/mcp search limit=5 tags='["a","b"]' --token-env TOKEN
`;
