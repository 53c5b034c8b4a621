/** What `toolwright doctor --help` prints. */
export const DOCTOR_HELP = `toolwright doctor: examines MCP servers as clients of every revision see them, and says what is wrong

Usage
  toolwright doctor                       this server, over stdio and HTTP, and whether what the
                                          clients of this machine are told to start is there
  toolwright doctor -- COMMAND [ARG …]    any server that is started
  toolwright doctor URL …                 any server that runs, over HTTP
  toolwright doctor NAME …                servers that a client has been told of: NAME, CLIENT:NAME

It starts the server several times, plays the client of each revision, sends what is right and what is
wrong, and ends all that it has started. It calls only tools that are marked as reading alone
(readOnlyHint), with arguments that they have to refuse or that mean nothing.

Options
  --call TOOL            call this tool too, though it is not marked so; also cancels a call of it
  --only GROUP           only this part: start, handshake, wire, lists, schemas, errors, limits, http;
                         can be repeated
  --timeout SECONDS      how long an answer may take; 10
  --token-env NAME       send the token that is in this environment variable; for a URL
  --json                 print everything as JSON
  --html FILE            write the report as one page
  --help                 print this help

Symbols
  ✓ good     • note: worth knowing     ! warning: hurts some users     ✗ fault: breaks a client

Exit codes
  0  there is no fault
  1  there are faults
  2  the command line is wrong
  3  a server cannot be reached
  130, 143  ended by Ctrl-C (SIGINT) or SIGTERM

Examples
  toolwright doctor
  toolwright doctor --html report.html -- npx -y @modelcontextprotocol/server-everything
  toolwright doctor --only errors --call search -- node my-server.mjs
  toolwright doctor https://example.com/mcp --token-env EXAMPLE_TOKEN
`;
