/** What `toolwright replay --help` prints. */
export const REPLAY_HELP = `toolwright replay: plays a recording again, and shows what is not as it was

Usage
  toolwright replay FILE                          against this build, "toolwright serve"
  toolwright replay FILE -- COMMAND [ARG …]       against a program that is started
  toolwright replay FILE URL                      against a server that runs: http, https, ws, wss
  toolwright replay FILE --socket PATH            the same over a Unix socket or a named pipe
  toolwright replay FILE --sse URL                the same over HTTP+SSE

"toolwright serve --record FILE" makes a recording. Every request in it is sent again, in its order;
what the server asks gets the recorded answers. Calls have their effects again: play a recording only
where they may. This build keeps what it has to keep in an empty folder, which goes afterwards.

Options
  --transport NAME       how this build is reached: stdio, http, ws, socket, memory; stdio
  --revision DATE        speak this revision of MCP; the recorded one
  --session N            play this conversation alone
  --ignore PATH          do not compare this, such as structuredContent.now; can be repeated.
                         * stands for one name, ** for any number of them
  --skip-redacted        leave out requests from which secrets had been taken out
  --json                 print everything as JSON
  --token-env NAME       send the token (or API key) that is in this environment variable
  --timeout SECONDS      give up a request after so long without a word of the server; 60
  --help                 print this help

Exit codes
  0  everything that was compared is the same
  1  something differs
  2  the command line is wrong, or the file is no recording with something to play
  3  the server cannot be reached
  130, 143  ended by Ctrl-C (SIGINT) or SIGTERM

Examples
  toolwright replay session.jsonl
  toolwright replay session.jsonl --transport http --session 1
  toolwright replay session.jsonl --ignore '**.now' -- node my-server.mjs
`;
