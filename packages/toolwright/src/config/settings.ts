import type { JsonObject } from "@toolwright/engine";
import { COMPAT_SETTINGS, LOG_LEVELS, PROTOCOL_SETTINGS, TOOL_SETTINGS } from "./engine-settings.js";
import {
  address,
  choice,
  count,
  folders,
  hidden,
  type Kind,
  list,
  names,
  onOff,
  packSettings,
  place,
  positive,
  secret,
  text,
  wordList,
} from "./kind.js";
import { limitSettings } from "./limit-settings.js";
import { object, toggle } from "./object-kinds.js";
import { type Setting, setting, type Table } from "./setting.js";

const MIB = 1024 * 1024;

/** The setting that names a profile. */
export const PROFILE_KEY = "profile";

/** Whether a text is the name of a profile of this program, and not the path of a file. */
export const isProfileName = (value: string): boolean => !/[\\/]|\.jsonc?$/.test(value);

const SETTINGS = {
  profile: setting(
    { ...place("a name or a file"), isName: isProfileName },
    "the settings to start from: a profile of toolwright by its name, or a file of your own by its path",
    { flag: "--profile", unset: "none" },
  ),
  stdio: setting(
    onOff,
    "serve over stdin and stdout, beside other transports; when that client disconnects, the server stops",
    { flag: "--stdio", unset: "true if there is no other transport" },
  ),
  "http.listen": setting(
    address,
    "serve over HTTP; without an address at 127.0.0.1:3000, and port 0 is any free port",
    {
      flag: "--http",
      env: "TOOLWRIGHT_HTTP",
      default: false,
    },
  ),
  "http.sse": setting(onOff, "serve HTTP+SSE beside HTTP, at /sse, for clients of the oldest revision", {
    flag: "--sse",
    default: false,
  }),
  "http.path": setting(text("a path"), "the path of the MCP endpoint", { flag: "--path", default: "/mcp" }),
  "http.publicUrl": setting(text("a URL"), "the URL that clients use, if there is a reverse proxy", {
    flag: "--public-url",
  }),
  "http.allowedHosts": setting(list("a name"), "a further host name of the server, or `*`", {
    flag: "--allow-host",
    default: [],
  }),
  "http.allowedOrigins": setting(
    list("an origin"),
    "an origin of web pages that may call the server, such as https://app.example, or `*`",
    {
      flag: "--allow-origin",
      default: [],
    },
  ),
  "http.trustProxy": setting(
    list("an address or a network"),
    "a trusted reverse proxy, or its network, such as 10.0.0.0/8",
    {
      flag: "--trust-proxy",
      default: [],
    },
  ),
  "http.tls.cert": setting(place("a file"), "the TLS certificate (PEM)", { flag: "--tls-cert", isLive: true }),
  "http.tls.key": setting(place("a file"), "the private key of the TLS certificate (PEM)", {
    flag: "--tls-key",
    isLive: true,
  }),
  "http.sessions": setting(
    onOff,
    "keep sessions for clients that send `initialize`; otherwise each request is independent",
    { default: true },
  ),
  "http.compression": setting(
    toggle({ minBytes: count }),
    "compress answers of at least `minBytes` (1024) with gzip or brotli, for clients that accept it",
    { default: false },
  ),
  "http.pollAfterMs": setting(
    positive,
    "how long a call may keep its stream open before the client has to reconnect for the response, in milliseconds",
    { unset: "no limit" },
  ),
  "http.rate.burst": setting(count, "the maximum number of requests of one client in a burst", { default: 1000 }),
  "http.rate.perSecond": setting(positive, "the maximum number of requests of one client per second", { default: 100 }),
  "http.rate.countPings": setting(onOff, "pings count towards this rate, too", { default: true }),
  "http.dashboard": setting(onOff, "serve the dashboard at `/`, beside HTTP", { default: true }),
  "http.writeToken": setting(secret, "the token that unlocks changes on the dashboard; at least 16 characters", {
    env: "TOOLWRIGHT_WRITE_TOKEN",
    isSecret: true,
  }),
  ws: setting(address, "serve over WebSocket; without an address at that of HTTP", { flag: "--ws", default: false }),
  socket: setting(place("a path"), "serve over a Unix socket that only this user can open; on Windows a named pipe", {
    flag: "--socket",
  }),
  "auth.apiKeyFile": setting(
    place("a file"),
    "allow only clients with an API key in this file; `toolwright key` creates its lines",
    {
      flag: "--api-key-file",
      isLive: true,
    },
  ),
  "auth.apiKey": setting(secret, "an API key itself, which is valid like those in the file", {
    env: "TOOLWRIGHT_API_KEY",
    isSecret: true,
    isLive: true,
  }),
  "auth.issuer": setting(text("a URL"), "allow only clients with a token of this authorization server (OAuth 2.1)", {
    flag: "--issuer",
  }),
  "auth.audience": setting(list("a URI"), "the audience that tokens must have; one of them is enough", {
    flag: "--audience",
    unset: "the public URL",
  }),
  "auth.scopes": setting(list("a scope"), "a scope that every token or key must have", {
    flag: "--scope",
    default: [],
  }),
  state: setting(place("a folder"), "the folder for tasks and other data", {
    flag: "--state",
    unset: "the user's folder for state",
  }),
  "files.roots": setting(folders, "a folder that tools can read and change", {
    flag: "--root",
    unset: "the current folder",
    isLive: true,
  }),
  "files.hidden": setting(list("a glob"), "paths that tools never list, read or change, such as `**/.env`", {
    flag: "--hide",
    default: [],
    isLive: true,
  }),
  "files.readOnly": setting(list("a glob"), "paths that tools can read but not change, such as `vendor/**`", {
    flag: "--protect",
    default: [],
    isLive: true,
  }),
  "files.clientRoots": setting(onOff, "the roots of a client narrow the folders; they never widen them", {
    default: true,
    isLive: true,
  }),
  "files.timeoutMs": setting(count, "the time limit for one operation of the file system, in milliseconds", {
    default: 10_000,
    isLive: true,
  }),
  packModules: setting({ ...list("a module"), isPath: true }, "a module with a pack, which is served, too", {
    flag: "--pack",
    default: [],
  }),
  requestRate: setting(
    object({ burst: count, perSecond: positive }),
    "how many requests of any kind one session may send: `burst` at once, then `perSecond`; more are rejected",
    { unset: "no limit" },
  ),
  "rate.burst": setting(count, "the maximum number of tool calls of all clients in a burst", {
    unset: "no limit",
    isLive: true,
  }),
  "rate.perSecond": setting(positive, "the maximum number of tool calls of all clients per second", {
    unset: "no limit",
    isLive: true,
  }),
  "rate.over": setting(choice("delay", "reject"), "what happens to a call that exceeds the rate", {
    default: "delay",
    isLive: true,
  }),
  "perPrincipal.calls": setting(count, "the maximum number of concurrent calls of one principal", {
    unset: "no limit",
  }),
  "perPrincipal.rate.burst": setting(count, "the maximum number of tool calls of one principal in a burst", {
    unset: "no limit",
  }),
  "perPrincipal.rate.perSecond": setting(positive, "the maximum number of tool calls of one principal per second", {
    unset: "no limit",
  }),
  "perPrincipal.rate.over": setting(choice("delay", "reject"), "what happens to a call that exceeds that rate", {
    default: "delay",
  }),
  telemetry: setting(onOff, "trace and measure requests, if the process has loaded OpenTelemetry", {
    default: true,
  }),
  metrics: setting(onOff, "serve counts and times for Prometheus, over HTTP at `/metrics`", {
    flag: "--metrics",
    default: false,
  }),
  "log.level": setting(choice(...LOG_LEVELS), "the least severe messages that are logged to stderr", {
    flag: "--log-level",
    default: "notice",
    isLive: true,
  }),
  "log.format": setting(choice("text", "json"), "log lines of text, or one JSON object per line", {
    flag: "--log-format",
    default: "text",
    isLive: true,
  }),
  "audit.file": setting(
    place("a file"),
    "write one line per tool call to this file: who, what, when, and the outcome",
    { flag: "--audit" },
  ),
  "audit.maxBytes": setting(count, "the size at which a new file is started", { default: 10 * MIB }),
  "audit.keep": setting(count, "the number of full files that are kept", { default: 5 }),
  "audit.onFailure": setting(choice("continue", "refuse"), "what happens to calls if the audit log cannot be written", {
    default: "continue",
  }),
  "record.file": setting(
    place("a file"),
    "record all messages, without secrets, for `toolwright replay`; `%p` is the process id",
    {
      flag: "--record",
    },
  ),
  "record.maxBytes": setting(count, "the size at which a new file is started", { default: 10 * MIB }),
  "record.keep": setting(count, "the maximum number of files", { default: 3 }),
  "redact.names": setting(names, "additional names of secrets, or patterns such as `/^x-.*-id$/i`", { default: [] }),
  "redact.values": setting(hidden, "texts that are removed from logs, recordings and the audit log", {
    default: [],
    isSecret: true,
  }),
  "tools.toolsets": setting(
    wordList("a toolset"),
    "list these toolsets; the name of a pack stands for all of its toolsets",
    {
      flag: "--toolsets",
      unset: "default",
      isLive: true,
    },
  ),
  "tools.names": setting(wordList("a tool"), "list these tools, in addition to the toolsets", {
    flag: "--tools",
    default: [],
    isLive: true,
  }),
  "tools.without": setting(wordList("a tool"), "neither list these tools nor let them be called", {
    flag: "--without-tools",
    default: [],
    isLive: true,
  }),
  "tools.readOnly": setting(onOff, "list only tools that change nothing", {
    flag: "--read-only",
    default: false,
    isLive: true,
  }),
  "tools.all": setting(onOff, "list every tool, including those that are left out by default", {
    flag: "--all-tools",
    default: false,
    isLive: true,
  }),
  "tools.progressive": setting(onOff, "list three tools, which find, describe and call the others", {
    flag: "--progressive",
    default: false,
    isLive: true,
  }),
  ...TOOL_SETTINGS,
  ...PROTOCOL_SETTINGS,
  ...COMPAT_SETTINGS,
} as const;

