/** What `toolwright serve --help` prints. */
export const SERVE_HELP = `toolwright serve: serves its tools to MCP clients

Usage
  toolwright serve [OPTIONS]

Without a transport it serves over stdin and stdout: what a client wants that starts it. With one or
several of them it serves over those alone, until it gets SIGINT (Ctrl-C) or SIGTERM.

Transports
  --http [HOST:PORT]     HTTP, at 127.0.0.1:3000 if nothing else is said; port 0 = any that is free
  --ws [HOST:PORT]       WebSocket, at the address of --http if nothing else is said
  --socket PATH          a Unix socket, for this user alone; on Windows a named pipe
  --stdio                stdin and stdout beside the others; when that client goes, all ends
  --sse                  beside --http: HTTP+SSE at /sse, for clients of the oldest revision

Who may call over --http and --ws
  --api-key-file FILE    only clients with a key; FILE has its line, which "toolwright key" makes
  --issuer URL           only clients with a token of this authorization server (OAuth 2.1)
  --audience URI         what tokens must be made out to, if that is not the public URL
  --scope SCOPE          what every token or key must have; can be repeated
  --allow-host NAME      a name under which clients reach this machine; can be repeated
  --allow-origin ORIGIN  a web page that may call, such as https://app.example; can be repeated

How --http and --ws are reached
  --path PATH            where MCP is spoken; /mcp
  --public-url URL       what clients reach, if a proxy stands in front
  --trust-proxy ADDRESS  that proxy, or its network, such as 10.0.0.0/8; can be repeated
  --tls-cert FILE        certificate and key (PEM), to speak TLS
  --tls-key FILE

Which tools it lists ("toolwright tools" shows them, with --tokens what they cost)
  --toolsets NAME,…      these toolsets or packs; default = what is listed anyway
  --tools NAME,…         these tools, beside the toolsets that are given
  --without-tools NAME,… not these
  --read-only            only those that change nothing
  --all-tools            also those that are left out to keep the list short
  --progressive          three tools, which find, describe and call the others

What is seen of it
  --log-level LEVEL      the least severe lines on stderr: debug, info, notice (usual), warning …
  --log-format FORMAT    text, or json: an object a line
  --metrics              beside --http: counts and times at /metrics, for Prometheus
  --audit FILE           a line for each tool call: who, what, when, and how it ended
  --record FILE          all messages, without secrets; "toolwright replay" plays them

Other
  --root DIR             a folder that tools can use, not the current one; can be repeated
  --hide GLOB            paths that no tool shows, reads or changes, such as "**/.env"; can be repeated
  --protect GLOB         paths that tools can read and not change; can be repeated
  --pack FILE            a module with a pack of tools that is served beside ours; can be repeated
  --state DIR            keep tasks there, not in the user's folder for state
  --config FILE          the configuration; else toolwright.config.json or .jsonc of this folder
  --no-config            no configuration file, whatever lies in this folder
  --set KEY=VALUE        any setting by its key, such as limits.callTimeoutMs=60000; can be repeated
  --help                 print this help

Environment
  TOOLWRIGHT_API_KEY     a key (not its hash) that is as good as one in --api-key-file
  TOOLWRIGHT_CONFIG      the configuration file
  TOOLWRIGHT_…           any setting, such as TOOLWRIGHT_LIMITS_CALL_TIMEOUT_MS; flags are stronger,
                         the file is weaker. "toolwright config show" lists all settings

Examples
  toolwright serve                                        for a client that starts it
  toolwright serve --root ~/work/app                      the same, for one folder
  toolwright serve --http                                 http://127.0.0.1:3000/mcp
  toolwright serve --http 8080 --ws --socket ./mcp.sock   three ways at once
  toolwright key ada >> keys.txt
  toolwright serve --http 0.0.0.0:8080 --api-key-file keys.txt --allow-host tools.example
  toolwright serve --http --public-url https://tools.example/mcp --trust-proxy 127.0.0.1 \\
    --issuer https://login.example
`;

/** What `toolwright config --help` prints. */
export const CONFIG_HELP = `toolwright config: checks and shows what "toolwright serve" would be told

Usage
  toolwright config check [FILE]   say what is wrong with the configuration, or where it comes from
  toolwright config show           print every setting, its value, and where that comes from
  toolwright config schema         print the JSON Schema of the configuration file

Options
  --json                 show: print JSON
  and all of "toolwright serve", which are read as it would read them

A check ends with code 0 where all is right, and with 1 where something is wrong. Secrets are not
shown.

Examples
  toolwright config check
  toolwright config check deploy/toolwright.config.jsonc
  toolwright config show --http 8080
  toolwright config show --json | jq '.settings["http.listen"]'
`;

/** What `toolwright key --help` prints. */
export const KEY_HELP = `toolwright key: makes an API key for a client

Usage
  toolwright key NAME [SCOPE …]

The line for --api-key-file goes to stdout; it has a hash, not the key. The key itself is shown this
once, on stderr.

Examples
  toolwright key ada >> keys.txt
  toolwright key ci read >> keys.txt
  toolwright serve --http 0.0.0.0:8080 --api-key-file keys.txt --allow-host tools.example
`;
