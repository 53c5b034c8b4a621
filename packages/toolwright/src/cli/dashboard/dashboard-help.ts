/** What `toolwright dashboard --help` prints. */
export const DASHBOARD_HELP = `toolwright dashboard: shows tasks and knowledge as web pages that keep themselves up to date

Usage
  toolwright dashboard [OPTIONS]

It serves until it gets SIGINT (Ctrl-C) or SIGTERM, and opens no browser. "toolwright serve --http"
has the same pages at /, beside MCP, and shows its calls too.

Options
  --port N               the port; 8080 if nothing is said, or the next one that is free. 0 = any
  --host HOST            the address to listen at; 127.0.0.1, where only this machine reaches it
  --write-token          let whoever has a token mark tasks as done and set their priority; the token
                         is made now, and printed once
  --allow-host NAME      a name under which browsers reach this machine; can be repeated
  --api-key-file FILE    only with a key, which the browser asks for as a password
  --state DIR            both are there, not in the user's folder for state
  --config FILE          the configuration; else toolwright.config.json or .jsonc of this folder
  --no-config            no configuration file, whatever lies in this folder
  --set KEY=VALUE        any setting by its key, such as packs.todo={"database":"team.db"}
  --help                 print this help

Environment
  TOOLWRIGHT_WRITE_TOKEN a token of your own, which is not printed

Examples
  toolwright dashboard
  toolwright dashboard --port 9000 --write-token
`;