/** The settings that every server has, but for its packs and limits. */
export type Key = keyof typeof SETTINGS;

/** What a setting holds. */
export type ValueOf<Name extends Key> = (typeof SETTINGS)[Name] extends Setting<infer Value> ? Value : never;

/** Every setting of a server with these packs, in the order in which they are shown. */
export function createTable(packs: readonly string[]): Table {
  const rows: readonly [string, Setting<boolean>][] = packs.map((name) => [
    `packs.${name}`,
    {
      kind: packSettings as Kind<boolean>,
      about: "the pack: false, true, or an object with its settings",
      default: true,
      isLive: true,
    },
  ]);
  return new Map<string, unknown>([...Object.entries(SETTINGS), ...rows, ...limitSettings]) as Table;
}

/** The JSON Schema of the configuration file, for editors. `packs` has the schema of the settings of each pack, by its key. */
export function createJsonSchema(table: Table, packs: ReadonlyMap<string, JsonObject>): JsonObject {
  const root = emptyObject();
  root.properties["$schema"] = { type: "string", description: "This schema, for editors." };
  for (const [key, row] of table) {
    const segments = key.split(".");
    const last = segments.pop() ?? "";
    let inside = root;
    for (const name of segments) inside = (inside.properties[name] ??= emptyObject()) as ObjectSchema;
    const settings = packs.get(key);
    inside.properties[last] = {
      ...describe(row),
      ...(settings && { anyOf: [{ type: "boolean" }, settings] }),
    };
  }
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "The configuration of toolwright",
    ...root,
  };
}

type ObjectSchema = JsonObject & { readonly properties: Record<string, JsonObject> };

const emptyObject = (): ObjectSchema => ({ type: "object", additionalProperties: false, properties: {} });

function describe({ kind, about, default: usual }: Setting): JsonObject {
  return { ...kind.schema, description: about, ...(usual !== undefined && { default: usual }) };
}
