/** What `toolwright dev --help` prints. */
export const DEV_HELP = `toolwright dev: runs a server that you are writing, and swaps its code each time you save

The client stays connected. New code is started beside the old one; calls that run finish in the old
one, the next go to the new one, and clients hear of tools, prompts and resources that have changed.
Code that cannot start changes nothing: the old one goes on, and stderr says what is wrong and where.

Usage
  toolwright dev FILE [-- ARGS]         a server over stdin and stdout: .ts .mts .js .mjs
  toolwright dev [options] -- COMMAND   any program that is one, such as: python server.py

Options
  --http [HOST:PORT]     clients come over HTTP, at 127.0.0.1:3000 if nothing else is said; each
                         session has a process of its own
  --watch DIR            a folder whose code is watched too; can be repeated. Watched is the project
                         of FILE, without node_modules, dist and hidden folders
  --drain SECONDS        how long calls may go on in old code; 30
  --help                 print this help

Node strips the types of TypeScript itself, or is taught to where it is older; imports may end in .js.
What the server prints to stdout by mistake goes to stderr.

Examples
  toolwright dev src/server.ts
  toolwright dev src/server.ts --http 8080
  toolwright dev server.mjs -- --verbose
  toolwright dev --watch src -- python server.py
  claude mcp add demo -- toolwright dev src/server.ts
`;
