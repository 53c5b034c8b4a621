/** What `toolwright install --help` prints. */
export const INSTALL_HELP = `toolwright install: tells assistants and editors of this server

Usage
  toolwright install                              each client that is found, after a question
  toolwright install CLIENT …                     these clients
  toolwright install CLIENT … -- --OPTION …       with options of "toolwright serve"
  toolwright install CLIENT … --name NAME -- COMMAND [ARG …]    another server, to be started
  toolwright install CLIENT … --name NAME --url URL             another server, which runs already
  toolwright install --list                       which clients are here, and which know it
  toolwright install json                         print the entry, for any other client

Clients
  claude-code  claude-desktop  codex  gemini  cline  opencode  goose  cursor  vscode  windsurf  zed

The change to each client's own file is shown first. Comments, order and other servers in it stay as
they are, and a backup is kept beside it. What is there already is not written again; what you have
set in the entry beside command and arguments stays. Values of env and headers are never shown.
Paths in options of "toolwright serve" are meant from the current folder.

Options
  --scope SCOPE          user: for all you open (usual); project: for this folder, in its own file
  --name NAME            what clients call the server; toolwright
  --env NAME[=VALUE]     a variable for the server; without a value, the one set here; repeatable
  --url URL              a server that runs already and speaks HTTP
  --all                  every client that is found
  --yes, -y              ask nothing; needed where nobody can be asked
  --dry-run              show the change, and write nothing
  --list                 say which clients are found, where their files lie, and what they know
  --json                 print everything as JSON
  --help                 print this help

Exit codes
  0  done, or nothing to do
  1  a file could not be read or written, or you said no
  2  the command line is wrong, or there is nobody to ask and no --yes
  130  ended by Ctrl-C

Examples
  toolwright install
  toolwright install claude-code cursor
  toolwright install claude-desktop -- --root ~/work/app
  toolwright install vscode --scope project
  toolwright install codex --dry-run
  toolwright install cursor --name docs --url http://127.0.0.1:3000/mcp
  toolwright install zed --name files -- npx -y @modelcontextprotocol/server-filesystem ~/work
`;

/** What `toolwright uninstall --help` prints. */
export const UNINSTALL_HELP = `toolwright uninstall: takes a server out of the files of assistants and editors

Usage
  toolwright uninstall                            each client that knows it, after a question
  toolwright uninstall CLIENT …                   these clients

Where nobody has edited a file since "toolwright install", it becomes what it was, to the last byte,
and its backup goes. Otherwise only the entry goes, and a backup is kept.

Options
  --scope SCOPE          user (usual) or project, as it was installed
  --name NAME            what clients call the server; toolwright
  --all                  every client that is found
  --yes, -y              ask nothing; needed where nobody can be asked
  --dry-run              show the change, and write nothing
  --json                 print everything as JSON
  --help                 print this help

Exit codes are those of "toolwright install".

Examples
  toolwright uninstall
  toolwright uninstall cursor --yes
  toolwright uninstall --all --scope project --dry-run
`;
